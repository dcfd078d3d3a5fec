import Synchronization
import TestKit
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(5))) struct SingleFlightTests {
    private final class Count: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
        var value: Int { count.withLock { $0 } }
    }

    @Test func `An answer is reused while fresh, but not after the clock was set back`()
        async throws
    {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let count = Count()
        let singleFlight = SingleFlight(clock: clock) { count.next() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await singleFlight.run() }
            #expect(await singleFlight.answer() == 1)
            #expect(await singleFlight.answer() == 1)
            clock.advance(bySeconds: 1)
            #expect(await singleFlight.answer() == 2)
            clock.advance(bySeconds: -3600)
            #expect(await singleFlight.answer() == 3)
            group.cancelAll()
        }
    }

    @Test func `Only one query runs at a time, and no caller waits for ever`() async throws {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let count = Count()
        let (limiter, opener) = AsyncStream.makeStream(of: Void.self)
        let singleFlight = SingleFlight(clock: clock) {
            for await _ in limiter { break }
            return count.next()
        }
        await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                await singleFlight.run()
                return 0
            }
            for _ in 0..<3 { group.addTask { await singleFlight.answer() } }
            while clock.deadlines.count < 3 { await Task.yield() }
            clock.advance(bySeconds: 2)
            for _ in 0..<3 { #expect(await group.next() == .some(nil)) }
            // A late answer still serves a caller that asks in the meantime.
            async let late = singleFlight.answer()
            while clock.deadlines.isEmpty { await Task.yield() }
            opener.yield()
            opener.yield()
            #expect(await late != nil)
            group.cancelAll()
        }
        #expect(count.value <= 2)
    }

    @Test func `A cancelled caller gets no answer`() async throws {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let singleFlight = SingleFlight(clock: clock) { 1 }
        for _ in 0..<100 {
            let task = Task { await singleFlight.answer() }
            task.cancel()
            #expect(await task.value == nil)
        }
    }
}
