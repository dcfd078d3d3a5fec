import Foundation
import TestKit
import Testing

/// Lists on a terminal, and what a shell offers.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ListTests {
    private static let pagers: [(pager: String, options: [String], shown: String)] = [
        ("sed s/^/paged:/", [], "paged:"), ("sed s/^/paged:/", ["--no-pager"], "museum"),
        ("/no/pager", [], "museum"), ("head -n 1", [], "Interest"),
    ]

    @Test(arguments: pagers)
    func `A long list goes through the pager, and its end is no error`(
        pager: String, options: [String], shown: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let terminal = try PseudoTerminal(columns: 80, rows: 200)
            let small = try PseudoTerminal(columns: 80, rows: 10)
            let variables = ["LETSMEET_PAGER": pager, "NO_COLOR": "1"]
            let fits = try terminal.start(
                letsmeet, ["place", "saved"], environment: variables)
            try await terminal.wait(for: "No saved places.")
            #expect(await fits.status == 0)
            let run = try small.start(
                letsmeet, ["place", "interests"] + options, environment: variables)
            #expect(await run.status == 0)
            try await small.wait(for: shown)
        }
    }

    @Test func `A day of a past list without a year is the last one`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let now = ["--now", "2026-11-30T12:00:00Z", "--tz", "UTC"]
            let list = ["meeting", "list", "--past", "--mine", "--search", "choir"]
            let empty = try await letsmeet.run(list + ["--from", "1 jan", "--to", "31 mar"] + now)
            #expect(empty.status == 0)
            #expect(
                empty.output
                    == "No past meetings that you organize, with \"choir\" in the title or "
                    + "place, from Thu 1 January 2026, up to Tue 31 March 2026.")
            let week = try await letsmeet.run(list + ["--from", "fri"] + now)
            #expect(week.output.contains("from Fri 27 November 2026."), "\(week.output)")
            let later = try await letsmeet.run(list + ["--from", "2027-01-01"] + now)
            #expect(later.output.contains("from Fri 1 January 2027."), "\(later.output)")
        }
    }

    @Test func `Bash gets whole names, and evaluates none of them`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for name in ["Anna Smith", "Anna $(touch \(folder)/made)", "Ben O'Hara"] {
                _ = try await letsmeet.run("people", "add", name)
            }
            let script = try await letsmeet.run("--generate-completion-script", "bash").output
            let asking = """
                \(script)
                letsmeet() { "$program" "$@"; }
                offer() {
                    COMP_WORDS=(letsmeet people show "$1") COMP_CWORD=3 COMPREPLY=()
                    COMP_LINE="letsmeet people show $1" COMP_POINT=${#COMP_LINE}
                    _letsmeet letsmeet "$1" show
                    printf '%s\\n' "${COMPREPLY[@]}"
                }
                offer 'Anna S'; offer 'Ben'; offer 'Anna'
                """
            let file = folder + "/ask"
            try asking.write(toFile: file, atomically: true, encoding: .utf8)
            var launch = letsmeet.launch(["--norc", file])
            launch.environment["program"] = launch.path
            launch.path = "/bin/bash"
            let output = OutputLines()
            launch.output = output.end
            #expect(try await launch.runToEnd() == 0)
            let offered = await output.wholeText()
            #expect(offered.contains("Anna Smith\nBen O'Hara\n"), "\(offered)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/made"))
        }
    }

    @Test(arguments: [
        (["config", "set"], "Example: letsmeet config set smtp.url smtp://mail.example.org:587"),
        (["meeting", "show"], "Example: letsmeet meeting show next --json"),
        (["config", "set", "timezone", "UTC"], "Did you mean: owner.tz?"),
        (["config", "show", "smpt"], "Did you mean: smtp.url, smtp.password?"),
        (["config", "set", "smtp.url", "mail"], "smtp.url was not changed. "),
        (["config", "get", "owner.tz"], "Did you mean: letsmeet config show?"),
        (
            ["meeting", "new", "--start", "fri 12:00"],
            "as in: letsmeet meeting new \"Board games\""
        ),
        (["agenda"], "Did you mean: letsmeet today --week?"),
    ])
    func `A wrong call is answered with the words to type`(
        _ arguments: [String], _ words: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let refused = try await letsmeet.run(arguments)
            #expect(refused.status == 2)
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
    }

    @Test func `Single settings are shown by their names, or by the first part`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("setup", "--name", "Olga", "--tz", "UTC")
            let shown = try await letsmeet.run("config", "show", "owner.tz", "smtp")
            let names = shown.output.split(separator: "\n").compactMap {
                $0.split(separator: " ").first
            }
            #expect(names == ["owner.tz", "smtp.url", "smtp.password"], "\(shown.output)")
        }
    }
}
