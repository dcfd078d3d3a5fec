import NIOHTTP1
import Planning
import Settings
import TestKit
import Testing

@testable import Web

/// The page about the installation.
@Suite(.timeLimit(.minutes(5))) struct AboutPageTests {
    @Test func `It names the reader, the version, the licences and the address to pass on`()
        async throws
    {
        try await TestSite.with(settings: [
            .sinks: "stdout", .baseURL: "http://meet.example.org",
            .feedbackAddress: "feedback@example.org", .ownerAddress: "olga@example.org",
        ]) { site in
            let browser = try await site.browser()
            let page = await browser.open("/about").text
            #expect(page.contains("Signed in as Olga Owner, here since"))
            #expect(page.contains(Version.current))
            #expect(page.contains("value=\"http://meet.example.org\""))
            #expect(page.contains("mailto:feedback@example.org"))
            #expect(!page.contains("olga@example.org"))
            let texts = await browser.open("/about/licences.txt")
            #expect(texts.text.contains("GeoNames") && texts.text.contains("ODbL"))
        }
    }

    @Test func `Without a feedback address, the owner's own address is not shown`() async throws {
        try await TestSite.with(settings: [
            .sinks: "stdout", .ownerAddress: "olga@example.org",
        ]) { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            let page = try await site.browser(of: "Anna").open("/about").text
            #expect(page.contains("Ask the person who invited you."))
            #expect(!page.contains("olga@example.org") && !page.contains("feedback.address"))
            #expect(try await site.browser().open("/me").text.contains("href=\"/about\""))
        }
    }
}
