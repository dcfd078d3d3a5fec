import Foundation
import Ledger
import Logging
import Notifications
import Planning
import Settings
import Storage
import Synchronization
import Testing
import TestKit
import Timekeeping
import Web
@testable import Daemon

struct DemoTests {
    @Test func `A sleeper wakes when the clock is moved past its time, and not before`()
        async throws
    {
        let clock = DemoClock(MachineClock(), nil)
        let done = Mutex(false)
        let deadline = clock.now.advanced(bySeconds: 86_400)
        let earlier = deadline.advanced(bySeconds: -7200)
        let sleeper = Task {
            try await clock.sleep(until: deadline)
            done.withLock { $0 = true }
        }
        let first = Task { try await clock.sleep(until: earlier) }
        clock.set(to: earlier)
        try await first.value
        #expect(done.withLock { !$0 })
        clock.set(to: deadline)
        try await sleeper.value
        #expect(done.withLock { $0 })
    }

    @Test func `A sleeper that is cancelled wakes`() async throws {
        let clock = DemoClock(MachineClock(), nil)
        let sleeper = Task { try await clock.sleep(until: clock.now.advanced(bySeconds: 86_400)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `The demo has a past, and each message on the way to its next morning is sent once`()
        async throws
    {
        try await withTemporaryHome { world in
            let clock = DemoClock(MachineClock(), nil)
            let end = clock.now
            let mail = DemoMail()
            clock.set(to: end.advanced(bySeconds: -Int64(DemoScenario.days) * 86_400))
            let home = try await Self.home(world, clock, mail)
            defer { home.release() }
            let (planner, engine) = (home.engine.planning, home.engine)
            let playback = DemoPlayback(store: planner.store, clock: clock) {
                _ = try await engine.runOnce()
            }
            try await DemoScenario(planner: planner, end: end).tell(playing: playback.play)
            #expect(clock.now >= end)
            let past = mail.messages
            #expect(past.count > 30)
            let times = past.map(\.at)
            #expect(times == times.sorted())
            #expect(
                try await planner.meetings(.past).meetings.map(\.title).contains {
                    $0.hasPrefix("Book club")
                })
            try await playback.play(through: end.advanced(bySeconds: 86_400))
            let fresh = mail.messages.dropFirst(past.count)
            #expect(!fresh.isEmpty)
            #expect(try await planner.verifyLedger().faults.isEmpty)
            #expect(try await planner.store.dueDeliveries(through: clock.now, limit: 1).isEmpty)
        }
    }

    @Test func `A second daemon is refused even if the lock file of the home was removed`()
        async throws
    {
        try await withTemporaryHome { world in
            let clock = DemoClock(MachineClock(), nil)
            let first = try await Self.home(world, clock, DemoMail())
            try FileManager.default.removeItem(atPath: world.home.daemonLock)
            let refused = await refusal {
                try await Self.home(world, clock, DemoMail()).release()
            }
            #expect(refused?.code == "home_taken")
            #expect(refused?.message.contains("has locked the folder \(world.home.path)") == true)
            first.release()
            try await Self.home(world, clock, DemoMail()).release()
        }
    }

    private static func home(
        _ world: TestWorld, _ clock: DemoClock, _ mail: DemoMail
    ) async throws -> DaemonHome {
        var surroundings = try await world.planner(settings: [
            .smtpURL: "smtp://demo.invalid", .mailFrom: "kim@example.org",
            .ownerAddress: "kim@example.org", .baseURL: "http://localhost:8420",
        ]).surroundings
        (surroundings.clock, surroundings.waitClock) = (clock, clock)
        return try await DaemonHome(
            surroundings, logger: .silent, gauge: clock, sinks: { _ in [mail] })
    }
}
