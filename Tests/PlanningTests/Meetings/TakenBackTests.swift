import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing

/// Moves that are taken back before anybody was told of them.
@Suite(.timeLimit(.minutes(5))) struct TakenBackTests {
    private static let friday = "2026-12-04T12:00"
    private static let saturday = "2026-12-05T12:00"

    /// The open deliveries of a kind after Anna was invited and the edits were made.
    private func open(
        _ kind: NotificationKind, after edits: [(start: String?, note: String?)],
        sendingAfter sent: Int? = nil, answer: Answer? = nil
    ) async throws -> (count: Int, view: MeetingView) {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "Anna", start: Self.friday)).meeting.id)
            let engine = try world.engine(olga, sinks: [ScriptedSink(name: "stdout")])
            _ = try await engine.runOnce()
            if let answer {
                _ = try await olga.answer(
                    id.text, answer, who: "Anna", plus: nil, note: nil, saving: true)
            }
            for (place, change) in edits.enumerated() {
                world.clock.advance(bySeconds: 60)
                var edit = MeetingEdit()
                (edit.start, edit.note) = (change.start, change.note)
                _ = try await olga.editMeeting(id, edit, saving: true)
                if place == sent { _ = try await engine.runOnce() }
            }
            #expect(try await olga.verifyLedger().faults.map(\.rule) == [])
            let rows = try await olga.ledger(states: [.planned], meeting: id, limit: 99).rows
            return (
                rows.count { $0.delivery.kind == kind }, try await olga.meeting(id)
            )
        }
    }

    @Test func `A move that is taken back before it was sent tells nobody`() async throws {
        let moved = try await open(.change, after: [(Self.saturday, nil)])
        #expect(moved.count == 1)
        let back = try await open(
            .change, after: [(Self.saturday, nil), (Self.friday, nil)], answer: .going)
        #expect(back.count == 0)
        #expect(back.view.participants.last?.answer == .going)
        #expect(back.view.participants.last?.answeredFor == nil)
    }

    @Test func `Who heard of a meeting by a message alone is told that it is cancelled`()
        async throws
    {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "Anna", start: Self.friday)).meeting.id)
            _ = try await olga.message(id, "Bring coats", to: [], saving: true)
            let sink = ScriptedSink(name: "stdout") { outgoing, _ in
                AttemptReport(outgoing.kind == .invitation ? .permanent : .accepted)
            }
            _ = try await world.engine(olga, sinks: [sink]).runOnce()
            let outcome = try await olga.cancelMeeting(id, saving: true)
            #expect(outcome.notifications.added.map(\.kind) == [.cancellation])
        }
    }

    @Test func `Who will get a message is told that the meeting is cancelled`() async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "Anna", start: Self.friday)).meeting.id)
            _ = try await olga.message(id, "Bring coats", to: [], saving: true)
            _ = try await olga.cancelMeeting(id, saving: true)
            #expect(try await olga.verifyLedger().faults.map(\.rule) == [])
            let sink = ScriptedSink(name: "stdout")
            _ = try await world.engine(olga, sinks: [sink]).runOnce()
            #expect(Set(sink.messages.map(\.kind)) == [.message, .cancellation])
        }
    }

    @Test func `A move that was sent is told when it is taken back`() async throws {
        let back = try await open(
            .change, after: [(Self.saturday, nil), (Self.friday, nil)], sendingAfter: 0)
        #expect(back.count == 1)
    }

    @Test func `A move that is taken back in part is told`() async throws {
        let later = try await open(
            .change, after: [(Self.saturday, nil), ("2026-12-04T13:00", nil)])
        #expect(later.count == 1)
        // The history does not tell what the note was.
        let noted = try await open(
            .change, after: [(Self.saturday, "Bring cake"), (Self.friday, nil)])
        #expect(noted.count == 1)
    }
}
