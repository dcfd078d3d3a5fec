import Ledger
import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

struct AskingTests {
    private static func withPeople(_ body: (Planner) async throws -> Void) async throws {
        try await withWorld { _, planner in try await body(planner) }
    }

    private static func withWorld(
        _ body: (TestWorld, Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for (name, address) in [
                ("Ann", "ann@example.org"), ("Annika Salo", "salo@example.org"),
                ("Anna Berg", "berg@example.org"), ("Anna Aalto", "anna@example.org"),
                ("Johanna Anttila", "jo@example.org"), ("Anna Berg", "other@example.org"),
            ] {
                var edit = ContactEdit()
                edit.name = name
                edit.emails = [address]
                _ = try await planner.addPerson(edit)
            }
            _ = try await planner.addCircle("Anglers", members: ["salo@example.org"])
            try await body(world, planner)
        }
    }

    @Test(arguments: [
        (
            "ann", 9,
            ["Ann", "Anna Aalto", "Anna Berg", "Anna Berg", "Annika Salo", "Johanna Anttila"]
        ),
        ("ann", 2, ["Ann", "Anna Aalto"]),
        ("an", 3, ["Anglers", "Ann", "Anna Aalto"]), ("ANGL", 9, ["Anglers"]),
        ("berg", 9, ["Anna Berg", "Anna Berg"]), ("hanna", 9, ["Johanna Anttila"]),
        ("salo@example.org", 9, ["Annika Salo"]), ("xyz", 9, []), ("", 9, []), (" ", 9, []),
        ("%_\"'", 9, []),
    ])
    func `People and circles are suggested while a name is typed`(
        text: String, limit: Int, names: [String]
    ) async throws {
        try await Self.withPeople { planner in
            let found = try await planner.guestSuggestions(text, limit: limit)
            #expect(found.map(\.name) == names)
            for guest in found where guest.kind == .person {
                #expect(try await planner.guest(guest.who).address == guest.address)
            }
        }
    }

    @Test(arguments: [
        ("annika", GuestView.Kind.person, false), ("berg@example.org", .person, true),
        ("anglers", .circle(count: 1), false), ("Who <who@example.org>", .stranger, false),
    ])
    func `A guest is marked if somebody else has the same name`(
        who: String, kind: GuestView.Kind, hasNamesake: Bool
    ) async throws {
        try await Self.withPeople { planner in
            let guest = try await planner.guest(who)
            #expect(guest.kind == kind)
            #expect(guest.hasNamesake == hasNamesake)
        }
    }

    @Test func `A person whom only others know stays the address that was typed`() async throws {
        try await Self.withWorld { world, owner in
            let ann = try await world.planner(actingAs: "Ann")
            for who in ["jo@example.org", "Jo <jo@example.org>"] {
                let guest = try await ann.guest(who)
                #expect(guest.kind == .stranger)
                #expect(guest.who == who && guest.address == "jo@example.org")
                #expect(!guest.name.contains("Anttila"))
                _ = try await ann.guest(guest.who)
            }
            #expect(try await owner.guest("jo@example.org").kind == .person)
        }
    }

    @Test func `An id that is seen in a meeting leads to nothing more`() async throws {
        try await Self.withWorld { world, owner in
            var request = MeetingRequest()
            (request.title, request.start) = ("Chess", "2026-12-07T12:00")
            request.with = ["ann@example.org", "jo@example.org", "Newton <new@example.org>"]
            let made = try await owner.createMeeting(request, saving: true).meeting
            let johanna = try #require(made.participants.first { $0.name == "Johanna Anttila" })
            let ann = try await world.planner(actingAs: "Ann")
            for id in [johanna.id, owner.owner.id.text] {
                let refused = await refusal { _ = try await ann.guest(id) }
                #expect(refused?.code == "unknown_person")
                #expect(refused?.message.contains("Anttila") == false)
            }
            for address in ["jo@example.org", "new@example.org"] {
                let guest = try await ann.guest(address)
                #expect(guest.kind == .stranger && guest.who == address)
            }
        }
    }

    @Test func `The planned place and start are those of the meeting created later`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addPlace("Office", near: "40.71,-74.01", address: "1 Wall St")
            var request = MeetingRequest()
            request.title = "Lunch"
            request.place = "office"
            let place = try #require(try await planner.plannedPlace(request))
            #expect(place.line == "Office, 1 Wall St")
            #expect(place.borrowedLine == nil)
            let start = try planner.plannedStart("fri 12:00", at: place)
            #expect(start.zone.id == "America/New_York")
            request.start = "fri 12:00"
            let made = try await planner.createMeeting(request, saving: false).meeting
            #expect(made.tz == start.zone.id)
            #expect(made.start.text == "\(start.wall)-05:00")
            #expect(made.place?.text == place.line)
        }
    }
}
