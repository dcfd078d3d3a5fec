import Foundation
import TestKit
import Testing

/// The commands with `--dry-run`.
@Suite(.timeLimit(.minutes(5))) struct PreviewCommandTests {
    /// A command as `--experimental-dump-help` describes it.
    private struct Described: Decodable {
        struct Option: Decodable {
            struct Name: Decodable { let name: String }
            let names: [Name]?
        }
        let commandName: String
        let arguments: [Option]?
        let subcommands: [Described]?

        /// The commands at or below this one that have an option.
        func commands(with option: String, after path: [String] = []) -> [String] {
            let own = path + [commandName]
            let names = (arguments ?? []).flatMap { $0.names ?? [] }.map(\.name)
            let below = (subcommands ?? []).flatMap { $0.commands(with: option, after: own) }
            return (names.contains(option) ? [own.dropFirst().joined(separator: " ")] : []) + below
        }
    }

    private struct Help: Decodable { let command: Described }

    /// The arguments of each command with a preview, which changes nothing. The previews of
    /// commands without arguments here need what only other tests can make; PreviewTests and the
    /// tests of their areas show the same of them.
    private static let previews: [String: [String]?] = [
        "people merge": ["anna", "ben"], "people unmerge": ["Dora"],
        "people undo-import": nil,
        "people remove": ["ben"], "circle add": ["Chess", "dora@a.org"],
        "circle delete": ["Chess"],
        "meeting new": [
            "Tea", "--who", "anna,Zoe <zoe@example.org>", "--start", "2099-01-05T12:00",
        ],
        "meeting copy": ["lunch", "--start", "2099-01-05"],
        "meeting edit": ["lunch", "--title", "Brunch", "--notify"],
        "meeting move": ["lunch", "2099-01-03T13:00"], "meeting cancel": ["lunch"],
        "meeting uncancel": ["gone"], "meeting invite": ["lunch", "ben,zoe@example.org"],
        "meeting uninvite": ["lunch", "anna"], "meeting accept": nil,
        "meeting refuse": ["guarded", "anna"], "meeting admit": ["guarded", "anna"],
        "meeting confirm": ["tables"], "join": ["tables", "--as", "ben"],
        "leave": ["tables", "--as", "anna"], "rsvp": ["lunch", "yes", "--who", "anna"],
        "nudge": ["lunch"], "message": ["lunch", "Hello"], "ledger retry": nil,
        "ledger drop": nil, "ledger suppress": ["anna@a.org"],
        "ledger unsuppress": ["dora@a.org"],
        "remind policy set": ["--quiet-hours", "22:00-08:00"],
        "remind snooze": ["lunch", "--until", "2099-01-01T09:00"],
        "sink add": ["webhook", "--url", "https://a.example", "--who", "anna"],
        "sink remove": ["everybody"], "mail take": nil,
    ]

    @Test func `Each command with a preview is known here`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let help = try await letsmeet.run("--experimental-dump-help")
            let root = try JSONDecoder().decode(Help.self, from: Data(help.output.utf8)).command
            let found = Set(root.commands(with: "dry-run"))
            #expect(found == Set(Self.previews.keys))
        }
    }

    @Test func `The preview of a command changes nothing`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for call in Self.preparation {
                let made = try await letsmeet.run(call)
                #expect(made.status == 0, "\(call): \(made.errors)")
            }
            let before = try await export(letsmeet, into: folder + "/before")
            for (command, arguments) in Self.previews {
                guard let arguments else { continue }
                let call = command.split(separator: " ").map(String.init) + arguments
                let shown = try await letsmeet.run(call + ["--dry-run"])
                #expect(shown.status == 0, "\(call): \(shown.errors)")
            }
            #expect(try await export(letsmeet, into: folder + "/after") == before)
        }
    }

    private static let preparation = [
        ["setup", "--name", "Olga", "--tz", "UTC"],
        ["people", "add", "Anna Aalto", "--email", "anna@a.org"],
        ["people", "add", "Ben Berg", "--email", "ben@b.org"],
        ["people", "add", "Dora Dahl", "--email", "dora@a.org"],
        ["people", "add", "Dora Dahlberg", "--email", "dahlberg@a.org"],
        ["people", "merge", "dora@a.org", "dahlberg@a.org", "--yes"],
        ["circle", "new", "Chess", "anna", "ben"],
        ["account", "invite", "anna"], ["account", "invite", "ben"],
        ["ledger", "suppress", "dora@a.org", "--yes"],
        ["meeting", "new", "Lunch", "--who", "anna", "--start", "2099-01-02T12:00", "--yes"],
        ["meeting", "new", "Gone", "--who", "anna", "--start", "2099-01-06T12:00", "--yes"],
        ["meeting", "cancel", "gone", "--yes"],
        [
            "meeting", "new", "Tables", "--start", "2099-01-07T12:00", "--open", "--audience",
            "circle:Chess", "--minimum", "1", "--by", "2099-01-06T12:00", "--yes",
        ],
        ["join", "tables", "--as", "anna", "--yes"],
        [
            "meeting", "new", "Guarded", "--start", "2099-01-08T12:00", "--open", "--audience",
            "circle:Chess", "--approve", "--yes",
        ],
        ["join", "guarded", "--as", "anna", "--yes"],
        [
            "sink", "add", "webhook", "--url", "https://b.example", "--name", "everybody", "--yes",
        ],
    ]

    /// All exported files, with the channels and the policy of the owner.
    private func export(_ letsmeet: Program, into folder: String) async throws -> [String] {
        let made = try await letsmeet.run("export", "--all", folder)
        #expect(made.status == 0, "\(made.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".json") }
        var all: [String] = []
        for file in files {
            all.append(try String(contentsOfFile: folder + "/" + file, encoding: .utf8))
        }
        for call in [
            ["sink", "list", "--json"], ["remind", "policy", "show", "--json"],
            ["ledger", "suppressions", "--json"],
        ] {
            all.append(try await letsmeet.run(call).output)
        }
        return all
    }
}
