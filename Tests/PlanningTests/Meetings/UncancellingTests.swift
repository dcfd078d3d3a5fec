import Notifications
import Sinks
import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

/// Taking back the cancellation of a meeting.
@Suite(.timeLimit(.minutes(5))) struct UncancellingTests {
    private func reminders(_ planner: Planner, _ id: MeetingID) async throws -> [String] {
        try await planner.ledger(states: [.planned], meeting: id, limit: 99).rows
            .filter { $0.delivery.kind == .reminder }
            .map { "\($0.name) \($0.delivery.due.text)" }.sorted()
    }

    @Test func `People who were told are invited again, with their answers and reminders`()
        async throws
    {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            try await olga.add("Ben", "ben@example.org")
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "Anna", "Ben")).meeting.id)
            #expect(try await world.told(olga) == ["invitation Anna", "invitation Ben"])
            let anna = try await world.planner(actingAs: "Anna")
            _ = try await anna.answer(
                id, .going, of: anna.actor, plus: 1, note: nil, saving: true)
            _ = try await world.told(olga)
            let planned = try await reminders(olga, id)
            #expect(planned.count == 6)
            _ = try await olga.cancelMeeting(id, saving: true)
            #expect(try await world.told(olga) == ["cancellation Anna", "cancellation Ben"])
            #expect(try await reminders(olga, id).isEmpty)
            world.clock.advance(bySeconds: 3600)

            let outcome = try await olga.uncancelMeeting(
                id, message: "The café is open after all.", saving: true)
            #expect(outcome.meeting.status == .confirmed)
            #expect(outcome.meeting.participants.map(\.answer) == [.going, .going, .invited])
            #expect(try await reminders(olga, id) == planned)
            let sink = ScriptedSink(name: "stdout")
            _ = try await world.engine(olga, sinks: [sink]).runOnce()
            #expect(
                sink.messages.map { "\($0.kind.rawValue) \($0.name)" }.sorted()
                    == ["invitation Anna", "invitation Ben"])
            #expect(sink.messages.allSatisfy { $0.text.contains("The café is open after all.") })
            #expect(sink.messages.allSatisfy { $0.subject == "Takes place after all: Lunch" })
            #expect(try await world.told(olga).isEmpty)
            #expect(try await olga.verifyLedger().faults.isEmpty)
            #expect(
                try await olga.history(of: id).map(\.fact).prefix(2) == [
                    .uncancelled, .cancelled,
                ])
        }
    }

    @Test func `Only who was told of the cancellation reads that the meeting is on again`()
        async throws
    {
        try await withHome { world in
            let olga = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", "ben@example.org")
            request.repetition = "weekly, 4 times"
            let id = MeetingID(text: try await olga.create(request).meeting.id)
            _ = try await world.told(olga)
            func subjects() async throws -> [String] {
                let sink = ScriptedSink(name: "stdout")
                _ = try await world.engine(olga, sinks: [sink]).runOnce()
                return sink.messages.map { "\($0.subject) (\($0.name.prefix(4)))" }.sorted()
            }
            _ = try await olga.cancelMeeting(id, on: "2026-12-12", saving: true)
            _ = try await subjects()
            _ = try await olga.uncancelMeeting(id, on: "2026-12-12", saving: true)
            let date = "Takes place after all: Lunch, Sat 12 December 2026"
            #expect(try await subjects() == ["\(date) (anna)", "\(date) (ben@)"])
            // Somebody who was removed in between is invited as before.
            _ = try await olga.uninvite(["anna@example.org"], from: id.text, saving: true)
            _ = try await subjects()
            _ = try await olga.invite(["anna@example.org"], to: id, saving: true)
            #expect(try await subjects() == ["Invitation: Lunch (anna)"])
        }
    }

    @Test func `An answer that waited when the meeting was cancelled is told after all`()
        async throws
    {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(text: try await olga.create(.lunch(with: "Anna")).meeting.id)
            _ = try await world.told(olga)
            let anna = try await world.planner(actingAs: "Anna")
            for answer in [Answer.going, .declined] {
                _ = try await anna.answer(
                    id, answer, of: anna.actor, plus: 0, note: nil, saving: true)
                _ = try await world.told(olga)
            }
            _ = try await olga.cancelMeeting(id, saving: true)
            _ = try await olga.uncancelMeeting(id, saving: true)
            let waiting = try await olga.ledger(states: [.planned], meeting: id, limit: 99).rows
                .filter { $0.delivery.kind == .answer }
            #expect(waiting.count == 1)
            world.clock.advance(bySeconds: 1200)
            let then = try await world.told(olga)
            #expect(then.contains("answer Olga Owner"), "\(then)")
            // What was told is not told again.
            _ = try await olga.cancelMeeting(id, saving: true)
            _ = try await olga.uncancelMeeting(id, saving: true)
            world.clock.advance(bySeconds: 1200)
            #expect(try await world.told(olga).allSatisfy { !$0.hasPrefix("answer") })
            #expect(try await olga.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A cancellation that nobody was told of yet is taken back without a word`()
        async throws
    {
        try await withHome { world in
            let olga = try await world.planner()
            let id = MeetingID(
                text: try await olga.create(.lunch(with: "anna@example.org")).meeting.id)
            #expect(try await world.told(olga) == ["invitation anna@example.org"])
            _ = try await olga.cancelMeeting(id, saving: true)
            _ = try await olga.uncancelMeeting(id, saving: true)
            #expect(try await world.told(olga).isEmpty)
            #expect(try await olga.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `Of a series, one date or all dates take place again`() async throws {
        try await withHome { world in
            let olga = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.repetition = "weekly, 4 times"
            let id = MeetingID(text: try await olga.create(request).meeting.id)
            _ = try await world.told(olga)
            _ = try await olga.cancelMeeting(id, on: "2026-12-12", saving: true)
            #expect(try await world.told(olga) == ["cancellation anna@example.org"])
            #expect(
                await refusalCode {
                    _ = try await olga.uncancelMeeting(id, on: "2026-12-19", saving: true)
                } == "not_cancelled")
            _ = try await olga.uncancelMeeting(id, on: "2026-12-12", saving: true)
            #expect(try await world.told(olga) == ["invitation anna@example.org"])
            #expect(
                try await olga.meeting("Lunch").dates.map(\.status)
                    == [.confirmed, .confirmed, .confirmed, .confirmed])

            _ = try await olga.cancelMeeting(id, saving: true)
            #expect(try await world.told(olga) == ["cancellation anna@example.org"])
            #expect(
                await refusalCode {
                    _ = try await olga.uncancelMeeting(id, on: "2026-12-12", saving: true)
                } != nil)
            _ = try await olga.uncancelMeeting(id, saving: true)
            #expect(try await world.told(olga) == ["invitation anna@example.org"])
            #expect(try await olga.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `What is not cancelled, over or another's is refused`() async throws {
        try await withHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            let id = MeetingID(text: try await olga.create(.lunch(with: "Anna")).meeting.id)
            func code(_ planner: Planner) async -> String? {
                await refusalCode { _ = try await planner.uncancelMeeting(id, saving: true) }
            }
            #expect(await code(olga) == "not_cancelled")
            _ = try await olga.cancelMeeting(id, saving: true)
            #expect(await code(try await world.planner(actingAs: "Anna")) == "not_organizer")
            let refused = await refusal {
                _ = try await olga.edit("Lunch") { $0.title = "Dinner" }
            }
            #expect(refused?.advice.first == .meetings(.uncancel(id.text)))
            world.clock.advance(bySeconds: 100 * 86_400)
            #expect(await code(olga) == "meeting_over")
        }
    }

    @Test func `A title means the cancelled meeting, even if there is a new one`() async throws {
        try await withHome { world in
            let olga = try await world.planner()
            let first = try await olga.create(.lunch(with: "anna@example.org")).meeting.id
            _ = try await olga.cancelMeeting(MeetingID(text: first), saving: true)
            let second = try await olga.create(.lunch(with: "ben@example.org")).meeting.id
            #expect(try await olga.meetingID(named: "lunch", isOff: true).text == first)
            #expect(try await olga.meetingID(named: "lunch").text == second)
        }
    }

    @Test func `The words next and last mean cancelled meetings, those ahead first`() async throws {
        try await withHome { world in
            let olga = try await world.planner()
            func meant(_ word: String) async throws -> String {
                try await olga.meetingID(named: word, isOff: true).text
            }
            for word in ["next", "last"] {
                #expect(
                    await refusal { _ = try await meant(word) }?.message
                        == "No meeting is cancelled.")
            }
            let first = try await olga.create(.lunch()).meeting.id
            _ = try await olga.create(.lunch(start: "2026-12-04T12:00"))
            _ = try await olga.cancelMeeting(MeetingID(text: first), saving: true)
            #expect(try await meant("next") == first)
            #expect(try await meant("last") == first)
            let second = try await olga.create(.lunch(start: "2026-12-06T12:00")).meeting.id
            _ = try await olga.cancelMeeting(MeetingID(text: second), saving: true)
            #expect(await refusalCode { _ = try await meant("last") } == "ambiguous_meeting")
            world.clock.advance(bySeconds: 100 * 86_400)
            #expect(try await meant("last") == second)
            #expect(
                await refusalCode {
                    _ = try await olga.uncancelMeeting(MeetingID(text: second), saving: true)
                } == "meeting_over")
        }
    }
}
