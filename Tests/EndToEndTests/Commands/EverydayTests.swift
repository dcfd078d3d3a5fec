import Foundation
import TestKit
import Testing

/// The output of everyday commands for a lunch.
@Suite(.timeLimit(.minutes(5))) struct EverydayTests {
    /// Runs a test on a home where Anna is invited to a lunch.
    private func withLunch(_ body: (Program) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("setup", "--name", "Olga", "--tz", "UTC", "--json")
            _ = try await letsmeet.run("people", "add", "Anna Aalto", "--email", "anna@a.org")
            let made = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna", "--start", "2099-01-02T12:00", "--yes")
            #expect(made.status == 0, "\(made.errors)")
            try await body(letsmeet)
        }
    }

    private func text(_ letsmeet: Program, _ arguments: String...) async throws -> String {
        let outcome = try await letsmeet.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output + outcome.errors
    }

    @Test func `An answer is confirmed with the extra people and the note`() async throws {
        try await withLunch { letsmeet in
            let when = "Lunch on Fri 2 January 2099, 12:00–13:00"
            let anna = try await text(
                letsmeet, "rsvp", "lunch", "yes", "--who", "anna", "--plus", "2", "--note", "Hi!",
                "--yes")
            #expect(anna.contains("Anna Aalto and 2 others are going to \(when)"), "\(anna)")
            #expect(anna.contains("\"Hi!\""), "\(anna)")
            let mine = try await text(letsmeet, "rsvp", "lunch", "no", "--yes")
            #expect(mine.contains("You are not coming to \(when)"), "\(mine)")
            let asAnna = try await text(
                letsmeet, "rsvp", "lunch", "maybe", "--as", "anna", "--yes")
            #expect(asAnna.contains("You and 2 others may come to \(when)"), "\(asAnna)")
        }
    }

    @Test func `A week is shown day by day`() async throws {
        try await withLunch { letsmeet in
            _ = try await text(
                letsmeet, "meeting", "new", "Choir", "--who", "anna", "--start", "2099-01-05T19:30",
                "--yes")
            let week = try await text(letsmeet, "today", "2099-01-01", "--week")
            let lines = week.split(separator: "\n")
            #expect(lines.count == 4, "\(week)")
            #expect(lines[0] == "Fri 2 January 2099" && lines[1].contains("Lunch"))
            #expect(lines[2] == "Mon 5 January 2099" && lines[3].contains("Choir"))
            let json = try await text(letsmeet, "today", "2099-01-01", "--week", "--json")
            let days = try JSONDecoder().decode(Week.self, from: Data(json.utf8)).days
            #expect(days.map(\.date).first == "2099-01-01" && days.count == 7)
            #expect(days.map(\.meetings.count) == [0, 1, 0, 0, 1, 0, 0])
            let none = try await text(letsmeet, "today", "2098-01-01", "--week")
            #expect(none == "No meetings in the seven days from 2098-01-01.")
        }
    }

    private struct Week: Decodable {
        struct Day: Decodable {
            struct Line: Decodable { let id: String }
            let date: String
            let meetings: [Line]
        }
        let days: [Day]
    }

    @Test func `A message is sent to the named guests alone`() async throws {
        try await withLunch { letsmeet in
            _ = try await text(letsmeet, "meeting", "invite", "lunch", "ben@b.org", "--yes")
            let sent = try await text(
                letsmeet, "message", "lunch", "Your coat is here.", "--who", "anna", "--yes")
            #expect(
                sent.contains("Recipients: Anna Aalto") && !sent.contains("ben@b.org"), "\(sent)")
        }
    }

    @Test func `Only languages with texts are accepted`() async throws {
        try await withLunch { letsmeet in
            let refused = try await letsmeet.run("people", "edit", "anna", "--language", "xx")
            #expect(refused.status == 2)
            #expect(
                refused.errors.contains(
                    "\"xx\" cannot be used: there are no texts in this language. Choose one of en "
                        + "(English), de (German)."), "\(refused.errors)")
            _ = try await text(letsmeet, "people", "edit", "anna", "--language", "de-AT")
        }
    }

    @Test func `After a quiet edit of the note, the guests can still be notified`() async throws {
        try await withLunch { letsmeet in
            _ = try await text(letsmeet, "meeting", "edit", "lunch", "--note", "Soup", "--yes")
            let told = try await text(letsmeet, "meeting", "edit", "lunch", "--notify", "--yes")
            #expect(told.contains("Recipients: Anna Aalto"), "\(told)")
            let again = try await text(letsmeet, "meeting", "edit", "lunch", "--notify", "--yes")
            #expect(again.contains("No one is notified"), "\(again)")
        }
    }

    @Test func `On a terminal, an answer that notifies nobody is saved without confirmation`()
        async throws
    {
        try await withLunch { letsmeet in
            let desk = try PseudoTerminal(columns: 120)
            let answer = try desk.start(letsmeet, ["rsvp", "lunch", "yes", "--who", "anna"])
            #expect(await answer.status == 0, "\(desk.screen.text)")
            #expect(desk.screen.text.contains("Done: Anna Aalto is going to Lunch"))
            let terminal = try PseudoTerminal(columns: 120)
            let message = try terminal.start(letsmeet, ["message", "lunch", "Bring a coat."])
            try await terminal.wait(for: "Go ahead?")
            terminal.type("n\n")
            #expect(await message.status == 1)
        }
    }

    @Test func `Reminders are shown in words`() async throws {
        try await withLunch { letsmeet in
            let shown = try await text(letsmeet, "meeting", "show", "lunch")
            #expect(shown.contains("Reminders  1 day, 1 hour before"), "\(shown)")
        }
    }

    @Test func `Setup says if the city is in another time zone`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program(
                "letsmeet", home: folder + "/home", settings: ["TZ": "America/New_York"])
            let hint = "The time zone of Rovaniemi is Europe/Helsinki"
            for (options, isTold) in [
                (["--name", "Olga"], false), (["--area", "Rovaniemi"], true), ([], true),
                (["--tz", "Asia/Tokyo"], false), ([], false), (["--tz", ""], true),
            ] {
                let setup = try await letsmeet.run(["setup"] + options)
                #expect(setup.status == 0)
                #expect(setup.errors.contains(hint) == isTold, "\(options): \(setup.errors)")
            }
        }
    }

    @Test func `Cancelled meetings are counted, and shown on request`() async throws {
        try await withLunch { letsmeet in
            _ = try await text(letsmeet, "meeting", "cancel", "lunch", "--yes")
            let list = try await text(letsmeet, "meeting", "list")
            #expect(list == "No meetings.\n1 cancelled meeting hidden; --cancelled shows all")
            let all = try await text(letsmeet, "meeting", "list", "--cancelled")
            #expect(all.contains("Lunch") && all.contains("cancelled"))
            let json = try await letsmeet.run("meeting", "list", "--json").json
            #expect((json["meetings"] as? [Any])?.count == 1)
        }
    }

    @Test func `Notifications that moves replaced are one line for each person`() async throws {
        try await withLunch { letsmeet in
            for day in 3...5 {
                _ = try await text(
                    letsmeet, "meeting", "move", "lunch", "2099-01-0\(day)T12:00", "--yes")
            }
            let short = try await text(letsmeet, "why", "lunch", "anna")
            let line = try #require(
                short.split(separator: "\n").first { $0.contains("notifications to Anna Aalto") })
            let count = try #require(Int(line.prefix { $0.isNumber }))
            #expect(short.contains("To see them: letsmeet why lunch anna --all"))
            let long = try await text(letsmeet, "why", "lunch", "anna", "--all")
            #expect(!long.contains("unsent notifications"))
            let json = try await letsmeet.run("why", "lunch", "anna", "--json").json
            let stories = try #require(json["stories"] as? [[String: Any]])
            let states = stories.compactMap {
                ($0["delivery"] as? [String: Any])?["state"] as? String
            }
            #expect(states.filter { $0 == "superseded" }.count == count)
        }
    }

    @Test func `Deliveries that differ only in their receivers are one line`() async throws {
        try await withLunch { letsmeet in
            _ = try await text(letsmeet, "people", "add", "Ben Berg", "--email", "b@b.org")
            _ = try await text(
                letsmeet, "meeting", "invite", "lunch", "--who", "ben", "--yes")
            let short = try await text(letsmeet, "outbox", "--meeting", "lunch")
            #expect(short.contains("3 receivers: "), "\(short)")
            let long = try await text(letsmeet, "outbox", "--meeting", "lunch", "--all")
            #expect(!long.contains("receivers") && long.contains("Ben Berg"), "\(long)")
            let receivers = long.split(separator: "\n").filter { $0.contains("reminder") }
                .map { $0.contains("Anna") ? "Anna" : $0.contains("Ben") ? "Ben" : "Me" }
            #expect(Array(receivers.prefix(2)) == ["Anna", "Ben"], "\(long)")
            let one = try await text(letsmeet, "outbox", "--meeting", "lunch", "--who", "ben")
            #expect(!one.contains("Anna"), "\(one)")
            let later = try await text(letsmeet, "outbox", "--from", "2099-01-02T11:30")
            #expect(later == "Nothing is waiting to be sent.")
            let why = try await text(letsmeet, "why", "lunch")
            let lines = why.split(separator: "\n").map(String.init)
            #expect(lines.count { $0.contains("next: invitation  ") } == 2, "\(why)")
            #expect(lines.contains { $0.hasPrefix("Anna Aalto") && $0.contains("nothing yet") })
            #expect(why.contains("letsmeet why lunch --all"))
            let named = try await text(letsmeet, "why", "lunch", "--who", "ben")
            #expect(named.contains("Ben Berg is invited to Lunch"), "\(named)")
            let list = try await text(letsmeet, "meeting", "list", "--with", "anna,ben")
            #expect(list.contains("Lunch"))
            _ = try await text(letsmeet, "meeting", "uninvite", "lunch", "ben", "--yes")
            #expect(
                try await text(letsmeet, "meeting", "list", "--with", "anna", "ben")
                    == "No coming meetings with anna and ben. To search the past ones, add --past."
            )
        }
    }

    @Test(arguments: [("2\r", 0, "Anna Berg"), ("\r", 1, nil), ("3\r", 1, nil)])
    func `On a terminal, a name of several people is a choice`(
        typed: String, status: Int32, invited: String?
    ) async throws {
        try await withLunch { letsmeet in
            _ = try await text(letsmeet, "people", "add", "Anna Berg", "--email", "b@b.org")
            let terminal = try PseudoTerminal(columns: 100)
            let run = try terminal.start(
                letsmeet,
                ["meeting", "new", "Tea", "--with", "anna"]
                    + ["--start", "2099-01-03T12:00", "--yes"])
            try await terminal.wait(for: "Number (Enter to stop):")
            #expect(terminal.screen.text.contains("1  Anna Aalto"))
            terminal.type(typed)
            #expect(await run.status == status)
            let list = try await text(letsmeet, "meeting", "list")
            #expect(list.contains("Tea") == (invited != nil))
            guard let invited else { return }
            #expect(try await text(letsmeet, "meeting", "show", "tea").contains(invited))
        }
    }

    @Test func `In 80 columns, tables show times whole`() async throws {
        try await withLunch { letsmeet in
            var narrow = letsmeet
            narrow.settings["COLUMNS"] = "80"
            let title = "A lunch with a title that is too long for a narrow screen"
            let name = "Wilhelmina Featherstonehaugh-Cholmondeley"
            _ = try await text(narrow, "people", "add", name, "--email", "w@example.org")
            _ = try await text(
                narrow, "meeting", "new", title, "--with", name, "--place", "The long room",
                "--start", "2099-01-05T12:00", "--yes")
            for (call, time) in [
                (["outbox"], "Mon 5 Jan 2099, 11:00 UTC"),
                (["meeting", "list"], "Mon 5 Jan 2099, 12:00 UTC"), (["why", "A lunch"], " UTC"),
            ] {
                let shown = try await narrow.run(call).output
                #expect(shown.contains(time) && shown.contains("…"), "\(shown)")
                let rows = shown.split(separator: "\n").filter { $0.contains(" UTC") }
                #expect(!rows.isEmpty && rows.allSatisfy { $0.count <= 80 }, "\(shown)")
            }
        }
    }

    @Test func `A meeting says who entered an answer, and has a map only of a known place`()
        async throws
    {
        try await withLunch { letsmeet in
            _ = try await text(letsmeet, "meeting", "edit", "lunch", "--place", "My kitchen")
            _ = try await text(letsmeet, "rsvp", "lunch", "yes", "--who", "anna")
            let mine = try await text(letsmeet, "meeting", "show", "lunch")
            #expect(mine.contains("going (entered by you)"), "\(mine)")
            #expect(mine.contains("My kitchen\n"), "\(mine)")
            let hers = try await text(letsmeet, "meeting", "show", "lunch", "--as", "anna")
            #expect(hers.contains("going (entered by somebody else)"), "\(hers)")
        }
    }

    @Test func `On a terminal, letsmeetd once says what it did`() async throws {
        try await withLunch { letsmeet in
            let letsmeetd = Program("letsmeetd", home: letsmeet.home)
            for summary in ["1 accepted.", "Nothing was due."] {
                let terminal = try PseudoTerminal()
                let run = try terminal.start(letsmeetd, ["once"])
                #expect(await run.status == 0)
                #expect(terminal.screen.text.contains(summary), "\(terminal.screen.text)")
            }
            #expect(try await letsmeetd.run("once").output.isEmpty)
        }
    }

    @Test func `A meeting that is not saved has no id`() async throws {
        try await withLunch { letsmeet in
            let call = ["meeting", "new", "Tea", "--start", "2099-01-02T15:00", "--dry-run"]
            let shown = try await letsmeet.run(call)
            #expect(shown.status == 0)
            #expect((shown.output + shown.errors).split(separator: "\n").first == "Tea")
            let json = try await letsmeet.run(call + ["--json"]).json
            let meeting = try #require(json["meeting"] as? [String: Any])
            #expect(meeting["id"] is NSNull && meeting["uid"] is NSNull)
            let plan = try #require(json["notifications"] as? [String: Any])
            let added = try #require(plan["added"] as? [[String: Any]])
            #expect(!added.isEmpty)
            #expect(added.allSatisfy { $0["key"] is NSNull && $0["meeting"] is NSNull })
        }
    }

    @Test(arguments: [
        ["meeting", "show", ""], ["meeting", "new", "", "--start", "2099-01-01T12:00"],
        ["meeting", "new", "Tea", "--with", "", "--start", "2099-01-01T12:00"],
        ["meeting", "new", "Tea", "--start", ""], ["meeting", "move", "lunch", ""],
        ["meeting", "edit", "lunch", "--title", " "], ["meeting", "invite", "lunch", ""],
        ["people", "add", ""], ["people", "show", ""], ["circle", "new", ""],
        ["circle", "show", " "], ["place", "add", ""], ["place", "show", ""],
        ["place", "cities", ""], ["message", "lunch", ""], ["rsvp", "lunch", "yes", "--who", ""],
        ["ledger", "show", ""], ["why", "lunch", ""],
    ])
    func `An empty text is refused as a usage error`(arguments: [String]) async throws {
        try await withLunch { letsmeet in
            let called = try await letsmeet.run(arguments + ["--json"])
            #expect(called.status == 2, "\(called.output)")
            #expect(called.code != nil)
        }
    }

    @Test func `A move with an end alone keeps the start`() async throws {
        try await withLunch { letsmeet in
            let moved = try await letsmeet.run(
                "meeting", "move", "lunch", "--end", "15:15", "--yes", "--json")
            #expect(moved.status == 0, "\(moved.errors)")
            let meeting = try #require(moved.json["meeting"] as? [String: Any])
            #expect((meeting["start"] as? String)?.hasPrefix("2099-01-02T12:00:00") == true)
            #expect((meeting["end"] as? String)?.hasPrefix("2099-01-02T15:15:00") == true)
        }
    }

    @Test(arguments: ["yesterday", "fri 19:00", "2026-12-01", "2026-12-01T18:00", "now"])
    func `The hints for a wrong --now are correct`(time: String) async throws {
        try await withLunch { letsmeet in
            let called = try await letsmeet.ask("meeting list --now", time)
            #expect(called.status == 2)
            #expect(called.code == "bad_time")
            let hints = try #require(called.message.components(separatedBy: ": write ").last)
            for hint in hints.dropLast().components(separatedBy: " or ") {
                let taken = try await letsmeet.ask("meeting list --now \(hint)")
                #expect(taken.status == 0, "\(hint): \(taken.message)")
            }
        }
    }

    @Test func `The examples in the help of places work in a fresh home`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for command in ["show", "save"] {
                let help = try await letsmeet.run("place", command, "--help").output
                let id = try #require(
                    help.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("osm:") })
                let place = try await letsmeet.ask("place \(command) \(id)")
                #expect(place.status == 0, "\(place.message)")
            }
        }
    }
}
