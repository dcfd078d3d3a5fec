import Foundation
import Planning
import Testing
import Timekeeping

@testable import Web

/// Pages about very many meetings.
@Suite(.timeLimit(.minutes(5))) struct LongListPageTests {
    @Test func `A day with very many meetings shows the first ones and the number of the others`()
        async throws
    {
        try await TestSite.with { site in
            for number in 0..<9 {
                var request = MeetingRequest()
                request.title = "Games \(number)"
                request.start = "2026-12-05T00:00"
                request.duration = TimeSpan(days: 0, seconds: 600)
                request.repetition = "FREQ=HOURLY"
                request.reminders = []
                _ = try await site.planner.createMeeting(request, saving: true)
            }
            let browser = try await site.browser()
            let page = await browser.open("/?day=2026-12-10").text
            #expect(page.components(separatedBy: "<div class=\"row\">").count - 1 == 200)
            #expect(page.contains("and 16 more"))
            #expect(page.contains("216 meetings"))
            let list = await browser.open("/meetings").text
            #expect(!list.contains("There are more"))
        }
    }

    @Test func `The people of a large meeting have pages`() async throws {
        try await TestSite.with { site in
            let guests = (100..<230).map { "guest\($0)@example.org" }
            let id = try await site.plan(with: guests).id
            let browser = try await site.browser()
            func people(_ page: String) -> Int {
                page.components(separatedBy: "<span class=\"with-pill\">").count - 1
            }
            let first = await browser.open("/m/\(id)").text
            #expect(people(first) == 100)
            #expect(first.contains("href=\"/m/\(id)?guests=2#people\">Next page</a>"))
            let second = await browser.open("/m/\(id)?guests=2").text
            #expect(people(second) == 31 && !second.contains("Next page"))
            #expect(second.contains("guest229"))
        }
    }

    @Test func `Saved places have pages`() async throws {
        try await TestSite.with { site in
            for number in 100..<205 {
                _ = try await site.planner.addPlace("Place \(number)", near: nil, address: "")
            }
            let browser = try await site.browser()
            func places(_ page: String) -> Int {
                page.matches(of: #/<bdi>Place \d+<\/bdi>/#).count
            }
            let first = await browser.open("/places").text
            #expect(places(first) == 100)
            #expect(first.contains("href=\"/places?page=2#saved\">Next page</a>"))
            #expect(places(await browser.open("/places?page=2").text) == 5)
        }
    }
}
