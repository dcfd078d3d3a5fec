import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct CommandTests {
    @Test(arguments: [
        ("meeting list --wrong", 2, "usage"), ("nonsense", 2, "usage"),
        ("meeting move next", 2, "usage"),
        ("meeting show nothing", 1, "unknown_meeting"),
        ("people show nobody", 1, "unknown_person"),
        ("circle show none", 1, "unknown_circle"),
        ("people import /nowhere.vcf", 2, "no_file"),
        ("meeting new Lunch --with nobody --start 2099-01-01T12:00", 1, "unknown_person"),
        ("meeting new Lunch --start 2020-01-01T12:00", 1, "start_in_past"),
        ("meeting new Lunch", 2, "no_start"),
        ("meeting new Lunch --start 2099-01-01T12:00 --tz Europe/Nowhere", 2, "unknown_zone"),
        ("meeting list --now yesterday", 2, "bad_time"),
        ("ledger show zzzz", 1, "unknown_delivery"), ("ledger list --limit -1", 2, "usage"),
        ("rsvp next Yes --plus -1", 2, "usage"), ("rsvp next YES", 1, "unknown_meeting"),
        ("rsvp next yes --plus 1000", 2, "usage"), ("rsvp next y", 1, "unknown_meeting"),
        ("place search --for museum --limit -5", 2, "usage"),
        ("place search --for museum --radius -3", 2, "usage"),
        ("place search --for museum --near -33.9,151.2", 1, "not_covered"),
    ])
    func `A refusal is one JSON object with a code and an exit status`(
        _ line: String, _ status: Int32, _ code: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let arguments = line.split(separator: " ").map(String.init)
            let outcome = try await letsmeet.run(arguments + ["--json"])
            let error = try #require(outcome.json["error"] as? [String: Any])
            #expect(outcome.status == status)
            #expect(error["code"] as? String == code)
            #expect((error["message"] as? String)?.isEmpty == false)
            #expect(error["candidates"] is [Any])
            let plain = try await letsmeet.run(arguments)
            #expect(plain.status == status)
            #expect(plain.output.isEmpty)
            #expect(!plain.errors.isEmpty)
        }
    }

    @Test(arguments: [
        ("meeting new Lunch --wrong", "meeting new"), ("meeting move next", "meeting move"),
        ("nonsense", ""), ("meeting nonsense", "meeting"),
        ("ledger list --limit -1", "ledger list"),
        ("rsvp next maybe-not", "rsvp"), ("--home h", ""),
        ("meeting --as anna", "meeting"), ("help nonsense", ""), ("help meeting news", "meeting"),
    ])
    func `A usage error is one sentence and a pointer to help`(
        _ line: String, _ command: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let called = try await letsmeet.run(line.split(separator: " ").map(String.init))
            #expect(called.status == 2)
            let lines = called.errors.split(separator: "\n")
            #expect(lines.count == 2, "\(called.errors)")
            #expect(lines.first?.hasPrefix("letsmeet: ") == true)
            #expect(lines.first?.hasSuffix(".") == true || lines.first?.hasSuffix("?") == true)
            let path = ["letsmeet", command, "--help"].filter { !$0.isEmpty }
            #expect(lines.last == "See: \(path.joined(separator: " "))")
        }
    }

    @Test func `An ambiguous name is refused with candidates`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna Aalto")
            _ = try await letsmeet.run("people", "add", "Anna Berg")
            let outcome = try await letsmeet.run("people", "show", "anna", "--json")
            let error = try #require(outcome.json["error"] as? [String: Any])
            #expect(outcome.status == 1)
            #expect(error["code"] as? String == "ambiguous_person")
            #expect((error["candidates"] as? [Any])?.count == 2)
        }
    }

    @Test func `An argument that is not UTF-8 is refused, and nothing is saved`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            var launch = letsmeet.launch(
                shell: "exec \"$0\" people add \"$(printf 'An\\377na')\" --json")
            let output = OutputLines()
            launch.output = output.end
            #expect(try await launch.runToEnd() == 2)
            #expect(await output.wholeText().contains("\"code\":\"usage\""))
            let people = try await letsmeet.run("people", "list", "--json")
            #expect((people.json["people"] as? [Any])?.isEmpty == true)
        }
    }

    private let lunch = [
        "meeting", "new", "Lunch", "--with", "anna@example.org", "--start", "2099-01-01T12:00",
        "--json",
    ]

    @Test func `A dry run shows the change and saves nothing`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let shown = try await letsmeet.run(lunch + ["--dry-run"])
            #expect(shown.status == 0)
            let plan = try #require(shown.json["notifications"] as? [String: Any])
            #expect((plan["added"] as? [Any])?.count == 5)
            let list = try await letsmeet.run("meeting", "list", "--json")
            #expect((list.json["meetings"] as? [Any])?.isEmpty == true)
            let ledger = try await letsmeet.run("ledger", "list", "--json")
            #expect((ledger.json["deliveries"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `The same key twice gives the same meeting`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            var ids: Set<String> = []
            for _ in 0..<2 {
                let outcome = try await letsmeet.run(lunch + ["--key", "request 1"])
                let meeting = try #require(outcome.json["meeting"] as? [String: Any])
                ids.insert(try #require(meeting["id"] as? String))
            }
            #expect(ids.count == 1)
            let list = try await letsmeet.run("meeting", "list", "--json")
            #expect((list.json["meetings"] as? [Any])?.count == 1)
        }
    }

    @Test func `Every JSON answer is one object on one line`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run(lunch)
            let calls = [
                "meeting list", "meeting show lunch", "people list", "circle list",
                "ledger list", "ledger stats", "ledger verify", "why lunch", "today",
                "remind policy show", "version", "rsvp lunch yes --who anna@example.org",
                "meeting move lunch 2099-01-02T12:00", "meeting cancel lunch",
            ]
            for call in calls {
                let arguments = call.split(separator: " ").map(String.init)
                let outcome = try await letsmeet.run(arguments + ["--json"])
                #expect(outcome.status == 0, "\(call): \(outcome.errors)")
                #expect(!outcome.json.isEmpty, "\(call)")
                #expect(!outcome.output.contains("\n"), "\(call)")
                #expect(outcome.errors.isEmpty, "\(call)")
            }
        }
    }

    @Test func `A note of several lines stays in its row, and a long one is cut`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let made = try await letsmeet.run(
                "meeting", "new", "Lunch", "--start", "2099-01-01T12:00", "--with",
                "anna@example.org", "--yes")
            #expect(made.status == 0)
            for (note, end) in [
                ("I come\nlater.\nReally", "  I come later. Really"),
                (String(repeating: "long ", count: 40), "long…"),
            ] {
                let answered = try await letsmeet.run(
                    "rsvp", "lunch", "maybe", "--who", "anna@example.org", "--note", note, "--yes")
                #expect(answered.status == 0, "\(answered.errors)")
                let lines = try await letsmeet.run("meeting", "show", "lunch").output
                    .split(separator: "\n")
                let row = try #require(lines.last { $0.contains("anna@example.org") })
                #expect(row == lines.last)
                #expect(row.hasSuffix(end), "\(row)")
                #expect(row.count < 140)
            }
        }
    }
}
