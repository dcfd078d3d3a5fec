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

    @Test func `A start with its end replaces the length`() async throws {
        try await withGames { _, planner, id in
            let copy = try await planner.copy(of: id, start: "12 dec 20:00-22:00")
            let made = try await planner.createMeeting(copy.request, saving: true).meeting
            #expect(made.start.text == "2026-12-12T20:00:00+02:00")
            #expect(made.end.text == "2026-12-12T22:00:00+02:00")
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

    @Test func `A copy has exactly the same people, also where several have an address`()
        async throws
    {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Ben", "ben@example.org")
            let ben = try await world.planner(actingAs: "Ben")
            for planner in [owner, ben] {
                try await planner.create(.lunch(with: "Zed Holm <home@example.org>"))
                try await planner.add("Carl Holm", "home@example.org")
                try await planner.add("Dora Holm", "home@example.org")
                let first = try await planner.meeting("Lunch")
                let copy = try await planner.copy(
                    of: MeetingID(text: first.id), start: "2026-12-12")
                let again = try await planner.createMeeting(copy.request, saving: true).meeting
                #expect(again.participants.map(\.id) == first.participants.map(\.id))
                #expect(again.participants.last?.name == "Zed Holm")
                for id in [first.id, again.id] {
                    _ = try await planner.cancelMeeting(MeetingID(text: id), saving: true)
                }
            }
        }
    }

    @Test func `A copy invites the circle again, and asks for answers as long before`() async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["Anna", "Ben", "Cat"] {
                try await planner.add(name, "\(name.lowercased())@example.org")
            }
            try await planner.addCircle("Chess", members: ["Anna", "Ben"])
            var request = MeetingRequest.lunch(with: "circle:Chess", start: "2026-12-12T12:00")
            request.answerBy = "2026-12-10T18:00"
            request.repetition = "weekly, 2 times"
            let id = MeetingID(text: try await planner.create(request).meeting.id)
            try await planner.addMembers(["Cat"], to: "Chess")
            try await planner.removeMembers(["Ben"], from: "Chess")
            let copy = try await planner.copy(of: id, start: "2027-01-16")
            #expect(copy.request.with == ["circle:Chess"])
            let made = try await planner.createMeeting(copy.request, saving: true)
            #expect(made.meeting.participants.map(\.name) == ["Olga Owner", "Anna", "Cat"])
            #expect(made.meeting.answerBy?.text == "2027-01-14T18:00:00+02:00")
            let remark = "The repetition of the earlier meeting is not copied."
            #expect(made.remarks.contains { $0.text == remark })
            let soon = try await planner.copy(of: id, start: "2026-12-02").request
            #expect(soon.answerBy == nil)
            let early = try await planner.createMeeting(soon, saving: false)
            #expect(early.remarks.contains { $0.text.hasPrefix("The time to answer by is not") })
        }
    }

    @Test func `Only the organizer copies a meeting`() async throws {
        try await withGames { world, _, id in
            let anna = try await world.planner(actingAs: "Anna")
            let refused = await refusal { _ = try await anna.copy(of: id, start: "2026-12-12") }
            #expect(refused?.code == "not_organizer")
        }
    }

    @Test(arguments: [("Club", true), ("Kiasma", false), (nil, false)])
    func `A request like an earlier meeting has its place if it names the same`(
        _ place: String?, _ isSame: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var saved = MeetingRequest.lunch(with: "anna@example.org")
            try await planner.add("Anna", "anna@example.org")
            _ = try await planner.addPlace("Club", near: "60.17,24.94", address: "")
            saved.place = "Club"
            let first = try await planner.create(saved).meeting
            // Without the place, its name alone is only words.
            _ = try await planner.removePlace("Club")
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.like = MeetingID(text: first.id)
            request.place = place
            let made = try await planner.create(request).meeting
            #expect(made.place?.text == place)
            #expect((made.place?.id != nil && made.place?.id == first.place?.id) == isSame)
            let anna = try await world.planner(actingAs: "Anna")
            #expect(await refusal { _ = try await anna.create(request) } != nil)
        }
    }

    @Test func `Nothing is told about a meeting that one may not see`() async throws {
        try await withGames { world, _, id in
            let anna = try await world.planner(actingAs: "Anna")
            let planner = try await world.planner()
            _ = try await planner.uninvite(
                planner.participants(named: ["Anna"], of: id, on: nil), from: id, saving: true)
            let copied = await refusalCode { _ = try await anna.copy(of: id, start: "2026-12-12") }
            var request = MeetingRequest.lunch()
            request.like = id
            let made = await refusalCode { _ = try await anna.createMeeting(request, saving: true) }
            #expect([copied, made] == ["unknown_meeting", "unknown_meeting"])
        }
    }
}
