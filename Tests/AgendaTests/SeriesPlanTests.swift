import Agenda
import Ledger
import Testing
import Timekeeping

@Suite struct SeriesPlanTests {
    /// Lunch on five Saturdays from 5 December. Anna is invited, and reminders are planned up to
    /// the 24th.
    private func weekly() throws -> Gathering {
        var gathering = try Gathering()
        gathering.participants.removeLast()
        gathering.policies[Gathering.organizer] = []
        gathering.meeting.reminders = [TimeSpan(days: 1, seconds: 0)]
        try gathering.repeatWeekly(count: 5, plannedUntil: "2026-12-24T00:00:00+02:00")
        gathering.plan()
        return gathering
    }

    private func told() throws -> Gathering {
        var gathering = try weekly()
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.plan()
        return gathering
    }

    private let reminders = [
        "anna reminder P1D of 20261205", "anna reminder P1D of 20261212",
        "anna reminder P1D of 20261219",
    ]

    @Test func `A series has one invitation, and reminders up to the horizon`() throws {
        let gathering = try weekly()
        #expect(gathering.open == ["anna invitation 1"] + reminders)
        let invitation = gathering.rows.first { $0.key.notification.kind == .invitation }
        #expect(invitation?.key.notification.occurrence == "")
        #expect(invitation?.deadline == gathering.meeting.endsAt)
    }

    @Test func `Later dates are planned once, and missed reminders are kept`() throws {
        var gathering = try told()
        let before = gathering.meeting.series?.plannedUntil
        // Planning paused for two weeks: the reminder of 26 December was due at noon on the 25th.
        gathering.now = try Moment.parse("2026-12-25T18:00:00+02:00")
        gathering.plannedBefore = before
        gathering.meeting.series?.plannedUntil = try Moment.parse("2027-01-30T00:00:00+02:00")
        let added = gathering.plan().added.map(\.words)
        #expect(
            added == ["anna reminder P1D of 20261226", "anna reminder P1D of 20270102"])
        gathering.plannedBefore = nil
        #expect(gathering.plan().isEmpty)
    }

    @Test func `Reminders keep their local time across a clock change`() throws {
        var gathering = try weekly()
        gathering.meeting.time = MeetingTime(
            start: try WallTime.parse("2027-03-20T12:00"), zone: gathering.zone,
            duration: Meeting.durationDefault)
        gathering.meeting.series?.plannedUntil = try Moment.parse("2027-04-30T00:00:00Z")
        gathering.plan()
        let dues = gathering.rows.filter {
            $0.state.isOpen && $0.key.notification.kind == .reminder
        }
        .map { $0.due.rfc3339(offsetSeconds: 0) }
        #expect(
            dues == [
                "2027-03-19T10:00:00+00:00", "2027-03-26T10:00:00+00:00",
                "2027-04-02T09:00:00+00:00",
                "2027-04-09T09:00:00+00:00", "2027-04-16T09:00:00+00:00",
            ])
    }

    @Test func `A moved date is announced and gets a new reminder`() throws {
        var gathering = try told()
        try gathering.moveDate("20261212T120000", to: "2026-12-13T18:00")
        gathering.plan()
        #expect(
            gathering.open == ["anna change 2 of 20261212"] + reminders)
        let due = gathering.rows.first {
            $0.state == .planned && $0.words == "anna reminder P1D of 20261212"
        }?.due
        #expect(due == (try Moment.parse("2026-12-12T18:00:00+02:00")))
        gathering.finish(.accepted, kinds: [.change])
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A change of one date is part of an unsent invitation`() throws {
        var gathering = try weekly()
        try gathering.moveDate("20261212T120000", to: "2026-12-13T18:00")
        gathering.plan()
        #expect(gathering.open == ["anna invitation 2"] + reminders)
    }

    @Test func `A change of the series covers its dates`() throws {
        var gathering = try told()
        try gathering.moveDate("20261212T120000", to: "2026-12-13T18:00")
        gathering.plan()
        gathering.changeAll()
        gathering.plan()
        #expect(gathering.open == ["anna change 3"] + reminders)
        gathering.finish(.accepted, kinds: [.change])
        gathering.plan()
        #expect(gathering.open == reminders)
    }

    @Test func `A cancelled date is announced and has no reminder`() throws {
        var gathering = try told()
        gathering.change("20261212T120000") { $0.status = .cancelled }
        gathering.plan()
        #expect(
            gathering.open == [
                "anna cancellation 2 of 20261212", "anna reminder P1D of 20261205",
                "anna reminder P1D of 20261219",
            ])
        gathering.finish(.accepted, kinds: [.cancellation])
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A cancelled series has a single cancellation`() throws {
        var gathering = try told()
        try gathering.moveDate("20261212T120000", to: "2026-12-13T18:00")
        gathering.plan()
        gathering.finish(.accepted, kinds: [.change])
        gathering.meeting.status = .cancelled
        gathering.changeAll()
        gathering.plan()
        #expect(gathering.open == ["anna cancellation 3"])
    }

    @Test func `A person invited to one date is notified of that date only`() throws {
        var gathering = try told()
        gathering.dateParticipants["20261212T120000"] = [Participant(person: Gathering.ben)]
        gathering.plan()
        #expect(
            gathering.open
                == (reminders + [
                    "ben invitation 1 of 20261212", "ben reminder P1D of 20261212",
                ]))
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.meeting.status = .cancelled
        gathering.changeAll()
        gathering.plan()
        #expect(
            gathering.open == ["anna cancellation 2", "ben cancellation 2 of 20261212"])
    }

    @Test func `A person who declines one date gets no reminder of it`() throws {
        var gathering = try told()
        gathering.dateParticipants["20261212T120000"] = [
            Participant(person: Gathering.anna, answer: .declined)
        ]
        gathering.plan()
        #expect(gathering.open == [reminders[0], reminders[2]])
    }

    @Test func `A person removed from one date still gets the other reminders`() throws {
        var gathering = try told()
        gathering.dateParticipants["20261212T120000"] = [
            Participant(person: Gathering.anna, isRemoved: true)
        ]
        gathering.plan()
        #expect(
            gathering.open == ["anna cancellation 1 of 20261212", reminders[0], reminders[2]])
    }

    @Test func `A rule that ends earlier supersedes the remaining reminders`() throws {
        var gathering = try told()
        gathering.meeting.series?.rule = try RecurrenceRule("FREQ=WEEKLY;COUNT=2")
        gathering.changeAll()
        gathering.plan()
        #expect(gathering.open == ["anna change 2"] + reminders.prefix(2))
    }
}

extension Gathering {
    /// Makes the meeting repeat every week.
    mutating func repeatWeekly(count: Int, plannedUntil: String) throws {
        let last = meeting.time.start.adding(days: 7 * (count - 1))
        meeting.series = Series(
            rule: try RecurrenceRule("FREQ=WEEKLY;COUNT=\(count)"),
            endsAt: meeting.time.duration.after(last, in: zone),
            plannedUntil: try Moment.parse(plannedUntil))
    }

    /// Announces a change of the whole series or of a meeting that does not repeat.
    mutating func changeAll() {
        meeting.revision += 1
        meeting.sequence += 1
        meeting.series?.revision = meeting.revision
        meeting.series?.sequence = meeting.sequence
        meeting.series?.datesRevision = meeting.revision
    }

    /// Changes one date and announces it.
    mutating func change(_ date: String, _ body: (inout DateChange) throws -> Void) rethrows {
        meeting.revision += 1
        meeting.sequence += 1
        var change = meeting.series?.changes[date] ?? DateChange(revision: 0, sequence: 0)
        try body(&change)
        change.revision = meeting.revision
        change.sequence = meeting.sequence
        meeting.series?.changes[date] = change
    }

    mutating func moveDate(_ date: String, to wall: String) throws {
        let time = MeetingTime(
            start: try WallTime.parse(wall), zone: zone, duration: meeting.time.duration)
        change(date) { $0.time = time }
    }
}
