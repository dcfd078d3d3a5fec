import NIOHTTP1
import Planning
import Settings
import Testing
import TestKit
import Timekeeping
@testable import Web

struct PasskeyPageTests {
    @Test func `A challenge is given to pages of this site only, and each can be used once`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let answer = await browser.submit("/passkeys/challenge", "")
            #expect(answer.status == .ok && answer.text.contains("\"host\":\"localhost\""))
            #expect(answer.text.contains("\"user\""))
            #expect(
                await !site.stranger.submit("/passkeys/challenge", "").text.contains("\"user\""))
            let forged = await browser.submit(
                "/passkeys/challenge", "", [("Sec-Fetch-Site", "cross-site")])
            #expect(forged.status == .forbidden)
            let (challenges, now) = (PasskeyChallenges(), site.world.clock.now)
            let challenge = challenges.issue(
                site.planner.newBrowserToken(), for: "192.0.2.1", now: now)
            let late = challenges.issue(
                site.planner.newBrowserToken(), for: "192.0.2.1", now: now)
            #expect(challenges.take(challenge, now: now))
            #expect(!challenges.take(challenge, now: now))
            #expect(
                !challenges.take(late, now: now.advanced(bySeconds: PasskeyChallenges.seconds)))
            #expect(!challenges.take("", now: now))
        }
    }

    @Test func `A passkey that does not fit is refused in words`() async throws {
        try await TestSite.with { site in
            let answer = await site.stranger.submit("/sign-in/passkey", "id=AAAA&next=/new")
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("This passkey does not work here."))
            #expect(answer.input("next") == "/new")
            let browser = try await site.browser()
            #expect(await browser.submit("/me/passkeys", "id=AAAA").status == .conflict)
        }
    }

    @Test func `Who signed in long ago signs in once more before adding a passkey`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            site.world.clock.advance(bySeconds: 16 * 60)
            for path in ["/me/passkeys", "/me/passkeys/remove"] {
                let answer = await browser.submit(path, "passkey=AAAA")
                #expect(answer.field("Location") == "/sign-in?next=%2Fme&again=1")
            }
            let page = await browser.open("/sign-in?next=%2Fme&again=1")
            #expect(page.text.contains("sign in once more"))
        }
    }

    @Test func `No page begins with a path that a public address may have`() async throws {
        try await TestSite.with { site in
            let firsts = site.site.routes.compactMap(\.pattern.firstLiteral)
            #expect(Set(firsts).subtracting([""]).isSubset(of: BaseURL.reserved))
        }
    }
}
