import Calendars
import Planning
import TestKit
import Testing
import TextUI

@testable import letsmeet

/// The list of feeds on screens of different widths.
@Suite struct FeedTextTests {
    @Test func `On a narrow screen, each address has a line of its own`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addBirthdayFeed()
            _ = try await planner.addFeed(
                of: .person(planner.actor), hasAlarms: true, isBusyOnly: false)
            let feeds: [FeedView] = try await planner.feeds()
            let wide = CalendarFeedList.text(
                feeds, in: TableFrame(columns: 200, hasHeadings: true))
            #expect(wide.split(separator: "\n").count == 3 && wide.contains("Address"))
            let narrow = CalendarFeedList.text(
                feeds, in: TableFrame(columns: 60, hasHeadings: true)
            ).split(separator: "\n")
            // Addresses stay whole, so that they can be copied.
            let rows = narrow.filter { !$0.hasPrefix("  http") }
            #expect(narrow.count == 5 && rows.allSatisfy { $0.count <= 60 })
            let paths: [String] = feeds.compactMap(\.path)
            #expect(paths.count == 2)
            for path in paths { #expect(narrow.contains { $0.hasSuffix(path) }) }
        }
    }
}
