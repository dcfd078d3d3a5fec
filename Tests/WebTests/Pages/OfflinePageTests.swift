import Agenda
import Foundation
import Ledger
import NIOHTTP1
import Planning
import Secrets
import Settings
import Storage
import TestKit
import Testing
import Wording

@testable import Web

/// The pages and drafts that the browser keeps for use without a network.
@Suite(.timeLimit(.minutes(5))) struct OfflinePageTests {
    /// The value of an attribute of the `html` element; `nil` if it has none.
    private func mark(_ name: String, of page: PageAnswer) -> String? {
        let start = page.text.prefix(900)
        guard let found = start.firstRange(of: " data-\(name)=\"") else { return nil }
        return String(start[found.upperBound...].prefix { $0 != "\"" })
    }

    private func cookie(of answer: PageAnswer, _ name: String) -> String? {
        answer.fields.lazy.filter { $0.name == "Set-Cookie" }.map(\.value)
            .first { $0.hasPrefix("\(name)=") }.map { String($0.prefix { $0 != ";" }) }
    }

    @Test func `The worker is asked for each time, and may load only from its own site`()
        async throws
    {
        try await TestSite.with { site in
            let script = await site.stranger.open("/sw.js")
            #expect(script.status == .ok && script.mediaType.hasPrefix("text/javascript"))
            #expect(script.field("Cache-Control") == "no-cache")
            let policy = script.field("Content-Security-Policy")
            #expect(policy.hasPrefix("default-src 'none'; connect-src 'self'"))
            #expect(script.text.hasPrefix("const settings = {") && script.byteCount < 7000)
            for file in ["style.css", "app.js", "offline.js", "icon.svg"] {
                #expect(script.text.contains("\"\(site.site.world.assets.name(of: file))\""))
            }
            let page = try await site.browser().open("/")
            #expect(page.field("Content-Security-Policy").contains("; worker-src 'self';"))
        }
    }

    @Test func `With a path in the base address, the worker keeps to that path`() async throws {
        try await TestSite.with(settings: [
            .sinks: "stdout", .baseURL: "http://localhost:8420/meet",
        ]) { site in
            let script = await site.stranger.open("/meet/sw.js")
            #expect(script.text.contains("\"root\":\"/meet/\""))
            let manifest = await site.stranger.open("/meet/manifest.webmanifest")
            let scope = manifest.text.replacing("\\/", with: "/")
            #expect(scope.contains("\"scope\":\"/meet/\""))
        }
    }

    @Test func `The manifest and the pages name icons that exist`() async throws {
        try await TestSite.with { site in
            let manifest = await site.stranger.open("/manifest.webmanifest")
            let text = manifest.text.replacing("\\/", with: "/")
            #expect(text.contains("\"short_name\":\"letsmeet\""))
            #expect(text.contains("\"192x192\"") && text.contains("\"512x512\""))
            #expect(text.contains("\"maskable\"") && text.contains("\"standalone\""))
            let page = await site.stranger.open("/sign-in")
            let files = (text + page.text).matches(of: #/"(?<path>/a/[^"]+)"/#).map(\.path)
            #expect(files.count >= 8)
            for file in files {
                #expect(await site.stranger.open(String(file)).status == .ok, "\(file)")
            }
            #expect(page.text.contains("<link rel=\"apple-touch-icon\""))
        }
    }

    @Test func `Pages name their session and account, without a secret`() async throws {
        try await TestSite.with { site in
            let first = try await site.browser()
            let page = await first.open("/")
            let session = try #require(mark("session", of: page))
            let account = try #require(mark("account", of: page))
            #expect(mark("keep", of: page) == session)
            let secret = try #require(first.cookie?.split(separator: "=").last)
            #expect(!page.text.contains(secret))
            let other = await (try await site.browser()).open("/")
            #expect(mark("session", of: other) != session && mark("account", of: other) == account)
            let stranger = await site.stranger.open("/sign-in")
            #expect(mark("session", of: stranger) == nil && mark("keep", of: stranger) == nil)
        }
    }

    @Test func `With the setting off, the browser is told to keep nothing`() async throws {
        try await TestSite.with { site in
            var browser = try await site.browser()
            let off = await browser.submit("/me/offline", "keep=off")
            #expect(off.status == .seeOther && off.field("Location") == "/me?saved=me")
            let chosen: String? = cookie(of: off, "letsmeet-keep")
            browser.cookie = [browser.cookie, chosen].compactMap(\.self).joined(separator: "; ")
            let page = await browser.open("/me")
            #expect(mark("keep", of: page) == nil && mark("session", of: page) != nil)
            #expect(page.text.contains("<option value=\"off\" selected>"))
            let on = await browser.submit("/me/offline", "keep=on")
            #expect(on.field("Set-Cookie").contains("Max-Age=0"))
        }
    }

    @Test func `What the browser keeps is cleared when somebody else signs in`() async throws {
        try await TestSite.with { site in
            for name in ["Anna", "Ben"] {
                var card = ContactEdit()
                (card.name, card.emails) = (name, ["\(name.lowercased())@example.org"])
                _ = try await site.planner.addPerson(card)
            }
            let clear = "\"cache\", \"storage\""
            let first = try await enter("Anna", site.stranger, site)
            #expect(first.field("Clear-Site-Data") == clear)
            let known = cookie(of: first, "letsmeet-known")
            let browser = TestSite.Browser(site: site, cookie: known)
            let again = try await enter("Anna", browser, site)
            #expect(again.field("Clear-Site-Data").isEmpty)
            let other = try await enter("Ben", browser, site)
            #expect(other.field("Clear-Site-Data") == clear)
        }
    }

    private func enter(
        _ name: String, _ browser: TestSite.Browser, _ site: TestSite
    ) async throws -> PageAnswer {
        let person = try await site.planner.knownPerson(named: name)
        let token = try await site.planner.openTicket(for: person).text
        let answer = await browser.submit("/enter", "token=\(token)&here=1")
        #expect(answer.status == .seeOther)
        return answer
    }

    @Test func `The page for times without a network lists what is kept`() async throws {
        try await TestSite.with { site in
            let page = try await site.browser().open("/offline")
            #expect(page.text.contains("You are offline") && page.text.contains("kept-pages"))
            let german = try await site.browser().open("/offline", [("Accept-Language", "de")])
            #expect(german.text.contains("Sie sind offline"))
        }
    }

    @Test(arguments: [
        (HTTPResponseStatus.badRequest, "bad_request"), (.forbidden, "forged"),
        (.forbidden, "not_organizer"), (.notFound, "not_found"),
        (.methodNotAllowed, "method_not_allowed"), (.conflict, "changed_meanwhile"),
        (.payloadTooLarge, "too_large"), (.misdirectedRequest, "other_host"),
        (.tooManyRequests, "too_often"), (.internalServerError, "internal"),
        (.serviceUnavailable, "busy"), (.serviceUnavailable, "disk_full"),
        (.serviceUnavailable, "too_slow"),
    ])
    func `A problem page says what is not lost, what to do, and its number`(
        _ status: HTTPResponseStatus, _ code: String
    ) async throws {
        let page = ProblemPage(code: code, number: "a1").values(.sample)
        let said = ["text", "advice"].compactMap { name -> String? in
            guard case .text(let text)? = page[name] else { return nil }
            return text
        }.joined(separator: " ")
        let losses = [
            "othing was changed", "othing was saved", "What was saved before is not lost",
        ]
        #expect(losses.contains { said.contains($0) }, "\(status): \(said)")
        let steps = ["o back", "ry again", "heck the link"]
        #expect(steps.contains { said.contains($0) }, "\(status): \(said)")
        guard case .text("a1")? = page["number"] else {
            Issue.record("\(code) has no number")
            return
        }
    }
}
