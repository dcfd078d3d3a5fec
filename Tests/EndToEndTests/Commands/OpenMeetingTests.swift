import Foundation
import TestKit
import Testing

/// Open meetings on the command line: people join, wait, get seats and leave.
@Suite(.timeLimit(.minutes(5))) struct OpenMeetingTests {
    /// A home of Olga, whose circle Players has Anna, Ben and Cleo. Dora is in no circle.
    private struct Home {
        let letsmeet: Program

        func run(_ line: String, as person: String? = nil) async throws -> Program.Outcome {
            let words = line.split(separator: " ").map(String.init)
            let actor = person.map { ["--as", $0] } ?? []
            return try await letsmeet.run(
                words + actor + ["--json", "--now", "2026-12-01T09:00:00Z"])
        }

        /// Runs a command that is not refused.
        @discardableResult
        func done(_ line: String, as person: String? = nil) async throws -> [String: Any] {
            let outcome = try await run(line, as: person)
            #expect(outcome.status == 0, "\(line): \(outcome.output) \(outcome.errors)")
            return outcome.json
        }

        /// Runs a command that is refused, and returns the code of the refusal.
        func refused(_ line: String, as person: String? = nil) async throws -> String? {
            let outcome = try await run(line, as: person)
            #expect(outcome.status == 1, "\(line): \(outcome.output)")
            return outcome.code
        }

        func seating(as person: String? = nil) async throws -> [String: Any] {
            let shown = try await done("meeting show chess", as: person)
            return try #require(shown["seating"] as? [String: Any])
        }

        func text(_ line: String, as person: String? = nil) async throws -> String {
            let words = line.split(separator: " ").map(String.init)
            let actor = person.map { ["--as", $0] } ?? []
            let outcome = try await letsmeet.run(
                words + actor + ["--now", "2026-12-01T09:00:00Z"])
            #expect(outcome.status == 0, "\(line): \(outcome.errors)")
            return outcome.output
        }
    }

    private func withHome(_ body: (Home) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            let home = Home(letsmeet: Program("letsmeet", home: folder + "/home"))
            try await home.done("setup --name Olga --email olga@example.org --tz UTC")
            for name in ["Anna", "Ben", "Cleo", "Dora"] {
                try await home.done(
                    "people add \(name) --email \(name.lowercased())@example.org")
            }
            try await home.done("circle new Players anna ben cleo")
            for name in ["anna", "ben", "cleo"] { try await home.done("account invite \(name)") }
            try await body(home)
        }
    }

    private static let chess =
        "meeting new Chess --start 2026-12-04T19:00 --open --audience circle:Players"

    @Test func `People join until it is full, wait, and get the seats of those who leave`()
        async throws
    {
        try await withHome { home in
            let made = try await home.done("\(Self.chess) --seats 3")
            let meeting = try #require(made["meeting"] as? [String: Any])
            #expect(meeting["open"] as? Bool == true && meeting["seats"] as? Int == 3)
            #expect(meeting["audience"] as? String == "circle:Players")
            #expect(try await home.done("join chess", as: "anna")["result"] as? String == "joined")
            #expect(try await home.refused("join chess", as: "anna") == "already_joined")
            #expect(try await home.refused("join chess") == "own_meeting")
            #expect(try await home.refused("join chess", as: "dora") == "unknown_meeting")
            #expect(try await home.refused("meeting show chess", as: "dora") == "unknown_meeting")
            try await home.done("join chess", as: "ben")
            let late = try await home.done("join chess", as: "cleo")
            #expect(late["result"] as? String == "waiting" && late["position"] as? Int == 1)
            #expect(try await home.refused("join chess", as: "cleo") == "waiting")
            let full = try await home.text("meeting show chess")
            #expect(full.contains("Seats      3 of 3 taken, 1 on the waiting list"), "\(full)")
            #expect(full.contains("Open to    the circle Players"), "\(full)")
            let waiting = try await home.text("meeting show chess", as: "cleo")
            #expect(waiting.contains("You        wait for a seat, at place 1"), "\(waiting)")

            let left = try await home.done("leave chess", as: "anna")
            #expect(left["result"] as? String == "left")
            #expect(try await home.seating(as: "cleo")["standing"] as? String == "going")
            #expect(try await home.refused("leave chess", as: "anna") == "not_joined")
            #expect(try await home.refused("leave chess", as: "dora") == "unknown_meeting")
            let joined = try await home.done("meeting list --joined", as: "cleo")
            #expect((joined["meetings"] as? [Any])?.count == 1)
            let gone = try await home.done("meeting list --joined", as: "anna")
            #expect((gone["meetings"] as? [Any])?.count == 0)
        }
    }

    @Test func `A preview of joining changes nothing`() async throws {
        try await withHome { home in
            try await home.done("\(Self.chess) --seats 3")
            try await home.done("join chess --plus 1 --dry-run", as: "anna")
            #expect(try await home.seating()["taken"] as? Int == 1)
            try await home.done("join chess --plus 1", as: "anna")
            #expect(try await home.seating()["taken"] as? Int == 3)
            try await home.done("leave chess --dry-run", as: "anna")
            #expect(try await home.seating()["taken"] as? Int == 3)
        }
    }

    @Test func `More seats let people in, and fewer have to be confirmed`() async throws {
        try await withHome { home in
            try await home.done("\(Self.chess) --seats 2")
            try await home.done("join chess", as: "anna")
            try await home.done("join chess", as: "ben")
            try await home.done("meeting edit chess --seats 3 --yes")
            #expect(try await home.seating(as: "ben")["standing"] as? String == "going")
            #expect(try await home.refused("meeting edit chess --seats 2") == "seats_below_going")
            try await home.done("meeting edit chess --seats 2 --yes")
            let seating = try await home.seating()
            #expect(seating["seats"] as? Int == 2 && seating["taken"] as? Int == 3)
            try await home.done("meeting edit chess --closed")
            #expect(try await home.refused("join chess", as: "cleo") == "unknown_meeting")
        }
    }

    @Test func `On a terminal, fewer seats than people are asked about`() async throws {
        try await withHome { home in
            try await home.done("\(Self.chess) --seats 3")
            try await home.done("join chess", as: "anna")
            let terminal = try PseudoTerminal(columns: 100)
            let edit = try terminal.start(
                home.letsmeet,
                ["meeting", "edit", "chess", "--seats", "1", "--now", "2026-12-01T09:00:00Z"])
            try await terminal.wait(for: "Set this number of seats?")
            terminal.type("n\n")
            #expect(await edit.status == 1)
            #expect(try await home.seating()["seats"] as? Int == 3)
        }
    }

    @Test func `The organizer decides on requests`() async throws {
        try await withHome { home in
            try await home.done("\(Self.chess) --approve")
            for name in ["anna", "ben"] {
                let asked = try await home.done("join chess --note Please", as: name)
                #expect(asked["result"] as? String == "requested")
            }
            let list = try await home.done("meeting requests chess")
            let requests = try #require(list["requests"] as? [[String: Any]])
            #expect(requests.map { $0["name"] as? String } == ["Anna", "Ben"])
            #expect(requests.first?["note"] as? String == "Please")
            #expect(try await home.refused("meeting admit chess") == "ambiguous_person")
            #expect(try await home.refused("meeting admit chess dora") == "not_joined")
            try await home.done("meeting admit chess anna --yes")
            #expect(try await home.seating(as: "anna")["standing"] as? String == "going")
            try await home.done("meeting refuse chess --yes")
            #expect(try await home.refused("join chess", as: "ben") == "not_admitted")
            #expect(
                try await home.refused("meeting requests chess", as: "anna") == "not_organizer")
            try await home.done("meeting admit chess ben --yes")
            #expect(try await home.seating(as: "ben")["standing"] as? String == "going")
        }
    }

    @Test func `A minimum is shown, and confirmed when it is reached`() async throws {
        try await withHome { home in
            try await home.done("\(Self.chess) --minimum 2 --by 2026-12-03T18:00")
            try await home.done("join chess", as: "anna")
            let shown = try await home.text("meeting show chess")
            #expect(
                shown.contains("1 more needed until Thu 3 December 2026, 18:00"), "\(shown)")
            #expect(try await home.refused("meeting confirm chess") == "too_few_joined")
            try await home.done("join chess", as: "ben")
            try await home.done("meeting confirm chess --yes")
            let after = try await home.text("meeting show chess")
            #expect(after.contains("2 of 2 joined, the meeting takes place"), "\(after)")
        }
    }

    @Test(arguments: [
        "meeting new X --start fri --approve", "meeting new X --start fri --minimum 4",
        "meeting new X --start fri --early", "meeting edit chess --open --closed",
        "meeting edit chess --seats 4 --on next", "join chess --plus -1", "join",
        "meeting list --joined --friends",
    ])
    func `Options that do not fit are usage errors`(_ line: String) async throws {
        let called = try await Program("letsmeet", home: "/none")
            .run(line.split(separator: " ").map(String.init))
        #expect(called.status == 2, "\(called.errors)")
    }
}
