import Planning
import Settings
import TestKit
import Testing
import TextUI
import Timekeeping

@testable import letsmeet

struct MeetingGuideTests {
    private typealias Answer = ScriptedQuestioner.Answer

    /// Runs the script in a home with some people, and returns the request for the planner.
    private static func guide(
        _ script: [(String, Answer)], area: String = "Helsinki"
    ) async throws -> (request: MeetingRequest, person: ScriptedQuestioner, planner: Planner) {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: area.isEmpty ? [:] : [.area: area])
            for (name, address) in [
                ("Anna Aalto", "anna@example.org"), ("Anna Berg", "berg@example.org"),
                ("Ben Bo", "ben@example.org"),
            ] {
                var edit = ContactEdit()
                edit.name = name
                edit.emails = [address]
                _ = try await planner.addPerson(edit)
            }
            _ = try await planner.addCircle("Chess", members: ["ben"])
            let person = ScriptedQuestioner(script)
            let request = try await MeetingGuide(planner, asking: person).request()
            #expect(person.surprises == [])
            #expect(person.rest == [])
            let made = try await planner.createMeeting(request, saving: false)
            #expect(made.meeting.title == request.title)
            return (request, person, planner)
        }
    }

    private static let title = ("Title", Answer.write("Board games"))
    private static let nobody = ("Who to invite", Answer.write(""))
    private static let noCity = ("City", Answer.write(""))
    private static let noPlace = ("Place", Answer.write(""))
    private static let friday = ("Start", Answer.write("fri 19:00"))
    private static let defaults = [("Duration", Answer.enter), ("Reminders", Answer.enter)]
    private static let create = ("Next step", Answer.write("c"))

    @Test(arguments: [
        ("12 dec, all day", "2026-12-12", "P2D", true),
        ("All Day 12.12.", "2026-12-12", "P2D", true),
        ("fri 19:00-21:30", "2026-12-04T19:00:00", "PT2H30M", false),
    ])
    func `A start may be a day, or have its end`(
        _ typed: String, _ start: String, _ duration: String, _ isAllDay: Bool
    ) async throws {
        let length = isAllDay ? [("Duration", Answer.write("2d"))] : []
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, ("Start", .write(typed))] + length
                + [("Reminders", .enter), Self.create])
        #expect(request.start == start && request.isAllDay == isAllDay)
        #expect(request.duration?.iso == duration)
    }

    @Test func `Reminders of whole days are named by their evenings`() {
        #expect(
            SpanWords.evenings(["P1D", "PT1H", "P2DT1H"])
                == "18:00 3 days before, 18:00 on the evening before")
        #expect(SpanWords.evenings([]) == "none")
    }

    @Test func `The summary opens a meeting to followers, with a number of seats`() async throws {
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults + [
                ("Next step", .write("10")), ("Open to", .write("Followers, 4 seats")),
                Self.create,
            ])
        #expect(request.seating?.audience == "followers" && request.seating?.seats == "4")
    }

    @Test func `Every answer is in the request`() async throws {
        let (request, person, _) = try await Self.guide([
            Self.title, ("Who to invite", .take("an")), ("Who to invite", .write("chess")),
            ("Who to invite", .write("new@example.org")), Self.nobody, ("City", .enter),
            ("Interest", .take("mus")), ("Place", .offer(1)), Self.friday,
            ("Duration", .write("90m")), ("Reminders", .write("2d, 30m")), Self.create,
        ])
        #expect(request.title == "Board games")
        #expect(request.with.count == 3)
        #expect(request.with.dropFirst() == ["circle:Chess", "new@example.org"])
        #expect(request.place?.hasPrefix("osm:") == true)
        #expect(request.placeText == nil)
        #expect(request.start == "2026-12-04T19:00:00")
        #expect(request.duration?.iso == "PT1H30M")
        #expect(request.reminders?.map(\.iso) == ["P2D", "PT30M"])
        #expect(person.said.contains("Time: Friday 4 December 2026, 19:00, Europe/Helsinki"))
        #expect(person.said.contains { $0.contains("OpenStreetMap") })
        let summary = try #require(person.questions.last?.notes)
        #expect(
            summary.contains(
                "2  People     Anna Aalto, Chess (circle, 1 person), new@example.org (new)"))
        #expect(summary.contains("3 invitations to send, 8 reminders planned"))
    }

    @Test func `Optional answers can be left empty`() async throws {
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults
                + [Self.create])
        #expect(request.with == [])
        #expect(request.place == nil)
        #expect(request.duration?.iso == "PT1H")
        #expect(request.reminders?.map(\.iso) == ["P1D", "PT1H"])
    }

    @Test func `After a wrong answer, the question is asked again with the reason`() async throws {
        let (request, person, _) = try await Self.guide([
            ("Title", .write(" ")), Self.title,
            ("Who to invite", .write("xyz, ben")), Self.nobody, Self.nobody,
            ("City", .write("Springfield")), ("City", .offer(1)),
            ("Interest", .write("zzzzzz")), ("Interest", .write("")),
            ("Place", .write("My place")), ("Start", .write("yesterday 10:00")),
            ("Start", .write("soon")), ("Start", .write("2026-12-24 18:00")),
            ("Duration", .write("0m")), ("Duration", .write("2h")),
            ("Reminders", .write("soon")), ("Reminders", .write("none")), Self.create,
        ])
        let reasons = person.questions.flatMap(\.notes)
        for reason in [
            "The title is empty.", "is called \"xyz\"", "Several cities match", "zzzzzz",
            ", has passed. Give one in the future.", "soon", "A meeting ends after it starts",
        ] {
            #expect(reasons.contains { $0.contains(reason) }, "\(reason)")
        }
        #expect(request.with.count == 1)
        #expect(request.place == "My place")
        #expect(request.reminders == [])
    }

    @Test func `If several people match a name, one of them is chosen`() async throws {
        let (request, person, planner) = try await Self.guide(
            [
                Self.title, ("Who to invite", .write("anna, ben")), ("Who to invite", .offer(2)),
                ("Who to invite", .write("ben")), ("Who to invite", .write("")),
                ("Who to invite", .takeBack), ("Who to invite", .write("olga owner")),
                ("Who to invite", .write("")), Self.nobody, Self.noCity, Self.noPlace,
                Self.friday,
            ] + Self.defaults + [Self.create])
        let chosen = try #require(request.with.first)
        #expect(request.with.count == 1)
        #expect(try await planner.contact(chosen).name.hasPrefix("Anna"))
        let reasons = person.questions.flatMap(\.notes)
        #expect(reasons.contains("Ben Bo is already invited."))
        #expect(reasons.contains("You already take part as the organizer."))
    }

    @Test func `A line is changed by its number, and dependent lines are asked for again`()
        async throws
    {
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults
                + [
                    ("Next step", .write("what")), ("Next step", .write("1")),
                    ("Title", .write("Chess")), ("Next step", .write("3")),
                    ("City", .write("Helsinki")), ("Interest", .write("cafe")),
                    ("Place", .offer(1)), ("Next step", .write("6")),
                    ("Start", .write("sat 12:00")), ("Next step", .write("create")),
                ])
        #expect(request.title == "Chess")
        #expect(request.place?.hasPrefix("osm:") == true)
        #expect(request.start == "2026-12-05T12:00:00")
    }

    @Test func `For a city outside the catalogue, help is shown and words are accepted`()
        async throws
    {
        let (request, person, _) = try await Self.guide(
            [
                Self.title, Self.nobody, ("City", .write("Tokyo")),
                ("Interest", .write("museum")), ("Place", .write("At the station")),
                Self.friday,
            ] + Self.defaults + [Self.create])
        #expect(request.place == "At the station")
        let notes = person.questions.flatMap(\.notes)
        #expect(notes.contains { $0.contains("letsmeet place fetch") })
    }

    @Test(arguments: ["l", "quit"])
    func `Leaving creates no meeting`(word: String) async throws {
        await #expect(throws: Leaving.ended) {
            _ = try await Self.guide(
                [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults
                    + [("Next step", .write(word))])
        }
    }

    @Test func `A start keeps the time zone of its place`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addPlace("Office", near: "40.71,-74.01", address: "1 Wall St")
            let person = ScriptedQuestioner(
                [Self.title, Self.nobody, Self.noCity, ("Place", .offer(1)), Self.friday]
                    + Self.defaults + [Self.create])
            let request = try await MeetingGuide(planner, asking: person).request()
            #expect(person.surprises == [])
            #expect(person.said.contains("Time: Friday 4 December 2026, 19:00, America/New_York"))
            let made = try await planner.createMeeting(request, saving: false)
            #expect(made.meeting.start.text == "2026-12-04T19:00:00-05:00")
        }
    }

    @Test(arguments: [
        ("1d 1h", ["P1D", "PT1H"]), ("1d, 1h", ["P1D", "PT1H"]),
        ("1d 2h,30m", ["P1D", "PT2H", "PT30M"]),
        ("1d12h", ["P1DT12H"]), ("1 hour 30 minutes", ["PT1H30M"]), ("an hour", ["PT1H"]),
        ("none", []),
    ])
    func `Reminders are typed as for the option`(
        typed: String, spans: [String]
    ) async throws {
        let (request, _, _) = try await Self.guide([
            Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday,
            ("Duration", .enter), ("Reminders", .write(typed)), Self.create,
        ])
        #expect(request.reminders?.map(\.iso) == spans)
    }

    @Test func `Changing the interest without a city asks for the city first`() async throws {
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults + [
                ("Next step", .write("4")), ("City", .write("Helsinki")),
                ("Interest", .write("museum")), ("Place", .offer(1)),
                ("Next step", .write("4")), ("Interest", .write("cafe")),
                ("Place", .offer(1)), Self.create,
            ])
        #expect(request.place?.hasPrefix("osm:") == true)
    }

    @Test func `A place in another time zone asks for the start again`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addPlace("Office", near: "40.71,-74.01", address: "1 Wall St")
            let person = ScriptedQuestioner(
                [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday]
                    + Self.defaults + [
                        ("Next step", .write("5")), ("Place", .offer(1)),
                        ("Start", .write("fri 12:00")), ("Next step", .write("5")),
                        ("Place", .write("My place")), ("Start", .enter),
                        ("Next step", .write("5")), ("Place", .write("Your place")), Self.create,
                    ])
            let request = try await MeetingGuide(planner, asking: person).request()
            #expect(person.surprises == [])
            #expect(person.rest == [])
            #expect(person.said.contains("Time: Friday 4 December 2026, 12:00, America/New_York"))
            #expect(person.said.contains("Time: Friday 4 December 2026, 12:00, Europe/Helsinki"))
            let notes = person.questions.filter { $0.label == "Start" }.map(\.notes)
            #expect(
                notes == [
                    [], ["Times are now in America/New_York, no longer in Europe/Helsinki."],
                    ["Times are now in Europe/Helsinki, no longer in America/New_York."],
                ])
            let summaries = person.questions.filter { $0.label == "Next step" }.map(\.notes)
            #expect(
                summaries[1].contains(
                    "6  Time       Fri 4 December 2026, 19:00–20:00 (Europe/Helsinki), "
                        + "local time Fri 4 December 2026, 12:00–13:00 (America/New_York)"))
            let made = try await planner.createMeeting(request, saving: false)
            #expect(made.meeting.start.text == "2026-12-04T12:00:00+02:00")
        }
    }
}
