import Foundation
import TestKit
import Testing

/// Descriptions of places from Foursquare may not be stored, but a line that a person accepts may.
@Suite(.timeLimit(.minutes(5))) struct AcceptedLineTests {
    private static let place = "fsq:\(FakeFoursquare.id(0xA1))"
    private static let line =
        "Museum of Invented Things, Keksitty katu 3 (2nd floor), 00100 Helsinki"
    private static let page = "https://foursquare.com/v/\(FakeFoursquare.id(0xA1))"
    private static let search = ["--city", "Helsinki", "--for", "museum"]
    private static let lunch = ["meeting", "new", "Lunch", "--start", "2099-01-01T12:00"]

    /// Runs a test on a home with a key, and a service with these answers.
    private static func withService(
        _ answers: [FakeFoursquareAnswer],
        _ body: (_ letsmeet: Program, _ environment: [String: String]) async throws -> Void
    ) async throws {
        try await withFolderOnDisk { folder in
            let fake = try FakeFoursquare(answers)
            defer { fake.stop() }
            try await body(
                Program("letsmeet", home: folder + "/home"),
                [
                    "FOURSQUARE_SERVICE_KEY": FakeFoursquare.key,
                    "LETSMEET_FOURSQUARE_URL": fake.url,
                ])
            #expect(fake.faults.isEmpty)
        }
    }

    /// Runs the command on a terminal, and edits the line with these keys.
    private static func make(
        _ arguments: [String], keys: String, _ letsmeet: Program, _ environment: [String: String]
    ) async throws -> (text: String?, id: String?) {
        let terminal = try PseudoTerminal(columns: 120)
        let run = try terminal.start(letsmeet, arguments, environment: environment)
        try await terminal.wait(for: "The place in your words: \(line)")
        #expect(terminal.screen.text.contains("Text from Foursquare may not be stored"))
        #expect(!terminal.screen.text.contains("--place-text"))
        terminal.type(keys + "\r")
        try await terminal.wait(for: "Go ahead?")
        terminal.type("y\n")
        #expect(await run.status == 0, "\(terminal.screen.text)")
        return try await kept(letsmeet)
    }

    private static func kept(_ letsmeet: Program) async throws -> (text: String?, id: String?) {
        let meeting = try await letsmeet.run("meeting", "show", "lunch", "--json")
        let place = meeting.json["place"] as? [String: Any]
        #expect(place?["latitude"] is NSNull)
        return (place?["text"] as? String, place?["id"] as? String)
    }

    @Test(arguments: [
        ("", line), ("\u{15}By the big whale", "By the big whale"),
        ("\u{15}", page),
    ])
    func `The place line is shown, and saved as accepted`(keys: String, text: String) async throws {
        try await Self.withService([.place(FakeFoursquare.museum)]) { letsmeet, environment in
            let kept = try await Self.make(
                Self.lunch + ["--place", Self.place], keys: keys, letsmeet, environment)
            #expect(kept.text == text)
            #expect(kept.id == Self.place)
        }
    }

    @Test func `The place line is also shown for a place from a search`() async throws {
        let answers: [FakeFoursquareAnswer] = [
            .places([FakeFoursquare.museum]), .place(FakeFoursquare.museum),
        ]
        try await Self.withService(answers) { letsmeet, environment in
            let kept = try await Self.make(
                Self.lunch + Self.search, keys: "!", letsmeet, environment)
            #expect(kept.text == Self.line + "!")
            #expect(kept.id == Self.place)
        }
    }

    @Test func `The place line is also shown for a place in an edit`() async throws {
        try await Self.withService([.place(FakeFoursquare.museum)]) { letsmeet, environment in
            _ = try await letsmeet.run(Self.lunch)
            let kept = try await Self.make(
                ["meeting", "edit", "lunch", "--place", Self.place], keys: "!", letsmeet,
                environment)
            #expect(kept.text == Self.line + "!")
        }
    }

    @Test(arguments: [["--json"], ["--yes"], ["--place-text", "Ours"], ["--dry-run"]])
    func `Nothing is asked if the place line is given or nobody can answer`(
        options: [String]
    ) async throws {
        try await Self.withService([.place(FakeFoursquare.museum)]) { letsmeet, environment in
            let terminal = try PseudoTerminal(columns: 120)
            let run = try terminal.start(
                letsmeet, Self.lunch + ["--place", Self.place] + options, environment: environment)
            if options[0] == "--place-text" {
                try await terminal.wait(for: "Go ahead?")
                terminal.type("y\n")
            }
            #expect(await run.status == 0)
            #expect(!terminal.screen.text.contains("in your words"))
            guard options != ["--dry-run"] else { return }
            let text = try await Self.kept(letsmeet).text
            #expect(text == (options[0] == "--place-text" ? "Ours" : Self.page))
        }
    }

    @Test func `Leaving at the place line changes nothing`() async throws {
        try await Self.withService([.place(FakeFoursquare.museum)]) { letsmeet, environment in
            let terminal = try PseudoTerminal(columns: 120)
            let run = try terminal.start(
                letsmeet, Self.lunch + ["--place", Self.place], environment: environment)
            try await terminal.wait(for: "The place in your words:")
            terminal.type("\u{3}")
            #expect(await run.status == 130)
            #expect(try await letsmeet.run("meeting", "show", "lunch").status == 1)
        }
    }

    @Test func `The place line is also shown for a place chosen in the questions`() async throws {
        let answers: [FakeFoursquareAnswer] = [
            .places([FakeFoursquare.museum]), .place(FakeFoursquare.museum),
        ]
        try await Self.withService(answers) { letsmeet, environment in
            let terminal = try PseudoTerminal(columns: 120, rows: 40)
            let run = try terminal.start(letsmeet, ["meeting", "new"], environment: environment)
            try await terminal.wait(for: "Title:")
            terminal.type("Lunch\r\rHelsinki\rmuseum\r")
            try await terminal.wait(for: "1  Museum of Invented Things")
            terminal.type("1\r")
            try await terminal.wait(for: "The place in your words: \(Self.line)")
            terminal.type("\u{15}\r")
            try await terminal.wait(for: "Place: \(Self.page)")
            terminal.type("2099-01-01 12:00\r\r\r")
            try await terminal.wait(for: "Next step:")
            terminal.type("c\r")
            #expect(await run.status == 0, "\(terminal.screen.text)")
            let text = try await Self.kept(letsmeet).text
            #expect(text == Self.page)
        }
    }
}
