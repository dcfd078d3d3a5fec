import Agenda
import Ledger
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// The feed of open meetings, and what it adds to the page of a day.
@Suite(.timeLimit(.minutes(5))) struct OpenFeedPageTests {
    /// The browsers of Anna and Ben. Anna has an open meeting, which Ben may join.
    private struct Stage {
        let site: TestSite
        let anna: TestSite.Browser
        let ben: TestSite.Browser
        let annas: String
        let id: String
    }

    private func with(
        _ fields: String, _ body: (Stage) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            for name in ["Anna", "Ben"] {
                _ = try await site.planner.add(name, "\(name.lowercased())@example.org")
            }
            let anna = try await site.browser(of: "Anna")
            let ben = try await site.browser(of: "Ben")
            let made = await anna.submit(
                "/new",
                "title=Chess&date=2026-12-05&time=18:00&duration=2h&key=chess&do=create&\(fields)")
            let path = made.field("Location").split(separator: "?")[0]
            try await body(
                Stage(
                    site: site, anna: anna, ben: ben,
                    annas: try await site.planner.knownPerson(named: "Anna").id.text,
                    id: String(path.dropFirst("/m/".count))))
        }
    }

    @Test func `A followed account's meetings stand in the feed until it is unfollowed`()
        async throws
    {
        try await with("audience=followers") { stage in
            #expect(await !stage.ben.open("/feed").text.contains("Chess"))
            _ = await stage.ben.submit("/@\(stage.annas)", "do=follow")
            let feed = await stage.ben.open("/feed").text
            #expect(feed.contains("Chess") && feed.contains("/m/\(stage.id)/join"))
            #expect(await stage.ben.open("/feed?order=start").text.contains("Chess"))
            #expect(await !stage.ben.open("/feed?world=1").text.contains("Chess"))
            _ = await stage.ben.submit("/@\(stage.annas)", "do=unfollow")
            #expect(await !stage.ben.open("/feed").text.contains("Chess"))
        }
    }

    @Test func `What is open to everybody stands in the feed of all`() async throws {
        try await with("audience=public") { stage in
            #expect(await stage.ben.open("/feed?world=1").text.contains("Chess"))
            #expect(await !stage.ben.open("/feed").text.contains("Chess"))
        }
    }

    @Test func `Who joins from the feed comes back to it, and can leave there`() async throws {
        try await with("audience=public&seats=2") { stage in
            let joined = await stage.ben.submit(
                "/m/\(stage.id)/join", "next=%2Ffeed%3Fworld%3D1")
            #expect(joined.field("Location") == "/feed?world=1")
            let feed = await stage.ben.open("/feed?world=1").text
            #expect(feed.contains("You have a seat."))
            #expect(feed.contains("/m/\(stage.id)/leave"))
            #expect(feed.contains("all 2 seats are taken"))
        }
    }

    @Test func `News is marked until its reader says that they have seen it`() async throws {
        try await with("audience=public") { stage in
            let unread = await stage.ben.open("/feed?world=1").text
            #expect(unread.contains("Mark all as seen"))
            _ = await stage.ben.submit("/feed/seen", "")
            #expect(await !stage.ben.open("/feed?world=1").text.contains("Mark all as seen"))
        }
    }

    @Test func `The page of a day offers what can be joined on it`() async throws {
        try await with("audience=followers") { stage in
            _ = await stage.ben.submit("/@\(stage.annas)", "do=follow")
            let day = await stage.ben.open("/?day=2026-12-05").text
            #expect(day.contains("Open for you to join"))
            #expect(day.contains("/m/\(stage.id)/join"))
            #expect(await !stage.ben.open("/?day=2026-12-06").text.contains("/join"))
            _ = await stage.ben.submit("/m/\(stage.id)/join", "")
            let joined = await stage.ben.open("/?day=2026-12-05").text
            #expect(joined.contains("Chess") && !joined.contains("Open for you to join"))
        }
    }

    @Test(arguments: ["x", "1-", "99999999999999999999-a"])
    func `A page of the feed that cannot exist is refused`(page: String) async throws {
        try await with("audience=public") { stage in
            let answer = await stage.ben.open("/feed?after=\(page)")
            #expect(answer.status == .notFound)
        }
    }
}
