import Ledger
import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

/// The same meeting planned again.
@Suite struct CopyingTests {
    private func withGames(_ body: (TestWorld, Planner, MeetingID) async throws -> Void)
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            var request = MeetingRequest()
            (request.title, request.start) = ("Games", "2026-12-05T19:30")
            request.with = ["Anna", "ben@example.org", "cat@example.org"]
            (request.place, request.note, request.link) = (
                "Club", "Bring dice", "https://a.example/"
            )
            request.duration = try TimeSpan.parse("3h")
            request.reminders = [try TimeSpan.parse("2h")]
            let id = MeetingID(text: try await planner.create(request).meeting.id)
            _ = try await planner.answer(
                "Games", .declined, who: "ben@example.org", plus: nil, note: nil, saving: true)
            let cat = try await planner.participants(named: ["cat@example.org"], of: id, on: nil)
            _ = try await planner.uninvite(cat, from: id, saving: true)
            try await body(world, planner, id)
        }
    }

    @Test(arguments: [
        ("2026-12-12", "2026-12-12T19:30"), ("2026-12-12T20:00", "2026-12-12T20:00"),
    ])
    func `A copy has the people, place and words of the meeting, and no answers`(
        _ start: String, _ expected: String
    ) async throws {
        try await withGames { _, planner, id in
            let copy = try await planner.copy(of: id, start: start)
            #expect(copy.unreachable == [])
            let made = try await planner.createMeeting(copy.request, saving: true).meeting
            #expect(made.id != id.text && made.title == "Games" && made.note == "Bring dice")
            #expect(made.start.text.hasPrefix(expected) && made.link == "https://a.example/")
            #expect(made.place?.text == "Club" && made.reminders.count == 1)
            #expect(
                made.participants.map { "\($0.name) \($0.answer.rawValue)" } == [
                    "Olga Owner going", "Anna invited", "ben@example.org invited",
                ])
            let known = try await planner.meeting(id)
            #expect(
                made.end.moment.milliseconds(since: made.start.moment)
                    == known.end.moment.milliseconds(since: known.start.moment))
        }
    }

    @Test func `A meeting that is over can be copied, with another place`() async throws {
        try await withGames { world, _, id in
            let planner = try await world.later(minutes: 7 * 24 * 60).planner()
            var request = try await planner.copy(of: id, start: "2026-12-20").request
            request.place = "Park"
            let made = try await planner.createMeeting(request, saving: true).meeting
            #expect(made.place?.text == "Park" && made.participants.count == 3)
            let refused = await refusal {
                let copy = try await planner.copy(of: id, start: "no day")
                _ = try await planner.createMeeting(copy.request, saving: true)
            }
            #expect(refused?.code == "bad_time")
        }
    }

    @Test func `Only the organizer copies a meeting`() async throws {
        try await withGames { world, _, id in
            let anna = try await world.planner(actingAs: "Anna")
            let refused = await refusal { _ = try await anna.copy(of: id, start: "2026-12-12") }
            #expect(refused?.code == "not_organizer")
        }
    }
}
