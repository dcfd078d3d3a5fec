import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Notifications

/// What is given another time is sent at that time, and not when the daemon looks unasked.
@Suite(.timeLimit(.minutes(5))) struct PunctualityTests {
    @Test func `What was not taken is tried again at its time`() async throws {
        try await withLunch { lunch in
            let clock = lunch.world.clock
            let sink = ScriptedSink { _, number in
                AttemptReport(number <= 2 ? .retry : .accepted, reply: "later")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            let watch = try StoreWatch(path: lunch.planner.store.path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await engine.run(watch: watch) }
                var waiting = try await lunch.planner.store.waitingRetries(now: clock.now)
                while waiting.count < 2 {
                    await Task.yield()
                    waiting = try await lunch.planner.store.waitingRetries(now: clock.now)
                }
                let next = try #require(waiting.next)
                while sink.parcels.count == 2 {
                    await clock.untilSomebodySleeps()
                    // The loop may not have heard yet that there is something before its look.
                    let first = clock.deadlines.first.map { $0 <= next ? $0 : clock.now }
                    clock.set(first ?? clock.now)
                    await Task.yield()
                }
                #expect(clock.now <= next)
                group.cancelAll()
            }
        }
    }

    @Test func `A list is read again when somebody wrote, and each minute`() async throws {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let now = lunch.world.clock.now
            var horizon = try await Horizon.read(store, now: now)
            let minute = horizon.rereadAt
            #expect(minute == now.advanced(bySeconds: 60))
            horizon.list.add((1...5000).map { DueDelivery(id: 100 + $0, due: minute) })
            horizon.hear()
            let soon = horizon.rereadAt
            #expect(soon == now.advanced(byMilliseconds: 50))
            try await horizon.refresh(store, now: soon.advanced(byMilliseconds: -1))
            let waiting = horizon.rereadAt
            #expect(waiting == soon)
            try await horizon.refresh(store, now: soon)
            let next = horizon.rereadAt
            #expect(next == soon.advanced(bySeconds: 60))
        }
    }
}
