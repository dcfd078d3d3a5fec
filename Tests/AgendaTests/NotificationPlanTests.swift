import Agenda
import Ledger
import Testing
import Timekeeping

@Suite struct NotificationPlanTests {
    private let reminders = ["anna reminder P1D", "anna reminder PT1H"]

    /// A planned meeting with only Anna beside the organizer, who gets no reminders.
    private func withAnna() throws -> Gathering {
        var gathering = try Gathering()
        gathering.participants.removeLast()
        gathering.policies[Gathering.organizer] = []
        gathering.plan()
        return gathering
    }

    @Test func `A new meeting has invitations and reminders for everybody`() throws {
        var gathering = try Gathering()
        gathering.plan()
        #expect(
            gathering.open == [
                "anna invitation 1", "anna reminder P1D", "anna reminder PT1H",
                "ben invitation 1", "ben reminder P1D", "ben reminder PT1H",
                "organizer reminder P1D", "organizer reminder PT1H",
            ])
    }

    @Test func `Due times and deadlines follow the start and the end`() throws {
        var gathering = try withAnna()
        gathering.plan()
        let byWords = Dictionary(gathering.rows.map { ($0.words, $0) }) { first, _ in first }
        let start = gathering.meeting.time.startsAt
        #expect(byWords["anna invitation 1"]?.due == gathering.now)
        #expect(byWords["anna invitation 1"]?.deadline == gathering.meeting.time.endsAt)
        #expect(byWords["anna reminder P1D"]?.due == start.advanced(bySeconds: -86_400))
        #expect(byWords["anna reminder PT1H"]?.due == start.advanced(bySeconds: -3600))
        #expect(byWords["anna reminder PT1H"]?.deadline == start)
    }

    @Test func `An unsent invitation is replaced when the meeting changes`() throws {
        var gathering = try withAnna()
        try gathering.move(to: "2026-12-06T12:00")
        gathering.plan()
        #expect(gathering.open == ["anna invitation 2"] + reminders)
    }

    @Test func `A person who knows an earlier revision gets a change`() throws {
        var gathering = try withAnna()
        gathering.finish(.accepted, kinds: [.invitation])
        try gathering.move(to: "2026-12-06T12:00")
        gathering.plan()
        #expect(gathering.open == ["anna change 2"] + reminders)
        try gathering.move(to: "2026-12-07T12:00")
        gathering.plan()
        #expect(gathering.open == ["anna change 3"] + reminders)
    }

    @Test func `A person who was invited gets a cancellation`() throws {
        var gathering = try withAnna()
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.meeting.status = .cancelled
        gathering.meeting.revision += 1
        gathering.plan()
        #expect(gathering.open == ["anna cancellation 2"])
    }

    @Test func `A person who was never notified gets no cancellation`() throws {
        var gathering = try withAnna()
        gathering.meeting.status = .cancelled
        gathering.plan()
        #expect(gathering.open.isEmpty)
    }

    @Test func `A person who is invited again gets a new invitation`() throws {
        var gathering = try withAnna()
        for round in ["1", "1/1", "1/2"] {
            #expect(gathering.open == ["anna invitation \(round)"] + reminders)
            gathering.finish(.accepted, kinds: [.invitation])
            gathering.participants[1].isRemoved = true
            gathering.plan()
            #expect(gathering.open == ["anna cancellation \(round)"])
            gathering.finish(.accepted)
            gathering.plan()
            #expect(gathering.open.isEmpty)
            gathering.participants[1] = Participant(person: Gathering.anna)
            gathering.plan()
        }
    }

    @Test func `A person invited again before the cancellation went out gets no news`() throws {
        var gathering = try withAnna()
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.participants[1].isRemoved = true
        gathering.plan()
        gathering.participants[1].isRemoved = false
        gathering.plan()
        #expect(gathering.open == reminders)
    }

    @Test(arguments: Answer.allCases)
    func `People who go, may go or have not answered are reminded`(_ answer: Answer) throws {
        var gathering = try withAnna()
        gathering.participants[1].answer = answer
        gathering.plan()
        let isReminded = [.going, .maybe, .invited].contains(answer)
        #expect(gathering.open == ["anna invitation 1"] + (isReminded ? reminders : []))
    }

    @Test func `A person's own policy replaces the meeting's reminders`() throws {
        var gathering = try withAnna()
        gathering.policies[Gathering.anna] = [TimeSpan(days: 0, seconds: 1800)]
        gathering.plan()
        #expect(gathering.open == ["anna invitation 1", "anna reminder PT30M"])
        gathering.policies[Gathering.anna] = []
        gathering.plan()
        #expect(gathering.open == ["anna invitation 1"])
    }

    @Test func `A day before uses the wall clock, 24 hours before are exact`() throws {
        // The clocks go forward at 03:00 on Sunday, 28 March 2027.
        var gathering = try withAnna()
        gathering.meeting.reminders = [
            TimeSpan(days: 1, seconds: 0), TimeSpan(days: 0, seconds: 86_400),
        ]
        try gathering.move(to: "2027-03-28T12:00")
        gathering.plan()
        let due = gathering.rows.filter { $0.key.notification.kind == .reminder && $0.state.isOpen }
            .map { gathering.zone.wallTime(at: $0.due).description }
        #expect(due.sorted() == ["2027-03-27T11:00:00", "2027-03-27T12:00:00"])
    }

    @Test func `A reminder whose time has passed is not planned`() throws {
        var gathering = try withAnna()
        try gathering.move(to: "2026-12-01T12:30")
        gathering.plan()
        #expect(gathering.open == ["anna invitation 2"])
    }

    @Test func `A reminder that is due but not sent yet stays`() throws {
        var gathering = try withAnna()
        gathering.now = gathering.meeting.time.startsAt.advanced(bySeconds: -1800)
        gathering.plan()
        #expect(gathering.open == ["anna invitation 1"] + reminders)
    }

    @Test func `Nothing is planned for a meeting that is over`() throws {
        var gathering = try Gathering()
        gathering.now = gathering.meeting.time.endsAt
        gathering.plan()
        #expect(gathering.open.isEmpty)
    }

    @Test func `A change expires at the later of the old and the new end`() throws {
        var gathering = try withAnna()
        let oldEnd = gathering.meeting.time.endsAt
        gathering.finish(.accepted, kinds: [.invitation])
        try gathering.move(to: "2026-12-02T12:00")
        gathering.plan()
        #expect(gathering.rows.first { $0.words == "anna change 2" }?.deadline == oldEnd)
    }

    /// The meeting is moved earlier, and nobody is told before it is cancelled.
    @Test(arguments: [true, false])
    func `A cancellation expires at the end that people know, even if it is past the new end`(
        isForAll: Bool
    ) throws {
        var gathering = try withAnna()
        let knownEnd = gathering.meeting.time.endsAt
        gathering.finish(.accepted, kinds: [.invitation])
        try gathering.move(to: "2026-12-02T12:00")
        gathering.plan()
        gathering.now = gathering.meeting.time.endsAt.advanced(bySeconds: 3600)
        if isForAll {
            gathering.meeting.status = .cancelled
            gathering.meeting.revision += 1
        } else {
            gathering.participants[1].isRemoved = true
        }
        gathering.plan()
        let cancellations = gathering.rows.filter {
            $0.key.notification.kind == .cancellation && $0.state.isOpen
        }
        #expect(cancellations.map(\.deadline) == [knownEnd])
        #expect(gathering.open.count == 1)
    }

    @Test func `A cancellation of a meeting that was moved later expires at the new end`() throws {
        var gathering = try withAnna()
        gathering.finish(.accepted, kinds: [.invitation])
        try gathering.move(to: "2026-12-09T12:00")
        gathering.plan()
        gathering.meeting.status = .cancelled
        gathering.meeting.revision += 1
        gathering.plan()
        let row = gathering.rows.first { $0.words == "anna cancellation 3" }
        #expect(row?.deadline == gathering.meeting.time.endsAt)
        gathering.now = gathering.meeting.time.endsAt
        let late = gathering.difference(from: gathering.rows.filter { $0.state == .accepted })
        #expect(late.added == [])
    }

    @Test func `The organizer gets only reminders`() throws {
        var gathering = try Gathering()
        gathering.plan()
        gathering.finish(.accepted, kinds: [.invitation])
        try gathering.move(to: "2026-12-06T12:00")
        gathering.plan()
        let organizer = gathering.open.filter { $0.hasPrefix("organizer") }
        #expect(organizer == ["organizer reminder P1D", "organizer reminder PT1H"])
    }
}
