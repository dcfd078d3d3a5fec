import Agenda
import Foundation
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Web

/// Meetings of several days on the pages of days.
@Suite(.timeLimit(.minutes(5))) struct SeveralDaysTests {
    private func plan(
        _ site: TestSite, _ title: String, from start: String, until end: String,
        allDay isAllDay: Bool = false
    ) async throws {
        var request = MeetingRequest()
        (request.title, request.start, request.end) = (title, start, end)
        request.isAllDay = isAllDay
        _ = try await site.planner.createMeeting(request, saving: true)
    }

    @Test func `A trip is on each of its days, with the number of the day`() async throws {
        try await TestSite.with { site in
            try await plan(site, "Cottage", from: "2026-12-04 19:00", until: "2026-12-06 16:30")
            let browser = try await site.browser()
            for (day, start, number) in [
                (4, ">19:00<", "day 1 of 3"), (5, ">All day<", "day 2 of 3"),
                (6, ">until 16:30<", "day 3 of 3"),
            ] {
                let page = await browser.open("/?day=2026-12-0\(day)").text
                #expect(page.contains("Cottage") && page.contains(start), "\(day)")
                #expect(page.contains(number), "\(day)")
            }
            #expect(!(await browser.open("/?day=2026-12-03").text.contains("<bdi>Cottage</bdi>")))
            #expect(!(await browser.open("/?day=2026-12-07").text.contains("<bdi>Cottage</bdi>")))
            let strip = await browser.open("/?day=2026-12-05").text
            #expect(strip.components(separatedBy: ", 1 meeting\"").count - 1 == 3)
        }
    }

    @Test func `The history of whole days names days, and the reason of a reminder an evening`()
        async throws
    {
        try await TestSite.with { site in
            var request = MeetingRequest()
            (request.title, request.with) = ("Camp", ["anna@example.org"])
            (request.start, request.end, request.isAllDay) = ("2026-12-12", "2026-12-13", true)
            let id = try await site.planner.createMeeting(request, saving: true).meeting.id
            var edit = MeetingEdit()
            edit.start = "2026-12-19"
            _ = try await site.planner.editMeeting("Camp", edit, saving: true)
            let browser = try await site.browser()
            let page = await browser.open("/m/\(id)/why?all=1").text
            let days = "Sat 12 December 2026 – Sun 13 December 2026"
            #expect(page.contains("Olga Owner planned it for \(days)."))
            #expect(page.contains("moved it from \(days) to Sat 19 December 2026 – Sun 20 Dec"))
            #expect(page.contains("gets a reminder of Camp on the evening before."))
        }
    }

    @Test func `An answer for whole days and a circle's next meeting name days without times`()
        async throws
    {
        try await TestSite.with { site in
            let anna = try await site.planner.add("Anna Aalto", "anna@example.org")
            try await site.planner.addCircle("Hikers", members: [anna.id])
            var request = MeetingRequest()
            (request.title, request.with) = ("Camp", ["circle:Hikers"])
            (request.start, request.end, request.isAllDay) = ("2026-12-12", "2026-12-13", true)
            let id = try await site.planner.createMeeting(request, saving: true).meeting.id
            _ = try await site.planner.answer(
                "Camp", .declined, who: "Anna Aalto", plus: nil, note: nil, saving: true)
            var edit = MeetingEdit()
            edit.start = "2026-12-19"
            _ = try await site.planner.editMeeting("Camp", edit, saving: true)
            let browser = try await site.browser()
            let page = await browser.open("/m/\(id)").text
            #expect(page.contains("answered for Sat 12 December 2026<"))
            let circles = await browser.open("/circles").text
            #expect(circles.contains("next: Camp, Sat 19 December 2026 – Sun 20 December 2026<"))
        }
    }

    @Test func `Whole days are counted on each of them`() async throws {
        try await TestSite.with { site in
            try await plan(site, "Camp", from: "2026-12-04", until: "2026-12-07", allDay: true)
            let browser = try await site.browser()
            for day in 4...7 {
                let page = await browser.open("/?day=2026-12-0\(day)").text
                #expect(page.contains("day \(day - 3) of 4") && page.contains(">All day<"))
            }
        }
    }

    @Test func `An evening that ends after midnight is on one day`() async throws {
        try await TestSite.with { site in
            try await plan(site, "Party", from: "2026-12-05 20:00", until: "2026-12-06 02:00")
            let browser = try await site.browser()
            let evening = await browser.open("/?day=2026-12-05").text
            #expect(evening.contains("Party") && !evening.contains("day 1 of"))
            #expect(!(await browser.open("/?day=2026-12-06").text.contains("<bdi>Party</bdi>")))
        }
    }

    @Test func `This week lists each day with its meetings`() async throws {
        try await TestSite.with { site in
            try await plan(site, "Cottage", from: "2026-12-04 19:00", until: "2026-12-06 16:30")
            try await site.plan("Opera", start: "2026-12-10T19:00")
            let browser = try await site.browser()
            let all = await browser.open("/meetings").text
            #expect(all.contains("/meetings?from=2026-12-01&amp;to=2026-12-07"))
            let week = await browser.open("/meetings?from=2026-12-01&to=2026-12-07").text
            #expect(week.components(separatedBy: "<bdi>Cottage</bdi>").count - 1 == 3)
            #expect(week.contains("<h2>Sat 5 December 2026</h2>"))
            #expect(week.contains("day 2 of 3") && !week.contains("Opera"))
            #expect(!week.contains("<h2>Thu 3 December 2026</h2>"))
        }
    }

    @Test(arguments: [
        ("2026-12-05T18:00", "2026-12-05T20:00", 1), ("2026-12-05T20:00", "2026-12-06T05:59", 1),
        ("2026-12-05T20:00", "2026-12-06T06:01", 2), ("2026-12-06T03:00", "2026-12-06T04:00", 1),
        ("2026-12-04T19:00", "2026-12-06T22:00", 3),
    ])
    func `The first hours of a day belong to the day before`(
        start: String, end: String, count: Int
    ) throws {
        let zone = try SystemZones.directory.zone("Europe/Helsinki")
        func moment(_ text: String) throws -> Moment {
            let now = WallTime(date: try CivilDate(year: 2026, month: 12, day: 1), time: .midnight)
            guard case .wall(let wall) = try TypedTime.parse(text, now: now) else {
                return .earliest
            }
            return zone.moment(of: wall)
        }
        let days = MeetingDays(nil, from: try moment(start), to: try moment(end), in: zone)
        #expect(days.count == count)
        #expect(days.number(of: days.last) == count && days.contains(days.first))
    }
}
