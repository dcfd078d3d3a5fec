import Foundation
import Planning
import TestKit
import Testing

@testable import Web

/// The page that says what was sent about a meeting.
@Suite(.timeLimit(.minutes(5))) struct StoryPageTests {
    private func folded(_ page: String) -> Int {
        page.components(separatedBy: "<details class=\"card story\">").count - 1
    }

    @Test func `Each person has a line, which opens to all messages`() async throws {
        try await TestSite.with { site in
            try await site.planner.add("Anna Virtanen", "anna@example.org")
            try await site.planner.add("Ben Berg", "ben@example.org")
            let id = try await site.plan(with: ["Anna Virtanen", "Ben Berg"]).id
            _ = try await site.world.told(site.planner)
            let browser = try await site.browser()
            let page = await browser.open("/m/\(id)/why").text
            #expect(folded(page) >= 2)
            #expect(page.contains("<bdi>Anna Virtanen</bdi>"))
            #expect(page.contains("Invitation, Tue 1 December 2026"))
            #expect(page.contains("Next: Reminder, "))
            #expect(page.contains("href=\"/m/\(id)/why?all=1\">Show everything</a>"))
            let whole = await browser.open("/m/\(id)/why?all=1").text
            #expect(folded(whole) == 0)
            #expect(whole.components(separatedBy: "<details class=\"card story\" open>").count > 2)
            let anna = try await site.browser(of: "Anna Virtanen")
            let own = await anna.open("/m/\(id)/why").text
            #expect(own.contains("<details class=\"card story\" open>"))
            #expect(!own.contains("Ben Berg"))
        }
    }

    @Test func `What was only printed is not called sent`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            _ = try await site.world.deliver(isOnPurpose: false)
            let browser = try await site.browser()
            let page = await browser.open("/m/\(id)/why").text
            #expect(page.contains("<span class=\"pill maybe\">printed, not sent</span>"))
            #expect(page.contains("because no way to send it is set up. Nobody got it."))
            #expect(!page.contains("<span class=\"pill \">sent</span>"))
            #expect(page.contains("attempt 1: printed, not sent"))
            _ = await browser.submit("/me", "language=de")
            let german = await browser.open("/m/\(id)/why").text
            #expect(german.contains(">nur ausgegeben, nicht gesendet</span>"))
            #expect(german.contains("Versuch 1: nur ausgegeben, nicht gesendet"))
            #expect(!german.contains("printed"))
        }
    }

    @Test func `The story of many people has pages`() async throws {
        try await TestSite.with { site in
            let guests = (10..<50).map { "guest\($0)@example.org" }
            let id = try await site.plan(with: guests).id
            let browser = try await site.browser()
            let first = await browser.open("/m/\(id)/why").text
            #expect(folded(first) == 35)
            #expect(first.contains("/m/\(id)/why?page=2"))
            let second = await browser.open("/m/\(id)/why?page=2").text
            #expect((5...6).contains(folded(second)) && second.contains("guest49"))
            #expect(!second.contains("What changed"))
        }
    }
}
