import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Lists of meetings by text, person, day and organizer.
@Suite struct MeetingQueryTests {
    /// The titles and days that a list shows, in a home with meetings of Olga and Anna.
    private func found(
        actingAs: String? = nil, _ change: (inout MeetingQuery) -> Void
    ) async throws -> [String] {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            try await olga.add("Anna", "anna@example.org")
            try await olga.add("Ben", "ben@example.org")
            func plan(
                _ planner: Planner, _ title: String, _ start: String, with names: String...,
                place: String? = nil, repeats: String? = nil
            ) async throws {
                var request = MeetingRequest()
                (request.title, request.with, request.start) = (title, names, start)
                (request.place, request.repetition) = (place, repeats)
                _ = try await planner.create(request)
            }
            try await plan(olga, "Lunch", "2026-12-05T12:00", with: "Anna", place: "Café Engel")
            try await plan(olga, "Dinner", "2026-12-20T19:00", with: "Ben")
            try await plan(
                olga, "Choir", "2026-12-07T19:00", with: "Anna", "Ben", repeats: "weekly, 4 times")
            try await plan(
                try await world.planner(actingAs: "Anna"), "Concert", "2026-12-06T19:00",
                with: "olga@example.org")
            let later = world.later(minutes: 15 * 24 * 60)
            var query = MeetingQuery()
            change(&query)
            let planner = try await later.planner(actingAs: actingAs)
            return try await planner.meetings(query).meetings.map {
                "\($0.title) \($0.start.text.prefix(10))"
            }
        }
    }

    private static func day(_ number: Int) throws -> CivilDate {
        try CivilDate(year: 2026, month: 12, day: number)
    }

    @Test func `A text is looked for in titles and places, whatever its accents`() async throws {
        let places = try await found {
            $0.scope = .past
            $0.text = "cafe"
        }
        #expect(places == ["Lunch 2026-12-05"])
        #expect(try await found { $0.text = "DINN" } == ["Dinner 2026-12-20"])
        #expect(try await found { $0.text = "%" } == [])
        #expect(try await found { _ in } == ["Dinner 2026-12-20", "Choir 2026-12-21"])
    }

    @Test func `Past meetings of one organizer are listed, the latest first`() async throws {
        let all = try await found { $0.scope = .past }
        #expect(all == ["Choir 2026-12-14", "Concert 2026-12-06", "Lunch 2026-12-05"])
        let own = try await found {
            $0.scope = .past
            $0.isMine = true
        }
        #expect(own == ["Choir 2026-12-14", "Lunch 2026-12-05"])
    }

    @Test func `A person has the meetings to which they are invited, and their own`() async throws {
        let ofBen = try await found { $0.people = ["Ben"] }
        #expect(ofBen == ["Dinner 2026-12-20", "Choir 2026-12-21"])
        let ofAnna = try await found {
            $0.scope = .past
            $0.people = ["Anna"]
        }
        #expect(ofAnna == ["Choir 2026-12-14", "Concert 2026-12-06", "Lunch 2026-12-05"])
        // Anna does not know Ben.
        let refused = await refusal {
            _ = try await found(actingAs: "Anna") { $0.people = ["ben@example.org"] }
        }
        #expect(refused?.code == "unknown_person")
    }

    @Test func `Between two days each date of a series is listed, also if it is over`()
        async throws
    {
        let dates = try await found {
            $0.from = try? Self.day(6)
            $0.through = try? Self.day(20)
        }
        #expect(
            dates == [
                "Concert 2026-12-06", "Choir 2026-12-07", "Choir 2026-12-14", "Dinner 2026-12-20",
            ])
        let rest = try await found { $0.through = try? Self.day(20) }
        #expect(rest == ["Dinner 2026-12-20"])
        let past = try await found {
            $0.scope = .past
            $0.from = try? Self.day(6)
        }
        #expect(past == ["Choir 2026-12-14", "Concert 2026-12-06"])
    }

    @Test func `A circle has the meetings to which it was invited, a place those that are there`()
        async throws
    {
        try await withTemporaryHome { world in
            let olga = try await world.planner()
            let anna: String = try await olga.add("Anna", "anna@example.org").id
            _ = try await olga.addCircle("Hikers", members: [PersonID(text: anna)])
            for (title, guest, place, repeats) in [
                ("Walk", "Hikers", "Café Engel", nil), ("Choir", "Hikers", "Hall", "weekly"),
                ("Lunch", "Anna", "Café Engel", nil),
            ] as [(String, String, String, String?)] {
                var request = MeetingRequest()
                (request.title, request.with, request.start) = (
                    title, [guest], "2026-12-05T12:00"
                )
                (request.place, request.repetition) = (place, repeats)
                _ = try await olga.create(request)
            }
            func titles(_ change: (inout MeetingQuery) -> Void) async throws -> [String] {
                var query = MeetingQuery()
                change(&query)
                return try await olga.meetings(query).meetings.map(\.title).sorted()
            }
            let ofHikers: [String] = try await titles { $0.circle = "hikers" }
            #expect(ofHikers == ["Choir", "Walk"])
            let there: [String] = try await titles { $0.place = "engel" }
            #expect(there == ["Lunch", "Walk"])
            let both: [String] = try await titles {
                ($0.circle, $0.place) = ("Hikers", "hall")
            }
            #expect(both == ["Choir"])
            let refused = await refusal { _ = try await titles { $0.circle = "Nobody" } }
            #expect(refused?.code == "unknown_circle")
        }
    }

    @Test func `A last day before the first is refused`() async throws {
        let refused = await refusal {
            _ = try await found {
                $0.from = try? Self.day(6)
                $0.through = try? Self.day(5)
            }
        }
        #expect(refused?.code == "bad_time")
    }
}
