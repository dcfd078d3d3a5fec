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
}
