import Foundation
import TestKit
import Testing

/// What a person who is not the owner learns about people whom only the owner knows: nothing that
/// they did not type.
///
/// Every command is tried with every way to name the owner's people, meetings, deliveries, circles
/// and places. A command that is missing in the table fails the test.
@Suite(.timeLimit(.minutes(5))) struct AddressBookWallTests {
    /// The arguments of a command. `WHO`, `MEETING`, `KEY`, `CIRCLE`, `PLACE` and `MAIL` stand for
    /// something of the owner's.
    private static let commands: [String: [String]] = [
        "open": ["", "--for WHO"], "account list": [""], "account invite": ["WHO"],
        "account link": ["WHO"], "account role": ["WHO member"], "account disable": ["WHO"],
        "account enable": ["WHO"], "account sessions": ["", "--who WHO"],
        "account sign-out": ["--who WHO"], "account log": [""],
        "people list": ["", "--search WHO"],
        "export": ["--all FOLDER/export"], "people show": ["WHO"],
        "people history": ["WHO"],
        "people add": ["Eve --email ADDRESS"],
        "people edit": ["WHO --note x"], "people export": ["--format csv", "--format vcard"],
        "people undo-import": ["KEY"], "people merge": ["WHO anna", "anna WHO"],
        "people unmerge": ["WHO"],
        "people remove": ["WHO", "WHO --dry-run", "WHO --erase"],
        "circle new": ["Mine WHO"], "circle add": ["Own WHO"], "circle remove": ["Own WHO"],
        "circle list": [""], "circle show": ["CIRCLE"], "circle history": ["CIRCLE"],
        "circle delete": ["CIRCLE"], "circle rename": ["CIRCLE Neu"],
        "place search": ["--city Helsinki --for lunch --dry-run"], "place show": ["PLACE"],
        "place add": ["Mine"], "place remove": ["PLACE"], "place cities": ["hel"],
        "place interests": [""], "place save": ["PLACE"], "place saved": [""],
        "place fetch": ["--city Helsinki"], "place import": ["BUSY"],
        "meeting new": [
            "X --with WHO --start SOON", "X --with CIRCLE --start SOON",
            "X --place PLACE --start SOON",
        ],
        "meeting copy": ["MEETING --start SOON", "own --start SOON --with WHO"],
        "meeting list": [
            "", "--past", "--mine", "--with WHO", "--search Zirkel --past", "--circle CIRCLE",
            "--joined", "--friends",
        ],
        "meeting show": ["MEETING"],
        "meeting edit": ["MEETING --note x", "lunch --note x"],
        "meeting move": ["MEETING SOON"], "meeting cancel": ["MEETING"],
        "meeting uncancel": ["MEETING"],
        "meeting invite": ["MEETING WHO", "own WHO", "own CIRCLE"],
        "meeting uninvite": ["MEETING WHO", "own WHO"], "meeting accept": ["MEETING WHO"],
        "meeting refuse": ["MEETING WHO", "own WHO"],
        "meeting requests": ["MEETING", "own"], "meeting admit": ["MEETING WHO", "own WHO"],
        "meeting confirm": ["MEETING", "own"], "join": ["MEETING", "own"],
        "leave": ["MEETING", "own"], "meeting link": ["MEETING WHO", "own WHO"],
        "meeting export": ["MEETING"],
        "rsvp": ["MEETING yes", "own yes --who WHO"],
        "nudge": ["MEETING", "own --who WHO"], "message": ["MEETING hello"],
        "why": ["MEETING", "MEETING WHO", "own WHO"], "outbox": ["", "--who WHO"],
        "ledger list": ["", "--meeting MEETING"], "ledger show": ["KEY"],
        "ledger retry": ["KEY"], "ledger drop": ["KEY"], "ledger verify": [""],
        "ledger stats": [""], "ledger suppressions": [""], "ledger suppress": ["ADDRESS"],
        "ledger unsuppress": ["ADDRESS"], "pecks list": ["", "--unread"],
        "pecks read": ["KEY", "--all"], "pecks snooze": ["KEY 18:00"], "pecks why": ["KEY"],
        "remind list": ["", "--who WHO"],
        "remind policy show": ["", "--who WHO", "--circle CIRCLE"],
        "remind policy set": ["--who WHO --digest daily", "--circle CIRCLE --quiet-hours none"],
        "remind snooze": ["MEETING --for 1h", "own --for 1h --who WHO"], "today": [""],
        "calendar export": ["", "--meeting MEETING"],
        "calendar feed new": ["", "--who WHO", "--circle CIRCLE"], "calendar feed list": [""],
        "calendar feed revoke": ["KEY"],
        "calendar busy add": ["http://127.0.0.1:9/x.ics --who WHO"],
        "calendar busy import": ["BUSY --who WHO"], "calendar busy list": [""],
        "calendar busy refresh": [""], "calendar busy remove": ["KEY"],
        "calendar free": ["WHO --duration 1h", "CIRCLE"], "cron list": [""],
        "cron check": ["", "CRONTAB"], "cron run": ["Hushed"],
        "sink list": [""], "sink add": ["ntfy --url https://ntfy.example/mine --who WHO"],
        "sink remove": ["ntfy-all"], "sink rotate": ["ntfy-all"], "sink test": ["stdout"],
        "mail receive": [""], "mail fetch": [""], "mail ignored": [""], "mail take": ["MAIL yes"],
        "mail dismiss": ["MAIL"],
        "template list": [""], "template check": [""], "template render": ["text/invitation"],
        "config show": [""], "config check": [""], "config set": ["mail.from x@example.org"],
        "config unset": ["mail.from"], "doctor": [""],
        "backup": ["FOLDER/copy.db"], "setup": ["--name Olga"], "version": [""],
        "follow": ["WHO"], "unfollow": ["WHO"], "following": [""], "followers list": [""],
        "followers approve": ["WHO"], "followers refuse": ["WHO"], "followers remove": ["WHO"],
        "followers block": ["WHO"], "followers unblock": ["WHO"],
        "people import": ["CARD"], "calendar import": ["BUSY"],
    ]
    /// Commands that read no home, only what is typed or a file; and those that start a home of
    /// their own or replace this one.
    private static let others: Set<String> = [
        "calendar check", "calendar expand", "cron next", "demo", "restore",
    ]

    /// What only the owner knows: parts of a name, an address, a zone, a number, a circle, a
    /// meeting, a place, a busy time.
    private static let secrets = [
        "olga@planner.example", "Quixote", "dora@secret.example", "Tokyo", "401234567", "Zirkel",
        "Verschwoerung",
        "Versteck", "13:37", "Hushed",
    ]

    /// A home of Olga, who knows Dora and Anna. Anna knows nobody, and organizes a meeting of her
    /// own, to which she invited nobody.
    private struct Home {
        let letsmeet: Program
        let folder: String
        var dora = ""
        var meeting = ""
        var key = ""
        var mail = ""

        func run(_ words: [String], input: String? = nil) async throws -> Program.Outcome {
            try await letsmeet.run(words + ["--now", "2026-12-01T09:00:00Z"], input: input)
        }

        /// The texts that a word of a pattern stands for.
        func values(of name: String) -> [String] {
            switch name {
            case "WHO": ["qui", "dora", "Dora Quixote", dora, String(dora.prefix(5))] + addresses
            case "ADDRESS": addresses
            case "MEETING": ["verschw", meeting, String(meeting.prefix(6))]
            case "KEY": [key, String(key.prefix(6))]
            case "CIRCLE": ["zirkel"]
            case "PLACE": ["versteck"]
            case "MAIL": [mail]
            case "BUSY": [folder + "/own.ics"]
            case "CARD": [folder + "/card.vcf"]
            case "CRONTAB": [letsmeet.home + "/crontab"]
            case "SOON": ["2026-12-05T15:00"]
            default: []
            }
        }

        private let addresses = ["dora@secret.example", "dora"]

        init(_ letsmeet: Program, _ folder: String) {
            self.letsmeet = letsmeet
            self.folder = folder
        }
    }

    private static let busy = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//Example//EN\r
        BEGIN:VEVENT\r
        UID:1\r
        DTSTAMP:20261201T000000Z\r
        DTSTART:20261205T133700Z\r
        DTEND:20261205T170000Z\r
        SUMMARY:Hushed\r
        END:VEVENT\r
        END:VCALENDAR\r

        """
    private static let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
    private static let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Fay\r\nEND:VCARD\r\n"

    private func withHome(_ body: (Home) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            var home = Home(Program("letsmeet", home: folder + "/home"), folder)
            for (name, text) in [
                ("busy.ics", Self.busy), ("own.ics", Self.calendar), ("card.vcf", Self.card),
            ] {
                try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            }
            for line in [
                "setup --name Olga --email olga@planner.example --tz UTC",
                "people add Dora_Quixote --email dora@secret.example --tz Asia/Tokyo "
                    + "--phone +358401234567",
                "people add Anna --email anna@guest.example", "circle new Zirkel dora",
                "place add Versteck", "calendar busy import BUSY --who dora",
                "meeting new Verschwoerung --with dora --start 2026-12-05T16:00 --yes",
                "sink add ntfy --url https://ntfy.example/Hushed",
                "sink add webhook --meeting Verschwoerung --url http://hooks.example/x",
                "sink add ntfy --circle Zirkel --url https://hooks.example/y",
                "meeting new Own --start 2026-12-05T10:00 --yes --as anna",
                "circle new Own --as anna",
            ] {
                let words = line.replacing("BUSY", with: folder + "/busy.ics").split(separator: " ")
                    .map { String($0).replacing("_", with: " ") }
                let outcome = try await home.run(words)
                try #require(outcome.status == 0, "\(line): \(outcome.errors)")
            }
            for (name, text) in [
                ("crontab", "0 3 * * *  id=Hushed  ledger prune --keep 90d\n"),
                ("templates/text/Hushed.mustache", "Hushed\n"),
            ] {
                let path = home.letsmeet.home + "/" + name
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent,
                    withIntermediateDirectories: true)
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            let people = try await home.run(["people", "show", "dora", "--json"]).json
            home.dora = try #require(people["id"] as? String)
            let row = try #require(
                (try await home.run(["ledger", "list", "--json"]).json["deliveries"]
                    as? [[String: Any]])?.first { $0["name"] as? String == "Dora Quixote" })
            home.key = try #require(row["key"] as? String)
            home.meeting = try #require(row["meeting"] as? String)
            _ = try await home.run(
                ["mail", "receive"],
                input: "From: Dora Quixote <dora@secret.example>\nSubject: Hushed\n\nHi\n")
            let mails = try await home.run(["mail", "ignored", "--json"]).json["mails"]
            home.mail = try #require((mails as? [[String: Any]])?.first?["id"] as? String)
            try await body(home)
        }
    }

    /// The command lines for a pattern, with every text that its words stand for.
    private static func lines(_ pattern: String, in home: Home) -> [[String]] {
        let words = pattern.split(separator: " ").map(String.init)
        return words.reduce([[]]) { lines, word in
            let values = home.values(of: word)
            let choices =
                values.isEmpty ? [word.replacing("FOLDER", with: home.folder)] : values
            return lines.flatMap { line in choices.map { line + [$0] } }
        }
    }

    @Test func `Nobody but the owner learns what only the owner knows`() async throws {
        try await withHome { home in
            let files = FileManager.default
            for (command, patterns) in Self.commands.sorted(by: { $0.key < $1.key }) {
                for line in patterns.flatMap({ Self.lines($0, in: home) }) {
                    let words = command.split(separator: " ").map(String.init) + line
                    // Each command runs in a copy, in which Anna has typed nothing before.
                    let copy = Home(Program("letsmeet", home: home.folder + "/copy"), home.folder)
                    try? files.removeItem(atPath: copy.letsmeet.home)
                    try files.copyItem(atPath: home.letsmeet.home, toPath: copy.letsmeet.home)
                    let outcome = try await copy.run(words + ["--as", "anna", "--json"], input: "")
                    let text = outcome.output + outcome.errors
                    let typed = line.joined(separator: " ").lowercased()
                    for secret in Self.secrets where !typed.contains(secret.lowercased()) {
                        #expect(
                            !text.contains(secret),
                            "\(words.joined(separator: " ")) shows \(secret): \(text)")
                    }
                }
            }
        }
    }

    /// Commands about what belongs to the owner: the files of the home, its jobs, its mail, its
    /// ledger and its accounts.
    private static let ofOwner = [
        "cron list", "cron check", "cron check CRONTAB", "cron run Hushed", "config show",
        "config check", "config set mail.from x@example.org", "config unset mail.from",
        "sink add ntfy --url https://ntfy.example/x", "sink test stdout", "mail receive",
        "mail fetch", "mail ignored", "mail take MAIL yes", "mail dismiss MAIL", "doctor",
        "backup FOLDER/copy.db", "setup --name Eve", "ledger list", "ledger verify",
        "ledger stats", "ledger suppressions", "ledger suppress x@example.org",
        "ledger unsuppress x@example.org", "template list", "template check",
        "template render text/invitation", "place fetch --city Helsinki", "place import BUSY",
        "account list", "account log", "outbox", "restore FOLDER/copy.db",
    ]

    @Test func `Commands about the installation are refused to everybody but the owner`()
        async throws
    {
        try await withHome { home in
            for line in Self.ofOwner.flatMap({ Self.lines($0, in: home) }) {
                let outcome = try await home.run(line + ["--as", "anna", "--json"], input: "")
                let text = outcome.output + outcome.errors
                #expect(
                    outcome.status == 1 && text.contains("\"not_allowed\""),
                    "\(line.joined(separator: " ")): \(text)")
            }
        }
    }

    /// Commands that name somebody by an address, and invite nobody.
    private static let lookUps = [
        "people show WHO", "people history WHO", "people edit WHO --note x",
        "people remove WHO --dry-run", "circle new Mine WHO", "circle add Own WHO",
        "meeting list --with WHO", "meeting new X --with WHO --start SOON --dry-run",
        "meeting invite own WHO --dry-run", "meeting uninvite own WHO", "meeting link own WHO",
        "rsvp own yes --who WHO", "nudge own --who WHO", "why own WHO", "outbox --who WHO",
        "meeting admit own WHO", "meeting refuse own WHO",
        "remind list --who WHO", "remind policy show --who WHO",
        "remind policy set --who WHO --digest daily", "remind snooze own --for 1h --who WHO",
        "calendar feed new --who WHO", "calendar free WHO --duration 1h", "open --for WHO",
        "follow WHO", "unfollow WHO", "followers approve WHO", "followers refuse WHO",
        "followers remove WHO", "followers block WHO", "followers unblock WHO",
    ]

    @Test func `Nobody but the owner learns whether an address is that of an account`()
        async throws
    {
        try await withHome { home in
            for line in [
                "account invite dora", "remind policy set --who dora --quiet-hours 00:00-23:00",
            ] {
                let outcome = try await home.run(line.split(separator: " ").map(String.init))
                try #require(outcome.status == 0, "\(line): \(outcome.errors)")
            }
            for line in Self.lookUps {
                var answers: [String] = []
                for address in ["dora@secret.example", "nina@secret.example"] {
                    let words = line.split(separator: " ").map { word in
                        word == "WHO" ? address : word == "SOON" ? "2026-12-05T15:00" : "\(word)"
                    }
                    let outcome = try await home.run(words + ["--as", "anna"], input: "")
                    let text = outcome.output + outcome.errors
                    answers.append("\(outcome.status) \(text.replacing(address, with: "ADDRESS"))")
                }
                #expect(answers[0] == answers[1], "\(line)")
            }
        }
    }

    @Test func `Every command is in the table`() async throws {
        try await withFolderOnDisk { folder in
            let help = try await Program("letsmeet", home: folder)
                .run("--experimental-dump-help").json
            func leaves(_ command: [String: Any], _ path: [String]) -> [String] {
                let parts = (command["subcommands"] as? [[String: Any]] ?? [])
                    .filter { $0["commandName"] as? String != "help" }
                guard !parts.isEmpty else { return [path.joined(separator: " ")] }
                return parts.flatMap { part in
                    leaves(part, path + [part["commandName"] as? String ?? ""])
                }
            }
            let commands = Set(leaves(try #require(help["command"] as? [String: Any]), []))
            #expect(commands.count > 90)
            #expect(commands.subtracting(Self.commands.keys).subtracting(Self.others) == [])
            #expect(Set(Self.commands.keys).union(Self.others).subtracting(commands) == [])
        }
    }
}
