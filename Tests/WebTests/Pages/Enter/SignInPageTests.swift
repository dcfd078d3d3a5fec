import Agenda
import Ledger
import NIOHTTP1
import Planning
import Secrets
import Storage
import TestKit
import Testing
@testable import Web

/// Signing in and out, and what keeps others out.
@Suite(.timeLimit(.minutes(5))) struct SignInPageTests {
    private func token(_ site: TestSite) async throws -> String {
        try await site.planner.openTicket(for: site.planner.owner).text
    }

    @Test func `A link signs in once, for the page that was asked for`() async throws {
        try await TestSite.with { site in
            let token = try await token(site)
            #expect(await site.stranger.open("/enter").text.contains("name=\"token\""))
            let answer = await site.stranger.submit("/enter", "token=\(token)&next=/meetings")
            #expect(answer.status == .seeOther && answer.field("Location") == "/meetings")
            let cookie = answer.field("Set-Cookie")
            #expect(cookie.contains("HttpOnly; SameSite=Lax") && !cookie.contains("Secure"))
            let browser = TestSite.Browser(
                site: site, cookie: String(cookie.prefix { $0 != ";" }))
            #expect(await browser.open("/").status == .ok)
            let again = await site.stranger.submit("/enter", "token=\(token)")
            #expect(again.status == .badRequest && again.text.contains("was used already"))
            #expect(again.field("Set-Cookie").isEmpty)
        }
    }

    @Test func `A link expires after 15 minutes, and a session after 30 idle days`() async throws {
        try await TestSite.with { site in
            let token = try await token(site)
            site.world.clock.advance(bySeconds: Planner.ticketSeconds + 1)
            #expect(await site.stranger.submit("/enter", "token=\(token)").status == .badRequest)
            let browser = try await site.browser()
            site.world.clock.advance(bySeconds: Planner.sessionIdleSeconds - 1)
            #expect(await browser.open("/").status == .ok)
            site.world.clock.advance(bySeconds: Planner.sessionIdleSeconds - 1)
            #expect(await browser.open("/").status == .ok)
            site.world.clock.advance(bySeconds: Planner.sessionIdleSeconds)
            #expect(await browser.open("/").status == .seeOther)
        }
    }

    @Test(arguments: [
        ("/m/aaaaaaaaaaaaaaaa/message?date=20261205T180000", "message%3Fdate%3D20261205T180000"),
        ("/m/aaaaaaaaaaaaaaaa/answer", "%2Fm%2Faaaaaaaaaaaaaaaa&ended=1"), ("/new", "next=%2Fnew&"),
        ("/people", "next=%2Fpeople&"), ("/me/feeds/revoke", "next=%2Fme&"),
    ])
    func `Who sends a form without a session is told that nothing was saved`(
        _ path: String, _ next: String
    ) async throws {
        try await TestSite.with { site in
            let answer = await site.stranger.submit(path, "text=Hello&answer=yes")
            let place = answer.field("Location")
            #expect(answer.status == .seeOther && place.contains(next), "\(place)")
            let page = await site.stranger.open(place)
            #expect(page.text.contains("so nothing was saved. To see what you typed, go back"))
            let out = await site.stranger.submit("/sign-out", "")
            #expect(out.field("Location") == "/sign-in")
        }
    }

    @Test func `Signing out ends the session, and only the own one`() async throws {
        try await TestSite.with { site in
            let first = try await site.browser()
            let second = try await site.browser()
            let out = await first.submit("/sign-out", "")
            #expect(out.status == .seeOther)
            #expect(out.field("Clear-Site-Data").contains("storage"))
            #expect(await first.open("/").status == .seeOther)
            #expect(await second.open("/").status == .ok)
            let third = try await site.browser()
            #expect(await third.submit("/me/sessions", "session=others").status == .seeOther)
            #expect(await second.open("/").status == .seeOther)
            #expect(await third.open("/").status == .ok)
        }
    }

    @Test func `Other browsers are signed out only after a sign-in a short time ago`()
        async throws
    {
        try await TestSite.with { site in
            let other = try await site.browser()
            let browser = try await site.browser()
            let foreign = [("Sec-Fetch-Site", "cross-site")]
            let forged = await browser.submit("/me/sessions", "session=others", foreign)
            #expect(forged.status == .forbidden)
            site.world.clock.advance(bySeconds: 15 * 60)
            let sessions = try await site.planner.sessions().map(\.id.text)
            #expect(sessions.count == 2)
            for session in sessions + ["others"] {
                let late = await browser.submit("/me/sessions", "session=\(session)")
                #expect(late.field("Location") == "/sign-in?next=%2Fme&again=1")
            }
            #expect(await other.open("/").status == .ok)
            let again = try await site.browser()
            let done = await again.submit("/me/sessions", "session=others")
            #expect(done.field("Location") == "/me?saved=sessions")
            #expect(await other.open("/").status == .seeOther)
        }
    }

    @Test(arguments: [
        "//evil.example", "https://evil.example", "/\\evil.example", "/%0d%0aX:1", "javascript:1",
        "", "evil",
    ])
    func `After signing in, only pages of this site are opened`(_ next: String) async throws {
        try await TestSite.with { site in
            try await site.plan()
            let token = try await token(site)
            let answer = await site.stranger.submit("/enter", "token=\(token)&next=\(next)")
            #expect(answer.field("Location") == "/")
        }
    }

    @Test(arguments: [
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
        [("Origin", "https://evil.example")], [("Origin", "null")], [],
        [("Origin", "http://localhost:8420"), ("Sec-Fetch-Site", "cross-site")],
    ])
    func `Forms of other sites change nothing`(_ fields: [(String, String)]) async throws {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            let token = try await token(site)
            for (path, form) in [
                ("/enter", "token=\(token)"), ("/sign-out", ""), ("/m/\(id)/cancel", ""),
                ("/new", "title=x&date=2026-12-07&time=10:00&do=create"),
            ] {
                #expect(await browser.submit(path, form, fields).status == .forbidden)
            }
            #expect(try await site.planner.meeting("Games").status == .confirmed)
            #expect(await browser.open("/").status == .ok)
            #expect(await site.stranger.submit("/enter", "token=\(token)").status == .seeOther)
        }
    }

    @Test func `Browsers without Sec-Fetch-Site are known by their origin or the form`()
        async throws
    {
        try await TestSite.with { site in
            let id = try await site.plan().id
            let browser = try await site.browser()
            let origin = [("Origin", "http://localhost:8420")]
            #expect(await browser.submit("/m/\(id)/cancel", "", origin).status == .seeOther)
            let page = await browser.open("/me")
            let csrf = try #require(page.input("csrf"))
            #expect(csrf.count == 32)
            let form = "csrf=\(csrf)&theme=dark"
            #expect(await browser.submit("/me/theme", form, []).status == .seeOther)
            let other = try await site.browser()
            #expect(await other.submit("/me/theme", form, []).status == .forbidden)
        }
    }

    @Test func `Only the owner lets other people in`() async throws {
        try await TestSite.with { site in
            try await site.plan()
            let anna = try await site.planner.knownPerson(named: "anna@example.org")
            let asAnna = site.planner.acting(as: anna)
            await #expect(throws: Refusal.self) {
                try await asAnna.openTicket(for: site.planner.owner)
            }
            _ = try await asAnna.openTicket(for: anna)
            let browser = try await site.browser(of: "anna@example.org")
            #expect(await browser.open("/").text.contains("Games"))
        }
    }

    @Test func `Tokens and sessions are stored as hashes`() async throws {
        try await TestSite.with { site in
            let ticket = try await token(site)
            let browser = try await site.browser()
            let session = try #require(browser.cookie).dropFirst("letsmeet=".count)
            let database = try site.databaseText()
            #expect(!database.contains(ticket) && !database.contains(session))
            #expect(database.contains("sign_in_ticket"))
        }
    }
}
