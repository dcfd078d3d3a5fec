import Calendars
import Planning
import TestKit
import Testing

/// Tests of the content of a circle's feed.
@Suite struct CircleFeedTests: ReadsFeeds {
    /// A planner with the contacts Anna and Ben, and the circle Chess with some of them.
    private func planner(of world: TestWorld, chess members: [String]) async throws -> Planner {
        let planner = try await world.planner()
        try await planner.add("Anna", "anna@example.org")
        try await planner.add("Ben", "ben@example.org")
        _ = try await planner.addCircle("Chess", members: members)
        return planner
    }

    @Test func `A circle's feed shows the meetings to which the circle was invited`() async throws {
        try await withTemporaryHome { world in
            let planner = try await planner(of: world, chess: ["Anna"])
            try await plan("Chess night", "2026-12-05T18:00", with: ["circle:Chess"], planner)
            try await plan("Private", "2026-12-05T18:00", with: ["Anna"], planner)
            let feed = try await planner.addFeed(of: "circle:chess", hasAlarms: false).feed
            #expect(feed.circle == "Chess" && feed.person == nil)
            let lines = try await lines(feed, planner)
            #expect(titles(lines) == ["Chess night"])
            #expect(lines.contains("X-WR-CALNAME:Chess"))
            // Nobody in the circle is invited any more.
            _ = try await planner.uninvite(["Anna"], from: "Chess night", saving: true)
            #expect(titles(try await self.lines(feed, planner)).isEmpty)
            _ = try await planner.deleteCircle("Chess")
            #expect(try await planner.feeds().isEmpty)
        }
    }

    @Test func `A circle invited to single dates sees these, without those it was uninvited from`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await planner(of: world, chess: ["Anna"])
            try await plan("Choir", "2026-12-08T19:00", with: ["Ben"], repeat: "weekly", planner)
            let feed = try await planner.addFeed(of: "circle:chess", hasAlarms: false).feed
            _ = try await planner.invite(
                ["circle:Chess"], to: "Choir", on: "2026-12-15", saving: true)
            #expect(
                states(try await lines(feed, planner)) == ["20261215T190000 CONFIRMED"])
            _ = try await planner.edit("Choir") { $0.start = "2026-12-08T20:00" }
            #expect(
                states(try await lines(feed, planner)) == ["20261215T200000 CONFIRMED"])
            _ = try await planner.uninvite(["Anna"], from: "Choir", on: "2026-12-15", saving: true)
            #expect(states(try await lines(feed, planner)) == [])
            _ = try await planner.invite(["circle:Chess"], to: "Choir", saving: true)
            _ = try await planner.uninvite(["Anna"], from: "Choir", on: "2026-12-22", saving: true)
            let all = try await lines(feed, planner)
            #expect(states(all) == ["all CONFIRMED"])
            #expect(all.contains("EXDATE;TZID=Europe/Helsinki:20261222T200000"))
        }
    }

    @Test func `A circle sees a date if one of its people is invited to the whole series`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await planner(of: world, chess: ["Anna", "Ben"])
            try await plan("Choir", "2026-12-08T19:00", with: ["Anna"], repeat: "weekly", planner)
            _ = try await planner.invite(
                ["circle:Chess"], to: "Choir", on: "2026-12-15", saving: true)
            _ = try await planner.uninvite(["Ben"], from: "Choir", on: "2026-12-15", saving: true)
            let feed = try await planner.addFeed(of: "circle:chess", hasAlarms: false).feed
            #expect(
                states(try await lines(feed, planner)) == ["20261215T190000 CONFIRMED"])
        }
    }

    @Test func `A circle keeps its date if the series is reduced to that date`() async throws {
        try await withTemporaryHome { world in
            let planner = try await planner(of: world, chess: ["Anna"])
            let feed = try await planner.addFeed(of: "circle:chess", hasAlarms: false).feed
            for (title, date) in [("Choir", "2026-12-08"), ("Band", "2026-12-15")] {
                try await plan(title, "2026-12-08T19:00", with: ["Ben"], repeat: "weekly", planner)
                _ = try await planner.invite(["circle:Chess"], to: title, on: date, saving: true)
                _ = try await planner.edit(title) { $0.repetition = "none" }
            }
            // The second series no longer has the date to which the circle was invited.
            #expect(titles(try await lines(feed, planner)) == ["Choir"])
            _ = try await planner.invite(["circle:Chess"], to: "Band", saving: true)
            #expect(titles(try await lines(feed, planner)).sorted() == ["Band", "Choir"])
        }
    }

    @Test func `After a series is split, each part keeps the dates of the circle`() async throws {
        try await withTemporaryHome { world in
            let planner = try await planner(of: world, chess: ["Anna", "Ben"])
            let feed = try await planner.addFeed(of: "circle:chess", hasAlarms: false).feed
            try await plan("Choir", "2026-12-08T19:00", with: ["Ben"], repeat: "weekly", planner)
            for date in ["2026-12-08", "2026-12-22"] {
                _ = try await planner.invite(["circle:Chess"], to: "Choir", on: date, saving: true)
            }
            _ = try await planner.edit("Choir") {
                $0.from = "2026-12-15"
                $0.start = "2026-12-15T20:00"
            }
            let shown = ["20261208T190000 CONFIRMED", "20261222T200000 CONFIRMED"]
            #expect(states(try await lines(feed, planner)) == shown)
        }
    }

    @Test func `A circle's date moves with the series to which its people are invited`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await planner(of: world, chess: ["Anna"])
            let feed = try await planner.addFeed(of: "circle:chess", hasAlarms: false).feed
            try await plan("Choir", "2026-12-08T19:00", with: ["Anna"], repeat: "weekly", planner)
            _ = try await planner.invite(
                ["circle:Chess"], to: "Choir", on: "2026-12-15", saving: true)
            _ = try await planner.edit("Choir") { $0.start = "2026-12-08T20:00" }
            #expect(states(try await lines(feed, planner)) == ["20261215T200000 CONFIRMED"])
        }
    }
}
