import Programs
import Testing
import Timekeeping

@Suite(.timeLimit(.minutes(5))) struct SystemClockTests {
    @Test func `Sleepers wake at their time, even if another sleeps longer`() async throws {
        let clock = SystemClock()
        let start = clock.now
        let long = Task { try await clock.sleep(until: start.advanced(bySeconds: 1_000_000)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for wait: Int64 in [60, 10, 30, -5, 0] {
                group.addTask {
                    let deadline = start.advanced(byMilliseconds: wait)
                    try await clock.sleep(until: deadline)
                    #expect(clock.now >= deadline)
                }
            }
            try await group.waitForAll()
        }
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
    }

    @Test func `A cancelled sleeper wakes at once, whether or not it is already asleep`() async {
        let clock = SystemClock()
        let far = clock.now.advanced(bySeconds: 1_000_000)
        for round in 0..<100 {
            let task = Task { try await clock.sleep(until: far) }
            if round.isMultiple(of: 2) { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
