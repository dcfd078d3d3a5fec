import Foundation
import TestKit
import Testing

/// `letsmeet calendar feed`, and the daemon that serves feeds.
@Suite(.timeLimit(.minutes(5))) struct FeedCommandTests {
    @Test func `A feed is created, read, updated and revoked`() async throws {
        try await PageTests.withDaemon { _, letsmeet, port in
            for title in ["Lunch", "Dinner"] {
                let made = try await letsmeet.run(
                    "meeting", "new", title, "--with", "anna@example.org", "--start",
                    "tomorrow 12:00", "--json")
                #expect(made.status == 0, "\(made.output)")
            }
            let made = try await letsmeet.run("calendar", "feed", "new", "anna@example.org")
            #expect(made.status == 0)
            #expect(
                made.output.contains("The meetings of anna@example.org, for calendar programs:"))
            // In tests, no daemon listens at the default address.
            #expect(made.output.contains("\n  /cal/"))
            #expect(made.output.contains("Set `base.url` in letsmeet.yaml"))
            let list = try await letsmeet.run(["calendar", "feed", "list", "--json"])
            let feed = try #require((list.json["feeds"] as? [[String: Any]])?.first)
            let path = try #require(feed["path"] as? String)
            let first = try await PageTests.get(path, port)
            #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(first.contains("SUMMARY:Lunch\r\n") && first.contains("SUMMARY:Dinner\r\n"))
            #expect(!first.contains("BEGIN:VALARM"))
            _ = try await letsmeet.run("meeting", "cancel", "Dinner", "--yes")
            let second = try await PageTests.get(path, port)
            #expect(second.contains("SUMMARY:Lunch\r\n") && !second.contains("SUMMARY:Dinner\r\n"))
            let id = try #require(feed["id"] as? String)
            let revoked = try await letsmeet.run("calendar", "feed", "revoke", String(id.prefix(6)))
            #expect(revoked.status == 0 && revoked.output.contains("Revoked the feed"))
            #expect(try await PageTests.get(path, port).hasPrefix("HTTP/1.1 404"))
            let again = try await letsmeet.run("calendar", "feed", "revoke", id)
            #expect(again.status == 1 && again.errors.contains("There is no feed"))
        }
    }
}
