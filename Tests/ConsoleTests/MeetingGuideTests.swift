import Planning
import Settings
import TestKit
import Testing
import Timekeeping

@testable import letsmeet

struct MeetingGuideTests {
    private typealias Answer = ScriptedQuestioner.Answer

    /// Runs the script in a home with some people, and returns what the planner would be asked.
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

    private static let title = ("What is it about", Answer.write("Board games"))
    private static let nobody = ("Whom to invite", Answer.write(""))
    private static let noCity = ("In which city", Answer.write(""))
    private static let noPlace = ("Where", Answer.write(""))
    private static let friday = ("When", Answer.write("fri 19:00"))
    private static let defaults = [("How long", Answer.enter), ("Reminders", Answer.enter)]
    private static let create = ("Create it", Answer.write("c"))

    @Test func `Every answer arrives in the request`() async throws {
        let (request, person, _) = try await Self.guide([
            Self.title, ("Whom to invite", .take("an")), ("Whom to invite", .write("chess")),
            ("Whom to invite", .write("new@example.org")), Self.nobody, ("In which city", .enter),
            ("What kind of place", .take("mus")), ("Where", .offer(1)), Self.friday,
            ("How long", .write("90m")), ("Reminders", .write("2d, 30m")), Self.create,
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
        #expect(summary.contains("3 invitations now, 8 reminders planned"))
    }

    @Test func `What can stay away may stay away`() async throws {
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults
                + [Self.create])
        #expect(request.with == [])
        #expect(request.place == nil)
        #expect(request.duration?.iso == "PT1H")
        #expect(request.reminders?.map(\.iso) == ["P1D", "PT1H"])
    }

    @Test func `A wrong answer is asked for again, with the reason`() async throws {
        let (request, person, _) = try await Self.guide([
            ("What is it about", .write(" ")), Self.title,
            ("Whom to invite", .write("xyz, ben")), Self.nobody, Self.nobody,
            ("In which city", .write("Springfield")), ("In which city", .offer(1)),
            ("What kind of place", .write("zzzzzz")), ("What kind of place", .write("")),
            ("Where", .write("My place")), ("When", .write("yesterday 10:00")),
            ("When", .write("soon")), ("When", .write("2026-12-24 18:00")),
            ("How long", .write("0m")), ("How long", .write("2h")),
            ("Reminders", .write("soon")), ("Reminders", .write("none")), Self.create,
        ])
        let reasons = person.questions.flatMap(\.notes)
        for reason in [
            "The title is empty.", "is called xyz", "Springfield may be several", "zzzzzz",
            "That start has passed", "soon", "A meeting ends after it starts",
        ] {
            #expect(reasons.contains { $0.contains(reason) }, "\(reason)")
        }
        #expect(request.with.count == 1)
        #expect(request.place == "My place")
        #expect(request.reminders == [])
    }

    @Test func `Who is named by a name that several have is chosen among them`() async throws {
        let (request, person, planner) = try await Self.guide(
            [
                Self.title, ("Whom to invite", .write("anna, ben")), ("Whom to invite", .offer(2)),
                ("Whom to invite", .write("ben")), ("Whom to invite", .write("")),
                ("Whom to invite", .takeBack), ("Whom to invite", .write("olga owner")),
                ("Whom to invite", .write("")), Self.nobody, Self.noCity, Self.noPlace,
                Self.friday,
            ] + Self.defaults + [Self.create])
        let chosen = try #require(request.with.first)
        #expect(request.with.count == 1)
        #expect(try await planner.contact(chosen).name.hasPrefix("Anna"))
        let reasons = person.questions.flatMap(\.notes)
        #expect(reasons.contains("Ben Bo is invited already."))
        #expect(reasons.contains("You take part anyway."))
    }

    @Test func `A line is changed by its number, and what hangs on it is asked again`() async throws
    {
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults
                + [
                    ("Create it", .write("what")), ("Create it", .write("1")),
                    ("What is it about", .write("Chess")), ("Create it", .write("3")),
                    ("In which city", .write("Helsinki")), ("What kind of place", .write("cafe")),
                    ("Where", .offer(1)), ("Create it", .write("6")),
                    ("When", .write("sat 12:00")), ("Create it", .write("create")),
                ])
        #expect(request.title == "Chess")
        #expect(request.place?.hasPrefix("osm:") == true)
        #expect(request.start == "2026-12-05T12:00:00")
    }

    @Test func `A city that the catalogue does not cover says what helps, and words will do`()
        async throws
    {
        let (request, person, _) = try await Self.guide(
            [
                Self.title, Self.nobody, ("In which city", .write("Tokyo")),
                ("What kind of place", .write("museum")), ("Where", .write("At the station")),
                Self.friday,
            ] + Self.defaults + [Self.create])
        #expect(request.place == "At the station")
        let notes = person.questions.flatMap(\.notes)
        #expect(notes.contains { $0.contains("letsmeet place fetch") })
    }

    @Test(arguments: ["l", "quit"])
    func `Whoever leaves gets nothing made`(word: String) async throws {
        await #expect(throws: Leaving.ended) {
            _ = try await Self.guide(
                [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults
                    + [("Create it", .write(word))])
        }
    }

    @Test func `A start keeps the zone of its place`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addPlace("Office", near: "40.71,-74.01", address: "1 Wall St")
            let person = ScriptedQuestioner(
                [Self.title, Self.nobody, Self.noCity, ("Where", .offer(1)), Self.friday]
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
    func `Reminders are typed as the option takes them`(
        typed: String, spans: [String]
    ) async throws {
        let (request, _, _) = try await Self.guide([
            Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday,
            ("How long", .enter), ("Reminders", .write(typed)), Self.create,
        ])
        #expect(request.reminders?.map(\.iso) == spans)
    }

    @Test func `Who changes the interest without a city is asked for the city first`() async throws
    {
        let (request, _, _) = try await Self.guide(
            [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday] + Self.defaults + [
                ("Create it", .write("4")), ("In which city", .write("Helsinki")),
                ("What kind of place", .write("museum")), ("Where", .offer(1)),
                ("Create it", .write("4")), ("What kind of place", .write("cafe")),
                ("Where", .offer(1)), Self.create,
            ])
        #expect(request.place?.hasPrefix("osm:") == true)
    }

    @Test func `A place in another zone asks for the start again`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addPlace("Office", near: "40.71,-74.01", address: "1 Wall St")
            let person = ScriptedQuestioner(
                [Self.title, Self.nobody, Self.noCity, Self.noPlace, Self.friday]
                    + Self.defaults + [
                        ("Create it", .write("5")), ("Where", .offer(1)),
                        ("When", .write("fri 12:00")), ("Create it", .write("5")),
                        ("Where", .write("My place")), ("When", .enter),
                        ("Create it", .write("5")), ("Where", .write("Your place")), Self.create,
                    ])
            let request = try await MeetingGuide(planner, asking: person).request()
            #expect(person.surprises == [])
            #expect(person.rest == [])
            #expect(person.said.contains("Time: Friday 4 December 2026, 12:00, America/New_York"))
            #expect(person.said.contains("Time: Friday 4 December 2026, 12:00, Europe/Helsinki"))
            let notes = person.questions.filter { $0.label == "When" }.map(\.notes)
            #expect(
                notes == [
                    [], ["Times are in America/New_York there, no longer in Europe/Helsinki."],
                    ["Times are in Europe/Helsinki there, no longer in America/New_York."],
                ])
            let summaries = person.questions.filter { $0.label == "Create it" }.map(\.notes)
            #expect(
                summaries[1].contains(
                    "6  Time       Fri 4 December 2026, 19:00–20:00 (Europe/Helsinki), "
                        + "there Fri 4 December 2026, 12:00–13:00 (America/New_York)"))
            let made = try await planner.createMeeting(request, saving: false)
            #expect(made.meeting.start.text == "2026-12-04T12:00:00+02:00")
        }
    }
}
