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
            .sinks: "stdout", .baseURL: "https://meet.example.org",
            .feedbackAddress: "feedback@example.org", .ownerAddress: "olga@example.org",
        ]) { site in
            let token = try await site.planner.openTicket(for: site.planner.owner)
            let (session, _) = try await site.planner.enter(by: token.text, device: "A test")
            let browser = TestSite.Browser(site: site, cookie: "__Host-letsmeet=\(session.text)")
            let page = await browser.open("/about", [("Host", "meet.example.org")]).text
            #expect(page.contains("Signed in as Olga Owner, here since"))
            #expect(page.contains(Version.current))
            #expect(page.contains("value=\"https://meet.example.org\""))
            #expect(page.contains("mailto:feedback@example.org"))
            #expect(!page.contains("olga@example.org"))
            let texts = await browser.open(
                "/about/licences.txt", [("Host", "meet.example.org")])
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
