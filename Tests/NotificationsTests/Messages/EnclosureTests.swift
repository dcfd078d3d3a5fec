import Agenda
import Interchange
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

/// The enclosure of a message, for calendar programs.
@Suite(.timeLimit(.minutes(5))) struct EnclosureTests {
    private static func sends(
        _ lunch: Lunch, _ sink: ScriptedSink
    ) async throws -> [String: Enclosure] {
        let before = sink.messages.count
        _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
        return sink.messages.dropFirst(before).reduce(into: [:]) { $0[$1.name] = $1.enclosure }
    }

    @Test func `A change refers to the invitation, and contains the guest's answer`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink(takesEnclosures: true)
            let first = try #require(try await Self.sends(lunch, sink)["Anna Aalto"])
            #expect(first.root == nil && first.entry?.answer == CalendarInvitation.Answer.none)
            #expect(first.entry?.method == .request && first.entry?.event.sequence == 0)
            #expect(first.page?.contains(">Lunch</h1>") == true)
            let root = sink.messages.first { $0.name == "Anna Aalto" }?.identity
            _ = try await lunch.planner.answer(
                "Lunch", .maybe, who: "Anna", plus: 0, note: nil, saving: true)
            var edit = MeetingEdit()
            edit.start = "2026-12-05T12:30"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            let second = try #require(try await Self.sends(lunch, sink)["Anna Aalto"])
            #expect(second.root == root)
            #expect(second.entry?.answer == .tentative && second.entry?.event.sequence == 1)
            #expect(second.entry?.event.start == (try Moment.parse("2026-12-05T12:30:00+02:00")))
            // A new day asks for a new answer (RFC 5546, 3.2.2).
            edit.start = "2026-12-06T12:00"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            let third = try #require(try await Self.sends(lunch, sink)["Anna Aalto"])
            #expect(third.entry?.answer == CalendarInvitation.Answer.none)
            #expect(third.entry?.event.sequence == 2)
            let asks = "Your answer for Sat 5 December 2026, 12:00 was “Maybe”."
            #expect(third.page?.contains(asks) == true)
            #expect(sink.messages.last { $0.name == "Anna Aalto" }?.text.contains(asks) == true)
        }
    }

    @Test func `A change of a series contains the guest's answer to each date that differs`()
        async throws
    {
        try await withLunch { lunch in
            let sink = ScriptedSink(takesEnclosures: true)
            var edit = MeetingEdit()
            edit.repetition = "weekly, 3 times"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            _ = try await lunch.planner.answer(
                "Lunch", .going, who: "Anna", plus: 0, note: nil, saving: true)
            for (date, place) in [("2026-12-12", "Library"), ("2026-12-19", "Park")] {
                var own = MeetingEdit()
                (own.date, own.place) = (date, place)
                _ = try await lunch.planner.editMeeting("Lunch", own, saving: true)
            }
            _ = try await lunch.planner.answer(
                "Lunch", on: "2026-12-12", .declined, who: "Anna", plus: 0, note: nil, saving: true)
            _ = try await Self.sends(lunch, sink)
            var all = MeetingEdit()
            (all.title, all.isNotified) = ("Brunch", true)
            _ = try await lunch.planner.editMeeting("Lunch", all, saving: true)
            let entry = try #require(try await Self.sends(lunch, sink)["Anna Aalto"]?.entry)
            #expect(entry.answer == .accepted)
            let declined = try Moment.parse("2026-12-12T12:00:00+02:00")
            #expect(entry.dateAnswers == [declined: .declined])
            var invitation = CalendarInvitation(
                method: entry.method, event: entry.event,
                organizer: try Mailbox("olga@example.org", name: ""),
                attendee: try Mailbox("anna@example.org", name: ""))
            (invitation.answer, invitation.dateAnswers) = (entry.answer, entry.dateAnswers)
            let text = String(decoding: invitation.octets(at: declined), as: UTF8.self)
            let answers = text.replacing("\r\n ", with: "").split(separator: "PARTSTAT=")
                .dropFirst()
                .map { $0.prefix { $0 != ";" } }
            #expect(answers == ["ACCEPTED", "DECLINED", "ACCEPTED"])
        }
    }

    @Test func `A sink without support for enclosures gets none`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
            #expect(sink.messages.count == 2)
            #expect(sink.messages.allSatisfy { $0.enclosure == nil })
        }
    }
}
