import Foundation
import TestKit
import Testing

/// The commands for the inbox.
@Suite(.timeLimit(.minutes(5))) struct PecksCommandTests {
    private static let settings = ["LETSMEET_SINKS": "stdout"]

    /// Runs a test on a home in which Ben has an account and was invited to a lunch.
    private func withBen(_ body: (Program) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let letsmeet = Program("letsmeet", home: home, settings: Self.settings)
            _ = try await letsmeet.run("setup", "--name", "Olga", "--tz", "UTC", "--json")
            _ = try await letsmeet.run("people", "add", "Ben", "--email", "ben@example.org")
            let invited = try await letsmeet.run("account", "invite", "ben", "--json")
            #expect(invited.status == 0, "\(invited.errors)")
            _ = try await letsmeet.run(
                "meeting", "new", "Lunch", "--who", "ben", "--start", "in 3 days", "--json")
            let once = try await Program("letsmeetd", home: home, settings: Self.settings)
                .run("once", "--json")
            #expect(once.status == 0, "\(once.errors)")
            try await body(letsmeet)
        }
    }

    @Test func `The inbox is listed, hidden, explained and marked as read`() async throws {
        try await withBen { letsmeet in
            let list = try await letsmeet.run("pecks", "list", "--as", "ben", "--json")
            let pecks = try #require(list.json["pecks"] as? [[String: Any]], "\(list.errors)")
            #expect(pecks.map { $0["kind"] as? String } == ["invitation"])
            #expect(list.json["unread"] as? Int == 1)
            let id = try #require(pecks.first?["id"] as? String)
            let why = try await letsmeet.run("pecks", "why", id, "--as", "ben", "--json")
            #expect((why.json["stories"] as? [Any])?.isEmpty == false)
            let late = try await letsmeet.run(
                "pecks", "snooze", id, "in 2h", "--as", "ben", "--json")
            #expect(late.json["snoozed_until"] is String, "\(late.errors)")
            let hidden = try await letsmeet.run(
                "pecks", "list", "--snoozed", "--as", "ben", "--json")
            #expect((hidden.json["pecks"] as? [Any])?.count == 1)
            let read = try await letsmeet.run("pecks", "read", id, "--as", "ben", "--json")
            #expect(read.json["read"] as? Int == 1 && read.json["unread"] as? Int == 0)
            let unread = try await letsmeet.run(
                "pecks", "list", "--unread", "--as", "ben", "--json")
            #expect((unread.json["pecks"] as? [Any])?.isEmpty == true)
            #expect(try await letsmeet.run("ledger", "verify").status == 0)
        }
    }

    @Test func `An unknown id is refused, and a call without ids is wrong`() async throws {
        try await withBen { letsmeet in
            let unknown = try await letsmeet.run("pecks", "read", "zzzz", "--as", "ben", "--json")
            #expect(unknown.status == 1)
            #expect((unknown.json["error"] as? [String: Any])?["code"] as? String == "unknown_peck")
            #expect(try await letsmeet.run("pecks", "read", "--as", "ben").status == 2)
            let both = try await letsmeet.run("pecks", "list", "--unread", "--snoozed")
            #expect(both.status == 2)
        }
    }
}
