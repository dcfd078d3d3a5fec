import Agenda
import Ledger
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

@testable import Notifications
@testable import Storage

/// What is due is said by the clock of now, whatever an earlier one said.
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
            // Nothing is sent meanwhile: what was taken out waits on in the store.
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

    @Test func `What is not due is not begun`() async throws {
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

    /// Lets an engine run on a machine whose clocks the test sets, until `body` is done.
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

    @Test func `An engine that rests is woken when the clock is set, and tells by how much`()
        async throws
    {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let book = LogBook()
            try await running(lunch, sink, book) { gauge in
                await book.waits(for: "caught up: 2 sent late, 0 expired", 1)
                // Whoever rests until a minute from now is not woken by a clock that goes back.
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
    func `A clock that jumps ahead sends the latest of each, and set back it repeats nothing`()
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
                // The day before comes a second time, and what was closed goes; the hour does not.
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

    @Test func `What a clock that was ahead closed is planned again a few at a time`() async throws
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

    @Test func `What was planned by a clock that was ahead goes by the one of now`() async throws {
        try await withLunch { lunch in
            lunch.world.clock.advance(bySeconds: -86_400)
            let book = LogBook()
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(
                lunch.planner, sinks: [sink], logger: book.logger)
            // A round by a time that somebody names leaves all as it is.
            _ = try await engine.runOnce()
            #expect(sink.messages.isEmpty)
            try await engine.heedEarlierClock()
            _ = try await engine.runOnce()
            #expect(sink.messages.map(\.kind) == [.invitation, .invitation])
            #expect(
                book.lines("the clock was ahead").map(\.metadata) == [["seconds": "86400.000"]])
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            try await engine.heedEarlierClock()
            _ = try await engine.runOnce()
            #expect(book.lines("the clock was ahead").count == 1)
            #expect(sink.messages.count == 2)
        }
    }

    @Test(arguments: [(3 * 3600, 600), (1200, 3600)])
    func `A start tries again by its clock what one that was ahead had tried, and once`(
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
            // Between the delay and twice it, by the jitter.
            let seconds = Int(next.milliseconds(since: clock.now) / 1000)
            #expect((delay / 2...2 * delay).contains(seconds))
            #expect(dues[1] == next)
            #expect(try await lunch.planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `What waits for another try does not wait for the time of a clock that was ahead`()
        async throws
    {
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
    /// Returns when so many lines begin so.
    fileprivate func waits(for beginning: String, _ count: Int) async {
        while lines(beginning).count < count, !Task.isCancelled { await Task.yield() }
    }
}

extension ScriptedSink {
    /// Returns when it was given so many.
    fileprivate func waits(for count: Int) async {
        while messages.count < count, !Task.isCancelled { await Task.yield() }
    }
}
