import Foundation
import TestKit
import Testing

/// Answers that cannot be written.
@Suite(.timeLimit(.minutes(5))) struct ClosedOutputTests {
    /// Runs a command with standard output redirected by the shell.
    private func run(
        _ program: Program, _ redirection: String, _ arguments: String...
    ) async throws -> (status: Int32, errors: String) {
        var launch = program.launch(shell: "exec \"$0\" \"$@\" \(redirection)", arguments)
        let errors = OutputLines()
        launch.errors = errors.end
        let status = try await launch.runToEnd()
        return (status, await errors.wholeText())
    }

    @Test(arguments: [
        (">/dev/full", "No space left on device"), (">&-", "Bad file descriptor"),
        ("<&- >&-", "Bad file descriptor"),
    ])
    func `A saved change is reported as saved even if its answer cannot be written`(
        redirection: String, words: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for arguments in [["Anna"], ["Ben", "--json"]] {
                let added = try await run(
                    letsmeet, redirection, "people", "add", arguments[0],
                    arguments.dropFirst().first ?? "--email=anna@example.org")
                #expect(added.status == 3)
                #expect(
                    added.errors
                        == "letsmeet: Saved, but the answer could not be written: \(words).")
            }
            let made = try await run(
                letsmeet, redirection, "meeting", "new", "Lunch", "--with=anna",
                "--start=2099-01-01T12:00")
            #expect(made.status == 3)
            #expect(made.errors.contains("Saved, but the answer could not be written: \(words)."))
            let listed = try await run(letsmeet, redirection, "people", "list")
            #expect(listed.status == 3)
            #expect(listed.errors == "letsmeet: The answer could not be written: \(words).")
            let people = try await letsmeet.run("people", "list", "--json").json["people"]
            #expect((people as? [Any])?.count == 2)
            #expect(try await letsmeet.run("doctor").output.contains("no errors"))
        }
    }

    @Test func `Deliveries that wait for a retry are counted in one line`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let letsmeet = Program("letsmeet", home: home)
            let daemon = Program("letsmeetd", home: home)
            let made = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start",
                "2099-01-01T12:00", "--json")
            #expect(made.status == 0)
            #expect(try await run(daemon, ">/dev/full", "once").status == 3)
            let again = try await daemon.run("once", "--now", "2026-01-01T12:00:00Z")
            #expect(again.status == 0)
            #expect(again.errors.hasPrefix("1 delivery will be retried at "))
            let counted = try await daemon.run("once", "--now", "2026-01-01T12:00:00Z", "--json")
            #expect(counted.errors.isEmpty)
            #expect(counted.json["waiting"] as? Int == 1)
            #expect((counted.json["next_try"] as? String)?.hasSuffix("Z") == true)
            let empty = try await Program("letsmeetd", home: folder + "/b").run("once", "--json")
            #expect(empty.json["waiting"] as? Int == 0)
            #expect(empty.json["next_try"] is NSNull)
        }
    }
}
