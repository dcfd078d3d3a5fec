import Agenda
import Ledger
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

@testable import Notifications
@testable import Storage

/// Deliveries follow the current clock, whatever an earlier clock showed.
@Suite(.timeLimit(.minutes(5))) struct ClockStepTests {
    @Test func `After the clock was set back nothing is early, and nothing waits for the old time`()
        async throws
    {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let reminder = try #require(
                try await store.dueDeliveries(
                    after: lunch.world.clock.now, through: Moment(milliseconds: .max), limit: 1
                ).first)
            let late = reminder.due.advanced(bySeconds: 1800)
            let early = reminder.due.advanced(bySeconds: -1800)
            var horizon = try await Horizon.read(store, now: late)
            // Nothing is sent meanwhile: deliveries taken from the list still wait in the store.
            let first = horizon.list.takeDue(now: late)
            #expect(first.contains(reminder.id))

            try await horizon.refresh(store, now: early)
            let again = horizon.list.takeDue(now: early)
            #expect(!again.isEmpty && !again.contains(reminder.id))
            let next = horizon.list.nextDue()
            #expect(next.map { $0 <= reminder.due } == true)
            let before = horizon.list.takeDue(now: reminder.due.advanced(byMilliseconds: -1))
            #expect(before.isEmpty)
            let due = horizon.list.takeDue(now: reminder.due)
            #expect(due.contains(reminder.id))
        }
    }

    @Test func `A delivery that is not due is not begun`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            let all = try await lunch.planner.store.dueDeliveries(
                through: Moment(milliseconds: .max), limit: 100)
            #expect(all.count == 8)
            let tally = try await engine.deliver(all.map(\.id))
            #expect(tally == DeliveryTally(accepted: 2))
            #expect(try await lunch.states() == ["accepted": 2, "planned": 6])
        }
    }

    /// Runs an engine while `body` runs, on a machine whose clocks the test sets.
    private func running(
        _ lunch: Lunch, _ sink: ScriptedSink = ScriptedSink(), _ book: LogBook = LogBook(),
        body: (ManualGauge) async throws -> Void
    ) async throws {
        let gauge = ManualGauge(lunch.world.clock)
        let engine = try lunch.world.engine(
            lunch.planner, sinks: [sink], logger: book.logger, gauge: gauge)
        let watch = try StoreWatch(path: lunch.planner.store.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await engine.run(watch: watch) }
            await sink.waits(for: 2)
            await lunch.world.clock.untilSomebodySleeps(withinSeconds: 60)
            try await body(gauge)
            group.cancelAll()
        }
    }

    @Test func `A sleeping engine wakes when the clock is set, and logs by how much`()
        async throws
    {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let book = LogBook()
            try await running(lunch, sink, book) { gauge in
                await book.waits(for: "caught up: 2 sent late, 0 expired", 1)
                // A sleeper waiting for a later time is not woken by a clock that goes back.
                gauge.set(bySeconds: -5 * 3600)
                await book.waits(for: "the clock was set back", 1)
                gauge.set(bySeconds: 7200)
                await book.waits(for: "the clock was set forward", 1)
                gauge.sleep(seconds: 600)
                await book.waits(for: "the machine slept", 1)
                await lunch.world.clock.untilSomebodySleeps(withinSeconds: 60)
            }
            let seconds = book.lines.compactMap { $0.metadata["seconds"] }
            #expect(seconds == ["18000.000", "7200.000", "600.000"])
            #expect(sink.messages.count == 2)
        }
    }

    @Test
    func `After a jump ahead the latest reminders are sent, and none twice after a jump back`()
        async throws
    {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let book = LogBook()
            let clock = lunch.world.clock
            try await running(lunch, sink, book) { gauge in
                await book.waits(for: "caught up: 2 sent late, 0 expired", 1)
                let start = clock.now
                // 09:10 on the day: both reminders are passed over.
                gauge.set(bySeconds: 3 * 86_400 + 21 * 3600 + 600)
                await book.waits(for: "caught up: 3 sent late, 3 expired", 1)
                #expect(book.lines("the clock was corrected").count == 1)
                gauge.set(bySeconds: start.milliseconds(since: clock.now) / 1000)
                await book.waits(for: "planned again", 1)
                #expect(book.lines("planned again").first?.metadata == ["count": "3"])
                // The day before comes again, so the expired reminders are sent; the hour before
                // does not.
                clock.set(try Moment.parse("2026-12-04T10:00:00Z"))
                await sink.waits(for: 8)
                clock.set(try Moment.parse("2026-12-05T09:00:00Z"))
                await clock.untilSomebodySleeps(withinSeconds: 60)
            }
            let reminders = sink.messages.filter { $0.kind == .reminder }
            #expect(reminders.count == 6)
            #expect(Set(reminders.map(\.identity)).count == 6)
            #expect(try await lunch.states() == ["accepted": 8])
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `Deliveries that expired while the clock was ahead are planned again in batches`()
        async throws
    {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let engine = try lunch.world.engine(lunch.planner, sinks: [ScriptedSink()])
            let start = lunch.world.clock.now
            lunch.world.clock.advance(bySeconds: 30 * 86_400)
            let tally = try await engine.runOnce()
            #expect(tally == DeliveryTally(expired: 8))
            #expect(try await lunch.states() == ["expired": 8])
            lunch.world.clock.set(start)
            var counts: [Int] = []
            while counts.last != 0 {
                counts.append(
                    try await store.reopenClosedAhead(limit: 3, now: start) { $0.unrevised }
                        .count)
            }
            #expect(counts == [3, 3, 2, 0])
            #expect(try await lunch.states() == ["planned": 8])
        }
    }

    @Test func `Deliveries planned while the clock was ahead are sent by the current clock`()
        async throws
    {
        try await withLunch { lunch in
            lunch.world.clock.advance(bySeconds: -86_400)
            let book = LogBook()
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(
                lunch.planner, sinks: [sink], logger: book.logger)
            // A round at a time chosen by the user changes nothing.
            _ = try await engine.runOnce()
            #expect(sink.messages.isEmpty)
            try await engine.heedEarlierClock()
            _ = try await engine.runOnce()
            #expect(sink.messages.map(\.kind) == [.invitation, .invitation])
            #expect(
                book.lines("the ledger has entries").map(\.metadata) == [["seconds": "86400.000"]])
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            try await engine.heedEarlierClock()
            _ = try await engine.runOnce()
            #expect(book.lines("the ledger has entries").count == 1)
            #expect(sink.messages.count == 2)
        }
    }

    /// By the clock that was ahead, the lunch was over, or the new reminder was too late.
    @Test(arguments: ["2026-12-05T12:00:00Z", "2026-12-05T09:55:00Z"])
    func `Reminders that were chosen while the clock was ahead are planned when it is set back`(
        _ ahead: String
    ) async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            for time in ["2026-12-04T10:00:00Z", "2026-12-05T09:00:00Z"] {
                lunch.world.clock.set(try Moment.parse(time))
                _ = try await engine.runOnce()
            }
            #expect(try await lunch.states() == ["accepted": 8])
            lunch.world.clock.set(try Moment.parse(ahead))
            let spans = [TimeSpan(days: 0, seconds: 600)]
            _ = try await lunch.planner.setReminders(spans, of: "Anna")
            #expect(try await lunch.states() == ["accepted": 8])
            lunch.world.clock.set(try Moment.parse("2026-12-05T09:10:00Z"))
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            for _ in 1...2 {
                try await engine.heedEarlierClock()
                #expect(try await lunch.states() == ["accepted": 8, "planned": 1])
                #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            }
            lunch.world.clock.set(try Moment.parse("2026-12-05T09:50:00Z"))
            _ = try await engine.runOnce()
            #expect(sink.messages.count == 9)
            #expect(sink.messages.last?.kind == .reminder)
            #expect(sink.messages.last?.name == "Anna Aalto")
        }
    }

    @Test(arguments: [(3 * 3600, 600), (1200, 3600)])
    func `Retries scheduled while the clock was ahead are rescheduled once at the start`(
        _ ahead: Int64, _ delay: Int
    ) async throws {
        try await withLunch { lunch in
            let clock = lunch.world.clock
            let start = clock.now
            let schedule = RetrySchedule(delaysSeconds: [delay], resendSeconds: 1)
            let failing = ScriptedSink(schedule: schedule) { _, _ in AttemptReport(.retry) }
            clock.advance(bySeconds: ahead)
            _ = try await lunch.world.engine(lunch.planner, sinks: [failing]).runOnce()
            clock.set(start.advanced(bySeconds: 60))
            var dues: [Moment?] = []
            for _ in 1...2 {
                try await lunch.world.engine(lunch.planner, sinks: []).heedEarlierClock()
                let waiting = try await lunch.planner.store.waitingRetries(now: clock.now)
                #expect(waiting.count == 2)
                dues.append(waiting.next)
            }
            let next = try #require(dues[0])
            // Between half the delay and twice it, because of the jitter.
            let seconds = Int(next.milliseconds(since: clock.now) / 1000)
            #expect((delay / 2...2 * delay).contains(seconds))
            #expect(dues[1] == next)
            #expect(try await lunch.planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A retry does not wait for the time of a clock that was ahead`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink(
                schedule: RetrySchedule(delaysSeconds: [600], resendSeconds: 1)
            ) { _, number in
                AttemptReport(number <= 2 ? .retry : .accepted, reply: "later")
            }
            let clock = lunch.world.clock
            try await running(lunch, sink) { gauge in
                while try await lunch.planner.store.waitingRetries(now: clock.now).count < 2 {
                    await Task.yield()
                }
                gauge.set(bySeconds: -30 * 86_400)
                let latest = clock.now.advanced(bySeconds: 720)
                while try await lunch.planner.store.waitingRetries(now: clock.now).next
                    .map({ $0 > latest }) == true
                {
                    await Task.yield()
                }
                #expect(try await lunch.states()["planned"] == 8)
                while sink.messages.count < 4, clock.now < latest {
                    await clock.untilSomebodySleeps()
                    clock.advance(bySeconds: 60)
                }
                while sink.messages.count < 4 { await Task.yield() }
            }
            #expect(sink.messages.allSatisfy { $0.kind == .invitation })
        }
    }
}

extension LogBook {
    /// Waits until this many log lines have the prefix.
    fileprivate func waits(for beginning: String, _ count: Int) async {
        while lines(beginning).count < count, !Task.isCancelled { await Task.yield() }
    }
}

extension ScriptedSink {
    /// Waits until the sink got this many messages.
    fileprivate func waits(for count: Int) async {
        while messages.count < count, !Task.isCancelled { await Task.yield() }
    }
}
