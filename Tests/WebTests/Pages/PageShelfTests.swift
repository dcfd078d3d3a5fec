import NIOHTTP1
import Planning
import Testing
import TestKit
@testable import Web

/// Pages that are kept until something changes.
@Suite(.timeLimit(.minutes(5))) struct PageShelfTests {
    @Test func `A browser that has the page gets no body, until anything changes`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            let page = await browser.open("/m/\(id)")
            let tag = page.field("ETag")
            #expect(tag.hasPrefix("\"") && tag.count == 26)
            let again = await browser.open("/m/\(id)", [("If-None-Match", tag)])
            #expect(again.status == .notModified && again.text.isEmpty)
            #expect(again.field("ETag") == tag)
            let other = await browser.open("/m/\(id)", [("If-None-Match", "\"x\"")])
            #expect(other.status == .ok && other.text == page.text)
            _ = await browser.submit("/m/\(id)/cancel", "")
            let after = await browser.open("/m/\(id)", [("If-None-Match", tag)])
            #expect(after.status == .ok && after.field("ETag") != tag)
        }
    }

    @Test func `A kept page is shown to nobody else, and not after signing out`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan(with: ["anna@example.org"]).id
            let olga = try await site.browser()
            let anna = try await site.browser(of: "anna@example.org")
            #expect(await olga.open("/m/\(id)").text.contains("/edit"))
            #expect(!(await anna.open("/m/\(id)")).text.contains("/edit"))
            #expect(await site.stranger.open("/m/\(id)").status == .seeOther)
            let german = await olga.open("/m/\(id)", [("Accept-Language", "de")])
            #expect(german.text.contains("lang=\"de\""))
            _ = await olga.submit("/sign-out", "")
            #expect(await olga.open("/m/\(id)").status == .seeOther)
        }
    }

    @Test func `Times from now go on`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            let page = await browser.open("/m/\(id)")
            site.world.clock.advance(bySeconds: 2 * 86_400)
            #expect(await browser.open("/m/\(id)").text != page.text)
        }
    }

    @Test func `A page is compressed for browsers that take it`() async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            let plain = await browser.open("/m/\(id)")
            let takes = [("Accept-Encoding", "gzip, deflate")]
            let packed = await browser.open("/m/\(id)", takes)
            #expect(packed.field("Content-Encoding") == "gzip")
            #expect(plain.field("Content-Encoding").isEmpty)
            #expect(packed.byteCount < plain.byteCount / 2)
            #expect(packed.field("Vary") == "Cookie, Accept-Encoding")
            let tag = packed.field("ETag")
            #expect(tag != plain.field("ETag"))
            let again = await browser.open("/m/\(id)", takes + [("If-None-Match", tag)])
            #expect(again.status == .notModified && again.field("Content-Encoding").isEmpty)
            let guest = await site.stranger.open("/sign-in", takes)
            #expect(guest.field("Content-Encoding") == "gzip")
        }
    }
}
