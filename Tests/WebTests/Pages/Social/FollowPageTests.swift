import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import TestKit
import Testing

@testable import Web

/// The profiles of accounts, and the lists of follows.
@Suite(.timeLimit(.minutes(5))) struct FollowPageTests {
    /// The browsers of Anna and Ben, who have accounts.
    private struct Stage {
        let site: TestSite
        let anna: TestSite.Browser
        let ben: TestSite.Browser
        let annas: String
        let bens: String
    }

    private func with(_ body: (Stage) async throws -> Void) async throws {
        try await TestSite.with { site in
            for name in ["Anna", "Ben"] {
                _ = try await site.planner.add(name, "\(name.lowercased())@example.org")
            }
            let stage = Stage(
                site: site, anna: try await site.browser(of: "Anna"),
                ben: try await site.browser(of: "Ben"),
                annas: try await site.planner.knownPerson(named: "Anna").id.text,
                bens: try await site.planner.knownPerson(named: "Ben").id.text)
            try await body(stage)
        }
    }

    @Test func `A profile is followed with a press, and unfollowed with another`() async throws {
        try await with { stage in
            let profile = "/@\(stage.bens)"
            let before = await stage.anna.open(profile)
            #expect(before.status == .ok && before.text.contains("value=\"follow\""))
            let saved = await stage.anna.submit(profile, "do=follow")
            #expect(saved.field("Location") == "\(profile)?saved=following")
            #expect(await stage.anna.open(profile).text.contains("value=\"unfollow\""))
            #expect(await stage.anna.open("/me/following").text.contains("Ben"))
            #expect(await stage.ben.open("/me/followers").text.contains("Anna"))
            _ = await stage.anna.submit("/me/following", "do=unfollow&person=\(stage.bens)")
            #expect(await !stage.ben.open("/me/followers").text.contains("Anna"))
        }
    }

    @Test func `A form twice is answered with a sentence`() async throws {
        try await with { stage in
            _ = await stage.anna.submit("/@\(stage.bens)", "do=follow")
            let again = await stage.anna.submit("/@\(stage.bens)", "do=follow")
            #expect(again.status == .conflict && again.text.contains("role=\"alert\""))
        }
    }

    @Test func `Requests are approved on the list of followers`() async throws {
        try await with { stage in
            let shown = await stage.ben.submit(
                "/me/profile/shown", "about=Plays+chess.&approves=on")
            #expect(shown.field("Location") == "/me?saved=me")
            #expect(await stage.anna.open("/@\(stage.bens)").text.contains("Plays chess."))
            let asked = await stage.anna.submit("/@\(stage.bens)", "do=follow")
            #expect(asked.field("Location").hasSuffix("saved=follow-requested"))
            let list = await stage.ben.open("/me/followers")
            #expect(list.text.contains("value=\"approve\""))
            _ = await stage.ben.submit("/me/followers", "do=approve&person=\(stage.annas)")
            #expect(await !stage.ben.open("/me/followers").text.contains("value=\"approve\""))
        }
    }

    @Test func `Nobody finds the profile of somebody who blocks them, nor of whom they block`()
        async throws
    {
        try await with { stage in
            let blocked = await stage.ben.submit("/@\(stage.annas)", "do=block")
            #expect(blocked.field("Location") == "/me/followers?saved=blocked")
            for path in ["/@\(stage.bens)", "/@\(stage.bens)/picture"] {
                #expect(await stage.anna.open(path).status == .notFound, "\(path)")
            }
            #expect(await stage.anna.submit("/@\(stage.bens)", "do=follow").status == .notFound)
            #expect(await stage.ben.open("/@\(stage.annas)").status == .notFound)
            _ = await stage.ben.submit("/me/followers", "do=unblock&person=\(stage.annas)")
            #expect(await stage.anna.open("/@\(stage.bens)").status == .ok)
        }
    }

    @Test func `Others see counts and names only if the profile shows them`() async throws {
        try await with { stage in
            _ = await stage.anna.submit("/@\(stage.bens)", "do=follow")
            let olga = try await stage.site.browser()
            let hidden = await olga.open("/@\(stage.bens)")
            #expect(!hidden.text.contains("1 follower") && !hidden.text.contains("Anna"))
            #expect(await stage.ben.open("/@\(stage.bens)").text.contains("1 follower"))
            _ = await stage.ben.submit("/me/profile/shown", "about=&shows=on")
            let shown = await olga.open("/@\(stage.bens)")
            #expect(shown.text.contains("1 follower") && shown.text.contains("Anna"))
        }
    }
}
