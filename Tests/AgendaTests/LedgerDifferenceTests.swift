import Agenda
import Ledger
import Testing
import Timekeeping

@Suite struct LedgerDifferenceTests {
    /// A planned meeting with only Anna beside the organizer, who gets no reminders.
    private func withAnna(channels: [SinkKind] = [.stdout]) throws -> Gathering {
        var gathering = try Gathering()
        gathering.participants.removeLast()
        gathering.policies[Gathering.organizer] = []
        gathering.channels = channels
        gathering.plan()
        return gathering
    }

    @Test func `Planning again changes nothing`() throws {
        var gathering = try withAnna()
        let difference = gathering.plan()
        #expect(difference.added.isEmpty)
        #expect(difference.superseded.isEmpty)
        #expect(difference.rescheduled.isEmpty)
        #expect(difference.unchanged.count == 3)
    }

    @Test func `A meeting that moves away and back gets its old reminder again`() throws {
        var gathering = try withAnna()
        let before = gathering.rows.filter { $0.key.notification.kind == .reminder }
        try gathering.move(to: "2026-12-06T12:00")
        #expect(Set(gathering.plan().superseded.map(\.name)).isSuperset(of: before.map(\.name)))
        try gathering.move(to: "2026-12-05T12:00")
        gathering.plan()
        for row in before { #expect(gathering[row.name] == row) }
    }

    @Test func `A reminder that was sent is not sent again when the meeting moves back`() throws {
        var gathering = try withAnna()
        gathering.finish(.accepted)
        try gathering.move(to: "2026-12-06T12:00")
        gathering.plan()
        try gathering.move(to: "2026-12-05T12:00")
        gathering.plan()
        #expect(gathering.open == ["anna change 3"])
    }

    @Test func `A notification sent on one channel may still wait on another`() throws {
        var gathering = try withAnna(channels: [.stdout, Gathering.mail])
        gathering.finish(.accepted, kinds: [.invitation], channel: "stdout")
        gathering.plan()
        #expect(gathering.open.contains("anna invitation 1 by mail"))
        gathering.participants[1].isRemoved = true
        gathering.plan()
        gathering.finish(.accepted, channel: "stdout")
        gathering.plan()
        #expect(gathering.open == ["anna cancellation 1 by mail"])
        // The whole meeting is cancelled: she is told once, also by mail.
        gathering.meeting.status = .cancelled
        gathering.meeting.revision += 1
        gathering.plan()
        #expect(gathering.open == ["anna cancellation 1 by mail"])
    }

    @Test func `A person without an address gets a suppressed row`() throws {
        var gathering = try Gathering()
        gathering.channels = [Gathering.mail]
        gathering.addresses["anna"] = nil
        gathering.plan()
        let row = try #require(gathering.rows.first { $0.words == "anna invitation 1 by mail" })
        #expect(row.state == .suppressed)
        #expect(row.reason == "no address for mail")
        gathering.addresses["anna"] = "anna@example.org"
        gathering.plan()
        #expect(gathering.open.contains("anna invitation 1 by mail"))
    }

    @Test func `A new address replaces the old one in waiting rows`() throws {
        var gathering = try withAnna(channels: [Gathering.mail])
        gathering.addresses["anna"] = "new@example.org"
        gathering.plan()
        let open = gathering.rows.filter(\.state.isOpen)
        #expect(open.map(\.key.address) == Array(repeating: "new@example.org", count: 3))
    }

    @Test func `A row that may have arrived counts after it is superseded`() throws {
        var gathering = try withAnna()
        gathering.finish(.ambiguous, kinds: [.invitation])
        try gathering.move(to: "2026-12-06T12:00")
        gathering.plan()
        #expect(gathering.open.first == "anna change 2")
        #expect(gathering.plan().added.isEmpty)
        #expect(gathering.open.first == "anna change 2")
        gathering.meeting.status = .cancelled
        gathering.meeting.revision += 1
        gathering.plan()
        gathering.plan()
        #expect(gathering.open == ["anna cancellation 3"])
    }

    @Test func `A move without notification updates a waiting invitation`() throws {
        var gathering = try withAnna()
        try gathering.move(to: "2026-12-09T12:00")
        gathering.meeting.revision = 1
        let difference = gathering.plan()
        #expect(difference.rescheduled.map(\.words) == ["anna invitation 1"])
        let row = try #require(gathering.rows.first { $0.words == "anna invitation 1" })
        #expect(row.state == .planned)
        #expect(row.deadline == gathering.meeting.time.endsAt)
    }

    @Test func `A reminder that is retried keeps the time of its next attempt`() throws {
        var gathering = try withAnna()
        let name = try #require(gathering.rows.first { $0.words == "anna reminder PT1H" }).name
        gathering.now = gathering.meeting.time.startsAt.advanced(bySeconds: -3500)
        let next = gathering.now.advanced(bySeconds: 30)
        gathering[name]?.due = next
        #expect(gathering.plan().rescheduled.isEmpty)
    }

    @Test(arguments: [DeliveryState.planned, .ambiguous])
    func `A reminder is not retried before its time`(
        _ state: DeliveryState
    ) throws {
        var gathering = try withAnna()
        let row = try #require(gathering.rows.first { $0.words == "anna reminder PT1H" })
        gathering[row.name]?.state = state
        gathering[row.name]?.ambiguities = 1
        // The clock was set back, so its next attempt is earlier than its time.
        gathering[row.name]?.due = row.due.advanced(bySeconds: -7200)
        #expect(gathering.plan().rescheduled.map(\.due) == [row.due])
        gathering[row.name]?.due = row.due.advanced(bySeconds: 300)
        #expect(gathering.plan().rescheduled.isEmpty)
    }

    @Test func `A row that is being sent is not changed`() throws {
        var gathering = try withAnna()
        gathering.finish(.claimed, kinds: [.invitation])
        try gathering.move(to: "2026-12-06T12:00")
        let difference = gathering.plan()
        #expect(!difference.superseded.contains { $0.key.notification.kind == .invitation })
        #expect(difference.added.first?.words == "anna change 2")
    }

    @Test func `A message stays, a nudge stays until its person answers`() throws {
        var gathering = try withAnna()
        for kind in [NotificationKind.message, .nudge] {
            let key = NotificationKey(
                meeting: "meeting", occurrence: "", person: "anna", kind: kind, mark: "x")
            gathering.rows.append(
                LedgerRow(
                    key: DeliveryKey(notification: key, channel: "stdout", address: ""),
                    state: .planned, due: gathering.now,
                    deadline: gathering.meeting.time.endsAt))
        }
        gathering.finish(.accepted, kinds: [.invitation, .reminder])
        gathering.plan()
        #expect(gathering.open == ["anna message x", "anna nudge x"])
        gathering.participants[1].answer = .going
        gathering.plan()
        #expect(gathering.open == ["anna message x"])
        gathering.meeting.status = .cancelled
        gathering.plan()
        #expect(gathering.open == ["anna cancellation 1", "anna message x"])
    }

    @Test func `Of two rows with the same key after a merge, only one stays`() throws {
        var gathering = try withAnna()
        let row = try #require(gathering.rows.first { $0.words == "anna invitation 1" })
        gathering.rows.append(
            LedgerRow(
                key: row.key, name: "other", state: .planned, due: row.due, deadline: row.deadline))
        gathering.plan()
        #expect(gathering.open.filter { $0 == "anna invitation 1" }.count == 1)
    }
}
