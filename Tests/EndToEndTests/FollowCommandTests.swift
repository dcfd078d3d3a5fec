import TestKit
import Testing

/// Following by commands.
@Suite(.timeLimit(.minutes(5))) struct FollowCommandTests {
    private func with(_ body: (Program) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for line in [
                "setup --name Olga --email olga@example.org --tz UTC",
                "people add Anna --email anna@example.org", "account invite anna",
                "meeting new Lunch --with anna --start 2030-12-05T12:00 --yes",
                "follow anna",
            ] {
                let outcome = try await letsmeet.run(line.split(separator: " ").map(String.init))
                try #require(outcome.status == 0, "\(line): \(outcome.errors)")
            }
            try await body(letsmeet)
        }
    }

    private func code(_ outcome: Program.Outcome) -> String? {
        (outcome.json["error"] as? [String: Any])?["code"] as? String
    }

    @Test func `Follows are listed on both sides, and end`() async throws {
        try await with { letsmeet in
            let following = try await letsmeet.run("following", "--json").json["following"]
            let line = try #require((following as? [[String: Any]])?.first)
            #expect(line["name"] as? String == "Anna" && line["accepted"] as? Bool == true)
            let followers = try await letsmeet.run("followers", "--json", "--as", "anna").json
            #expect((followers["followers"] as? [[String: Any]])?.count == 1)
            #expect((followers["requests"] as? [[String: Any]])?.isEmpty == true)
            let again = try await letsmeet.run("follow", "anna", "--json")
            #expect(again.status == 1 && code(again) == "already_following")
            let ended = try await letsmeet.run("unfollow", "anna", "--json")
            #expect(ended.status == 0 && ended.json["state"] as? String == "none")
            let nothing = try await letsmeet.run("unfollow", "anna", "--json")
            #expect(nothing.status == 1 && code(nothing) == "not_following")
        }
    }

    @Test func `Somebody who is blocked finds no account, until they are unblocked`() async throws {
        try await with { letsmeet in
            let blocked = try await letsmeet.run(
                "followers", "block", "olga", "--json", "--as", "anna")
            #expect(blocked.status == 0 && blocked.json["state"] as? String == "blocked")
            let refused = try await letsmeet.run("follow", "anna", "--json")
            #expect(refused.status == 1 && code(refused) == "no_account")
            let unblocked = try await letsmeet.run(
                "followers", "unblock", "olga", "--json", "--as", "anna")
            #expect(unblocked.status == 0)
            #expect(try await letsmeet.run("follow", "anna").status == 0)
        }
    }
}
