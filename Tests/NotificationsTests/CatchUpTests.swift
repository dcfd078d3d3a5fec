import Agenda
import Ledger
import Planning
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Notifications

/// Deliveries that fell due while nothing could be sent: useful ones are sent once, and the others
/// expire with a reason.
@Suite(.timeLimit(.minutes(5))) struct CatchUpTests {
    /// The number of reminders that each person gets if nothing is delivered before `now`, and the
    /// number of deliveries that expire.
    struct Case: Sendable {
        let now: String
        let reminders: Int
        let expired: Int
        var invitations = 2
    }

    @Test(arguments: [
        Case(now: "2026-12-04T09:59:59Z", reminders: 0, expired: 0),
        Case(now: "2026-12-04T10:00:00Z", reminders: 1, expired: 0),
        Case(now: "2026-12-05T08:59:59Z", reminders: 1, expired: 0),
        Case(now: "2026-12-05T09:00:00Z", reminders: 1, expired: 3),
        Case(now: "2026-12-05T09:59:59Z", reminders: 1, expired: 3),
        Case(now: "2026-12-05T10:00:00Z", reminders: 0, expired: 6),
        Case(now: "2026-12-05T11:00:00Z", reminders: 0, expired: 8, invitations: 0),
        Case(now: "2027-12-05T11:00:00Z", reminders: 0, expired: 8, invitations: 0),
    ])
    func `After a downtime each person gets only the latest useful reminder`(
        _ of: Case
    ) async throws {
        try await withLunch { lunch in
            lunch.world.clock.set(try Moment.parse(of.now))
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await engine.runOnce()
            for name in ["Anna Aalto", "Ben Berg", "Olga Owner"] {
                let kinds = sink.messages.filter { $0.name == name }.map(\.kind)
                #expect(kinds.count { $0 == .reminder } == of.reminders, "\(name)")
            }
            #expect(sink.messages.count { $0.kind == .invitation } == of.invitations)
            #expect(try await lunch.states()["expired"] ?? 0 == of.expired)
            let planned = 8 - of.invitations - 3 * of.reminders - of.expired
            #expect(try await lunch.states()["planned"] ?? 0 == planned)
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
            // Nothing is sent again.
            _ = try await engine.runOnce()
            #expect(sink.messages.count == of.invitations + 3 * of.reminders)
        }
    }

    /// The guests know that the lunch ends at 11:00 UTC on 5 December. It is moved to two days
    /// earlier and cancelled before anybody hears of that.
    @Test(arguments: [
        ("2026-12-03T11:00:00Z", 2), ("2026-12-05T10:59:59Z", 2), ("2026-12-05T11:00:00Z", 0),
    ])
    func `A cancellation is sent until the end of the meeting that its guests know`(
        _ time: String, _ count: Int
    ) async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await engine.runOnce()
            #expect(sink.messages.map(\.kind) == [.invitation, .invitation])
            var edit = MeetingEdit()
            edit.start = "2026-12-03T12:00"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            _ = try await lunch.planner.cancelMeeting("Lunch", saving: true)
            lunch.world.clock.set(try Moment.parse(time))
            _ = try await engine.runOnce()
            let kinds = sink.messages.dropFirst(2).map(\.kind)
            #expect(kinds == Array(repeating: NotificationKind.cancellation, count: count))
            #expect(try await lunch.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `An expired reminder names the later reminder that replaced it`() async throws {
        try await withLunch { lunch in
            lunch.world.clock.set(try Moment.parse("2026-12-05T09:10:00Z"))
            _ = try await lunch.world.engine(lunch.planner, sinks: [ScriptedSink()]).runOnce()
            let stories = try await lunch.planner.deliveries(of: "Lunch", to: "Anna").rows
            let late = try #require(stories.first { $0.delivery.state == .expired })
            let sent = try #require(
                stories.first { $0.delivery.kind == .reminder && $0.delivery.state == .accepted })
            #expect(late.which == "1 day before")
            #expect(sent.which == "1 hour before")
            let reason =
                "its time passed before it could be sent: a later reminder "
                + "(\(sent.delivery.key.prefix(8))) goes out in its place"
            #expect(late.delivery.reason == reason)
            #expect(late.events.last?.what == "expired: \(reason)")
        }
    }

    @Test func `A postponed reminder is not sent after a later one`() async throws {
        try await withLunch { lunch in
            lunch.world.clock.set(try Moment.parse("2026-12-04T10:00:00Z"))
            let failing = ScriptedSink(
                schedule: RetrySchedule(delaysSeconds: [90_000], resendSeconds: 1)
            ) { _, _ in AttemptReport(.retry, reply: "later") }
            _ = try await lunch.world.engine(lunch.planner, sinks: [failing]).runOnce()
            // The reminder of one hour before is due first now.
            for time in ["2026-12-05T09:00:00Z", "2026-12-05T09:59:00Z"] {
                lunch.world.clock.set(try Moment.parse(time))
                let sink = ScriptedSink()
                _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
                let reminders = sink.messages.filter { $0.kind == .reminder }
                #expect(reminders.count == (time.contains("09:00:00") ? 3 : 0))
            }
        }
    }

    @Test func `A daemon logs once how many late deliveries it sent`() async throws {
        try await withLunch { lunch in
            let clock = lunch.world.clock
            clock.set(try Moment.parse("2026-12-05T09:10:00Z"))
            let book = LogBook()
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(
                lunch.planner, sinks: [sink], logger: book.logger)
            let watch = try StoreWatch(path: lunch.planner.store.path)
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await engine.run(watch: watch) }
                while book.lines("caught up").isEmpty { await Task.yield() }
                for _ in 0..<3 {
                    await clock.untilSomebodySleeps()
                    clock.advance(bySeconds: 60)
                }
                await clock.untilSomebodySleeps()
                group.cancelAll()
            }
            let told = book.lines("caught up")
            #expect(told.map(\.message) == ["caught up: 5 sent late, 3 expired"])
            #expect(told.first?.metadata == ["sent": "5", "expired": "3"])
            #expect(book.lines("expired: ").count == 3)
            #expect(book.lines("expired: ").allSatisfy { $0.metadata["delivery"] != nil })
        }
    }
}

@Suite struct CatchUpCountTests {
    private static func moment(_ seconds: Int64) -> Moment { Moment(seconds: seconds) }

    @Test func `Only deliveries due by the given time count as late`() {
        var count = CatchUpCount()
        let early = count.noteSent(due: Self.moment(1))
        #expect(!early)
        count.begin(through: Self.moment(10))
        let results = [9, 10, 11].map { count.noteSent(due: Self.moment($0)) }
        #expect(results == [true, true, false])
        let expired = count.noteExpired(due: Self.moment(10))
        #expect(expired)
        let result = count.end()
        #expect(result == CatchUpCount.Result(sent: 2, expired: 1))
        let again = count.end()
        #expect(again == nil)
    }

    @Test func `A delivery due after the clock was set back is not late`() {
        var count = CatchUpCount()
        count.begin(through: Self.moment(100))
        count.turnBack(to: Self.moment(50))
        let results = [50, 60].map { count.noteExpired(due: Self.moment($0)) }
        #expect(results == [true, false])
    }
}
