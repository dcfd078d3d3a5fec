import Foundation
import TestKit
import Testing

/// The commands for channels and incoming mail.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SinkCommandTests {
    private static let settings = ["LETSMEET_WEBHOOK_ALLOW": "127.0.0.1"]

    @Test func `A channel added while the daemon runs is used, and no secret is logged`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let server = try FakeHTTPServer { _ in FakeAnswer(204) }
            defer { server.stop() }
            let letsmeet = Program("letsmeet", home: folder + "/home", settings: Self.settings)
            let daemon = try await RunningDaemon(home: folder + "/home", settings: Self.settings)
            let added = try await letsmeet.run(
                "sink", "add", "webhook", "--url", server.url + "/hidden-path", "--json")
            #expect(added.status == 0, "\(added.errors)")
            let secret = try #require(added.json["secret"] as? String)
            let name = try #require((added.json["channel"] as? [String: Any])?["name"] as? String)
            #expect(added.json["daemon"] as? String == "running")
            let made = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start", "in 3 days")
            #expect(made.output.contains("the installation"))
            _ = await daemon.errors.wait { lines in
                lines.contains { $0.contains("msg=delivered") && $0.contains("channel=webhook") }
            }
            #expect(server.requests.map(\.path) == ["/hidden-path"])
            let list = try await letsmeet.run("sink", "list")
            #expect(list.output.contains(name))
            let rotated = try await letsmeet.run("sink", "rotate", name)
            #expect(rotated.output.contains("whsec_"))
            let removed = try await letsmeet.run("sink", "remove", name)
            #expect(removed.output.contains("2 reminders dropped"), "\(removed.output)")
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
            let shown = daemon.errors.lines.joined() + list.output + list.errors
            #expect(!shown.contains(secret) && !shown.contains("hidden-path"))
        }
    }

    @Test func `A sample shows the exchange without secrets, and a refused one exits with 3`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let server = try FakeHTTPServer { request in
                FakeAnswer(request.method == "PUT" ? 500 : 200, body: Array("secret-token".utf8))
            }
            defer { server.stop() }
            let letsmeet = Program("letsmeet", home: folder + "/home", settings: Self.settings)
            try "secret-token\n".write(
                toFile: folder + "/token", atomically: true, encoding: .utf8)
            for (kind, more) in [("gotify", []), ("matrix", ["--to", "!room:example"])] {
                let added = try await letsmeet.run(
                    ["sink", "add", kind, "--url", server.url, "--secret-file", folder + "/token"]
                        + more)
                #expect(added.status == 0, "\(added.errors)")
            }
            let well = try await letsmeet.run("sink", "test", "gotify-all")
            #expect(well.status == 0)
            #expect(well.errors.contains("> POST /… HTTP/1.1"))
            #expect(well.errors.contains("< HTTP/1.1 200"))
            let ill = try await letsmeet.run("sink", "test", "matrix-all")
            #expect(ill.status == 3)
            #expect(ill.output.contains("500"))
            for outcome in [well, ill] {
                #expect(!(outcome.output + outcome.errors).contains("secret-token"))
            }
            let none = try await letsmeet.run("sink", "test", "nowhere", "--json")
            #expect(none.status == 1)
            #expect((none.json["error"] as? [String: Any])?["code"] as? String == "unknown_channel")
        }
    }

    @Test func `A mail is processed from a pipe, and empty input succeeds, too`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let made = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start", "in 3 days",
                "--json")
            let id = try #require((made.json["meeting"] as? [String: Any])?["id"] as? String)
            try "From: anna@example.org\nSubject: Yes: Lunch [\(id)]\n\nGladly\n".write(
                toFile: folder + "/mail", atomically: true, encoding: .utf8)
            for (file, word) in [("/mail", "answered"), ("/mail", "answered")] {
                let launch = letsmeet.launch(
                    shell: "\"$0\" mail receive < \(folder)\(file) > \(folder)/out")
                #expect(try await launch.runToEnd() == 0)
                let said = try String(contentsOfFile: folder + "/out", encoding: .utf8)
                #expect(said.contains(word), "\(said)")
            }
            let shown = try await letsmeet.run("meeting", "show", id)
            #expect(shown.output.contains("by mail, unsigned"), "\(shown.output)")
            let empty = letsmeet.launch(
                shell: "\"$0\" mail receive < /dev/null > \(folder)/out")
            #expect(try await empty.runToEnd() == 0)
            let said = try String(contentsOfFile: folder + "/out", encoding: .utf8)
            #expect(said.contains("Ignored"))
        }
    }
}
