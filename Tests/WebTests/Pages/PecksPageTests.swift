import Ledger
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// The inbox on its page, and the number of unread notifications on all pages.
@Suite(.timeLimit(.minutes(5))) struct PecksPageTests {
    /// Runs a test in which Anna, who has an account, was invited to games.
    private func with(
        _ body: (TestSite, _ anna: TestSite.Browser, _ meeting: String) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            let anna = try await site.browser(of: "Anna")
            let id = try await site.plan(with: ["Anna"]).id
            _ = try await site.world.told(site.planner)
            try await body(site, anna, id)
        }
    }

    private func id(_ site: TestSite) async throws -> String {
        let anna = try await site.planner.knownPerson(named: "Anna")
        let list = try await site.planner.acting(as: anna).pecks(limit: 1)
        return try #require(list.pecks.first).id
    }

    @Test func `All pages show how much is unread, and opening a notification is a press`()
        async throws
    {
        try await with { site, anna, meeting in
            let today = await anna.open("/")
            #expect(today.text.contains("<title>(1) Today"))
            #expect(today.text.contains("Inbox<span class=\"count\">1"))
            let page = await anna.open("/pecks")
            #expect(page.status == .ok && page.text.contains("Games"))
            // A GET marks nothing as read.
            #expect(await anna.open("/pecks?again").text.contains("<title>(1) Inbox"))
            let key = try await id(site)
            let opened = await anna.submit("/pecks/read", "id=\(key)")
            #expect(opened.field("Location") == "/m/\(meeting)")
            #expect(await anna.open("/").text.contains("<title>Today"))
            let other = try await site.browser()
            #expect(!(await other.open("/").text.contains("<title>(")))
        }
    }

    @Test func `An invitation is answered in place, and its story says why it came`() async throws {
        try await with { site, anna, meeting in
            let page = await anna.open("/pecks")
            #expect(page.text.contains("action=\"/m/\(meeting)/answer\""))
            let answered = await anna.submit(
                "/m/\(meeting)/answer", "answer=yes&next=/pecks")
            #expect(answered.field("Location") == "/pecks")
            #expect(!(await anna.open("/pecks").text.contains("/answer")))
            let key = try await id(site)
            let why = await anna.open("/pecks/\(key)/why")
            #expect(why.status == .ok && why.text.contains("Games"))
        }
    }

    @Test func `A notification is hidden for a while, and all are marked as read`() async throws {
        try await with { site, anna, _ in
            let key = try await id(site)
            let hidden = await anna.submit("/pecks/snooze", "id=\(key)&until=in+1h&next=/pecks")
            #expect(hidden.field("Location") == "/pecks")
            #expect(!(await anna.open("/pecks").text.contains("Games")))
            #expect(await anna.open("/pecks?snoozed=1").text.contains("Games"))
            #expect(await anna.submit("/pecks/snooze", "id=\(key)&until=x").status == .badRequest)
            site.world.clock.advance(bySeconds: 3600)
            #expect(await anna.open("/pecks?unread=1").text.contains("Games"))
            _ = await anna.submit("/pecks/read-all", "")
            #expect(!(await anna.open("/pecks?unread=1").text.contains("Games")))
        }
    }

    @Test func `Kinds that are not wanted leave the inbox`() async throws {
        try await with { site, anna, _ in
            let saved = await anna.submit("/pecks/kinds", "kind=reminder&kind=message")
            #expect(saved.field("Location") == "/pecks?saved=pecks")
            #expect(!(await anna.open("/pecks").text.contains("Games")))
            let person = try await site.planner.knownPerson(named: "Anna")
            let wanted = try await site.planner.acting(as: person).wantedPeckKinds()
            #expect(wanted == [.reminder, .message])
        }
    }

    @Test func `A script gets the newest unread notifications of its reader alone`() async throws {
        try await with { site, anna, meeting in
            let newest = await anna.open("/pecks/newest")
            #expect(newest.mediaType.hasPrefix("application/json"))
            #expect(newest.text.contains("/m/\(meeting)") && newest.text.contains("Games"))
            #expect(newest.field("Cache-Control") == "private, no-store")
            let other = try await site.browser()
            #expect(!(await other.open("/pecks/newest").text.contains("Games")))
        }
    }
}
