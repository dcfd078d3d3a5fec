import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Notifications

/// A rescheduled delivery is sent at its new time, not only at the next sweep of the daemon.
@Suite(.timeLimit(.minutes(5))) struct PunctualityTests {
    @Test func `A failed delivery is retried at its due time`() async throws {
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
                while sink.messages.count == 2 {
                    await clock.untilSomebodySleeps()
                    // The loop may not know yet that something is due before its next check.
                    let first = clock.deadlines.first.map { $0 <= next ? $0 : clock.now }
                    clock.set(first ?? clock.now)
                    await Task.yield()
                }
                #expect(clock.now <= next)
                group.cancelAll()
            }
        }
    }

    @Test func `A new due time is noticed after a notice of changes, and each minute without one`()
        async throws
    {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let now = lunch.world.clock.now
            for somebodyTells in [true, false] {
                try await setQuietHours(["13:00-20:00"], lunch.planner)
                var horizon = try await Horizon.read(store, now: now)
                #expect(horizon.list.count == 1)
                try await setQuietHours([], lunch.planner)
                let look = horizon.lookAt
                #expect(look == now.advanced(bySeconds: 60))
                if somebodyTells { horizon.hear() }
                try await horizon.refresh(store, now: look.advanced(byMilliseconds: -1))
                #expect(horizon.list.count == (somebodyTells ? 2 : 1))
                try await horizon.refresh(store, now: look)
                #expect(horizon.list.count == 2)
            }
        }
    }

    @Test func `A change that is not visible yet is looked for again, at growing intervals`()
        async throws
    {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let now = lunch.world.clock.now
            try await setQuietHours(["13:00-20:00"], lunch.planner)
            var horizon = try await Horizon.read(store, now: now)
            horizon.hear()
            try await horizon.refresh(store, now: now)
            #expect(horizon.list.count == 1)
            try await setQuietHours([], lunch.planner)
            var look = horizon.lookAt
            #expect(look == now.advanced(byMilliseconds: 10))
            try await horizon.refresh(store, now: look)
            #expect(horizon.list.count == 2)
            var waits: [Int64] = []
            for _ in 0..<14 {
                waits.append(horizon.lookAt.milliseconds(since: look))
                look = horizon.lookAt
                try await horizon.refresh(store, now: look)
            }
            #expect(waits.prefix(3) == [20, 40, 80])
            #expect(waits.suffix(2) == [60_000, 60_000])
        }
    }

    @Test func `A list is rebuilt each hour, and when the clock was set back`() async throws {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let now = lunch.world.clock.now
            for later in [3600, -1] as [Int64] {
                var horizon = try await Horizon.read(store, now: now)
                horizon.list.add([DueDelivery(id: 100, due: now.advanced(bySeconds: 7200))])
                _ = horizon.list.takeDue(now: now.advanced(byMilliseconds: -1))
                try await horizon.refresh(store, now: now.advanced(bySeconds: later))
                #expect(horizon.list.count == 2)
            }
        }
    }

    @Test func `The list is extended as time passes`() async throws {
        try await withLunch { lunch in
            let store = lunch.planner.store
            _ = try await lunch.world.deliver()
            let reminded = try #require(try await store.nextDue())
            var horizon = try await Horizon.read(store, now: reminded.advanced(bySeconds: -3900))
            #expect(horizon.list.count == 0)
            try await horizon.refresh(store, now: reminded.advanced(bySeconds: -3599))
            #expect(horizon.list.count == 3)
        }
    }

    @Test func `The earlier of two new due times is kept until the store is checked`()
        async throws
    {
        let now = Moment(seconds: 1_000_000)
        let later = now.advanced(bySeconds: 1)
        var list = DueList(now: now)
        list.add([DueDelivery(id: 1, due: now)])
        list.take(back: [DueDelivery(id: 1, due: later), DueDelivery(id: 2, due: later)])
        let (first, second) = (list.takeDue(now: now), list.takeDue(now: later))
        #expect(first == [1])
        #expect(second == [2])
    }

    @Test func `A delivery postponed meanwhile is not begun too early`() async throws {
        try await withLunch { lunch in
            let due = try await lunch.due()
            try await setQuietHours(["13:00-20:00"], lunch.planner)
            let begun = try await lunch.begin(due.map(\.id))
            #expect(begun.deliveries.count == 1)
            #expect(begun.deferred.map(\.due) == [try Moment.parse("2026-12-01T18:00:00Z")])
        }
    }

    private func setQuietHours(_ spans: [String], _ planner: Planner) async throws {
        var edit = PolicyEdit()
        edit.quietHours = try spans.map { try WeekSpan.parse($0) }
        _ = try await planner.setPolicy(edit, of: "Anna", saving: true)
    }
}
