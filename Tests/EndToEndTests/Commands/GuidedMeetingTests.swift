import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct GuidedMeetingTests {
    private static let bare = ["meeting", "new", "--now", "2026-12-01T10:00:00Z"]

    /// Runs a test on a home in Helsinki with a few people.
    private static func withHome(_ body: (Program) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let setup = try await letsmeet.run(
                "setup", "--name", "Olga Owner", "--area", "Helsinki", "--json")
            #expect(setup.status == 0, "\(setup.errors)")
            for (name, address) in [("Anna Aalto", "anna@a.org"), ("Ännikä 漢字", "a@b.org")] {
                _ = try await letsmeet.run("people", "add", name, "--email", address)
            }
            try await body(letsmeet)
        }
    }

    private static func meetings(_ letsmeet: Program) async throws -> [[String: Any]] {
        let list = try await letsmeet.run(
            "meeting", "list", "--json", "--now", "2026-12-01T10:00:00Z")
        return try #require(list.json["meetings"] as? [[String: Any]])
    }

    @Test(arguments: [80, 24])
    func `A meeting is created by answering questions`(columns: Int) async throws {
        try await Self.withHome { letsmeet in
            let terminal = try PseudoTerminal(columns: columns, rows: 40)
            let run = try terminal.start(letsmeet, Self.bare)
            try await terminal.wait(for: "Title:")
            #expect(!terminal.isCooked)
            terminal.type("Bord\u{1B}[D\u{1B}[Da\u{1B}[F games\r")
            try await terminal.wait(for: "Who to inv")
            terminal.type("ann")
            try await terminal.wait(for: "Ännikä 漢字")
            terminal.type("\u{1B}[B\u{1B}[B\t")
            try await terminal.wait(for: "With Ännikä 漢字")
            terminal.type("guest@example.org\r")
            try await terminal.wait(for: "(new)")
            terminal.type("\r")
            try await terminal.wait(for: "City [Hel")
            terminal.type("\r")
            try await terminal.wait(for: "Interest:")
            terminal.type("muse\t")
            try await terminal.wait(for: "1  Amos Rex")
            terminal.type("1\r")
            try await terminal.wait(for: "Place: Amos Rex")
            terminal.type("fri 19:30")
            try await terminal.wait(for: "Friday 4 December")
            terminal.type("\r\r\r")
            try await terminal.wait(for: "2 invitations to send")
            #expect(try await Self.meetings(letsmeet).isEmpty)
            terminal.type("c\r")
            #expect(await run.status == 0, "\(terminal.screen.text)")
            #expect(terminal.isCooked)
            #expect(terminal.screen.strays.isEmpty)
            let made = try #require(try await Self.meetings(letsmeet).first)
            #expect(made["title"] as? String == "Board games")
            #expect(made["start"] as? String == "2026-12-04T19:30:00+02:00")
            #expect((made["place"] as? String)?.hasPrefix("Amos Rex") == true)
        }
    }

    @Test(arguments: [("\u{3}", Int32(130)), ("\u{4}", 1)])
    func `Leaving saves nothing and restores the terminal`(
        key: String, status: Int32
    ) async throws {
        try await Self.withHome { letsmeet in
            let terminal = try PseudoTerminal()
            let run = try terminal.start(letsmeet, Self.bare)
            try await terminal.wait(for: "Title:")
            terminal.type("Lunch\r")
            try await terminal.wait(for: "Who to invite:")
            terminal.type(key)
            try await terminal.wait(for: "Nothing was saved.")
            #expect(await run.status == status)
            #expect(terminal.isCooked)
            #expect(terminal.screen.sequences.last { $0.hasPrefix("[?2004") } == "[?2004l")
            #expect(try await Self.meetings(letsmeet).isEmpty)
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `A signal that ends the command restores the terminal`(signal: Int32) async throws {
        try await Self.withHome { letsmeet in
            let terminal = try PseudoTerminal()
            let run = try terminal.start(letsmeet, Self.bare)
            try await terminal.wait(for: "Title:")
            terminal.type("Lunch\r")
            try await terminal.wait(for: "Who to invite:")
            #expect(!terminal.isCooked)
            kill(run.id, signal)
            #expect(await run.status == signal)
            #expect(terminal.isCooked)
            #expect(terminal.screen.sequences.last { $0.hasPrefix("[?2004") } == "[?2004l")
        }
    }

    @Test func `Control sequences are never sent to the terminal`() async throws {
        try await Self.withHome { letsmeet in
            let terminal = try PseudoTerminal()
            let run = try terminal.start(letsmeet, Self.bare, environment: ["NO_COLOR": "1"])
            try await terminal.wait(for: "Title:")
            terminal.type(bytes: [0x00, 0xFF, 0x07, 0xC3])
            terminal.type(bytes: Array("\u{A4}".utf8).suffix(1))
            let paste =
                "\u{1B}[200~Big\u{1B}[2J\u{7}\n\(String(repeating: "x", count: 3000))\u{1B}[201~"
            terminal.type("\(paste)\r")
            try await terminal.wait(for: "The title is longer than 200 characters.")
            terminal.type("\u{15}\u{1B}[200~Movie\r\nnight\u{1B}[201~\r")
            try await terminal.wait(for: "Title: Movie night")
            try await terminal.wait(for: "Who to invite:")
            terminal.type("\u{3}")
            #expect(await run.status == 130)
            #expect(terminal.screen.strays.isEmpty)
            #expect(!terminal.screen.sequences.contains { $0.hasSuffix("m") || $0 == "[2J" })
        }
    }

    @Test func `On a simple terminal, questions are asked line by line`() async throws {
        try await Self.withHome { letsmeet in
            let terminal = try PseudoTerminal()
            let run = try terminal.start(letsmeet, Self.bare, environment: ["TERM": "dumb"])
            try await terminal.wait(for: "Title:")
            #expect(terminal.isCooked)
            terminal.type("Lunch\n")
            try await terminal.wait(for: "Title: Lunch")
            terminal.type("anna\n")
            try await terminal.wait(for: "With Anna Aalto")
            terminal.type("\n")
            try await terminal.wait(for: "City [Helsinki]")
            terminal.type("\n")
            try await terminal.wait(for: "Interest:")
            terminal.type("museum\n")
            try await terminal.wait(for: "Place:")
            terminal.type("2\n")
            try await terminal.wait(for: "Start:")
            terminal.type("tomorrow 12:00\n")
            try await terminal.wait(for: "Duration [1h]")
            terminal.type("\n")
            try await terminal.wait(for: "Reminders [1d, 1h]")
            terminal.type("none\n")
            try await terminal.wait(for: "Next step:")
            terminal.type("c\n")
            #expect(await run.status == 0, "\(terminal.screen.text)")
            #expect(terminal.screen.sequences.isEmpty)
            #expect(try await Self.meetings(letsmeet).count == 1)
        }
    }

    @Test(arguments: [[], ["--json"], ["--yes"]])
    func `Without a terminal nothing is asked`(options: [String]) async throws {
        try await Self.withHome { letsmeet in
            let outcome = try await letsmeet.run(Self.bare + options)
            #expect(outcome.status == 2)
            #expect((outcome.output + outcome.errors).contains("--start"))
        }
    }

    @Test func `A dry run asks all questions and saves nothing`() async throws {
        try await Self.withHome { letsmeet in
            let terminal = try PseudoTerminal()
            let run = try terminal.start(letsmeet, Self.bare + ["--dry-run"])
            try await terminal.wait(for: "Title:")
            terminal.type("Lunch\r\r-\r\rtomorrow 12:00\r\r\rc\r")
            try await terminal.wait(for: "Nothing was saved.")
            #expect(await run.status == 0)
            #expect(try await Self.meetings(letsmeet).isEmpty)
        }
    }

    @Test func `Typed text in setup replaces the suggestion`() async throws {
        try await Self.withHome { letsmeet in
            let terminal = try PseudoTerminal()
            let run = try terminal.start(letsmeet, ["setup"])
            try await terminal.wait(for: "Your name [Olga Owner]:")
            terminal.type("Olli\r")
            try await terminal.wait(for: "Your mail address")
            terminal.type("nonsense\r")
            try await terminal.wait(for: "\"nonsense\" is not a mail address.")
            terminal.type("\u{15}olga@example.org\r\r\r")
            try await terminal.wait(for: "Mail server")
            terminal.type("\r")
            try await terminal.wait(for: "A reminder looks like this.")
            #expect(await run.status == 0)
            #expect(terminal.screen.text.contains("Olli <olga@example.org>, Europe/Helsinki"))
        }
    }
}
