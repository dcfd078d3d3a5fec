import TestKit
import Testing

/// A Foursquare place that was saved under a name of one's own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SavedFoursquareTests {
    private static let diner = FakeFoursquare.place(
        0xB1, "Invented Diner", latitude: "40.71", longitude: "-74.01")
    private static let lunch = ["meeting", "new", "Lunch", "--start", "2099-01-01T12:00"]

    /// Runs a test on a home in Helsinki where the diner is saved as Corner.
    private static func withCorner(
        _ body: (_ letsmeet: Program, _ fake: FakeFoursquare) async throws -> Void
    ) async throws {
        try await withFoursquare([.place(diner)], settings: ["TZ": "Europe/Helsinki"]) {
            letsmeet, fake in
            let saved = try await letsmeet.ask(
                "place save fsq:\(FakeFoursquare.id(0xB1)) --name Corner")
            #expect(saved.status == 0)
            try await body(letsmeet, fake)
            #expect(fake.faults.isEmpty)
        }
    }

    @Test func `A saved place is shown by its own name, without a question, after one request`()
        async throws
    {
        try await Self.withCorner { letsmeet, fake in
            let before = fake.requests.count
            let terminal = try PseudoTerminal(columns: 120)
            let run = try terminal.start(letsmeet, Self.lunch + ["--place", "corner"])
            try await terminal.wait(for: "Go ahead?")
            #expect(!terminal.screen.text.contains("in your words"))
            terminal.type("y\n")
            #expect(await run.status == 0, "\(terminal.screen.text)")
            let done = terminal.screen.text.split(separator: "Done:").last ?? ""
            #expect(done.contains("12:00–13:00 (America/New_York)"))
            #expect(fake.requests.count == before + 1)
            let meeting = try await letsmeet.ask("meeting show lunch")
            #expect(meeting.place["text"] as? String == "Corner")
            #expect(meeting.json["tz"] as? String == "America/New_York")
        }
    }

    @Test(arguments: [
        (["LETSMEET_FOURSQUARE_URL": "http://127.0.0.1:1"], "127.0.0.1"),
        (["FOURSQUARE_SERVICE_KEY": ""], "FOURSQUARE_SERVICE_KEY"),
    ])
    func `If Foursquare is unreachable, a meeting uses the organizer's time zone and says so`(
        settings: [String: String], word: String
    ) async throws {
        try await Self.withCorner { letsmeet, _ in
            var offline = letsmeet
            offline.settings.merge(settings) { $1 }
            let made = try await offline.run(Self.lunch + ["--place", "corner", "--json"])
            #expect(made.status == 0, "\(made.output)")
            #expect(made.place["text"] as? String == "Corner")
            #expect(made.place["id"] as? String == "fsq:\(FakeFoursquare.id(0xB1))")
            let meeting = made.json["meeting"] as? [String: Any]
            #expect(meeting?["tz"] as? String == "Europe/Helsinki")
            let remarks = made.json["remarks"] as? [String] ?? []
            #expect(remarks.contains { $0.contains("Corner") && $0.contains(word) }, "\(remarks)")
            let edited = try await offline.ask("meeting edit lunch --place corner")
            #expect(edited.status == 0)
            let near = try await offline.ask("place search --near corner --for museum")
            #expect(near.status == 3)
        }
    }
}
