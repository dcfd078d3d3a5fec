import Agenda
import Calendars
import Foundation
import Interchange
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

/// Tests of the content of feeds, and of the permissions to create them.
@Suite struct FeedTests: TakesCalendarFiles, ReadsFeeds {
    @Test func `A feed shows the past month and the next year, without cancelled meetings`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for (title, start) in [
                ("Long ago", "2026-12-02T12:00"), ("Today", "2027-01-10T18:00"),
                ("Next year", "2028-01-31T18:00"), ("Too late", "2028-03-01T18:00"),
                ("Off", "2027-01-12T18:00"),
            ] { try await plan(title, start, planner) }
            _ = try await planner.cancelMeeting("Off", saving: true)
            world.clock.set(try Moment.parse("2027-01-10T12:00:00Z"))
            let feed = try await planner.addFeed(of: nil, hasAlarms: false).feed
            let lines = try await lines(feed, planner)
            #expect(titles(lines) == ["Today", "Next year"])
            let meeting = try await planner.meeting("Today")
            #expect(lines.contains("UID:\(meeting.uid)"))
            #expect(lines.contains("DTSTART;TZID=Europe/Helsinki:20270110T180000"))
            #expect(lines.contains("X-WR-CALNAME:Olga Owner"))
            #expect(lines.contains("REFRESH-INTERVAL;VALUE=DURATION:PT1H"))
            #expect(!lines.contains { $0.contains("anna@") || $0.hasPrefix("METHOD") })
            #expect(lines.filter { $0 == "BEGIN:VTIMEZONE" }.count == 1)
        }
    }

    @Test func `The feed of a disabled account gives nothing`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.keepOwnersAccount()
            let feed = try await planner.addFeed(of: nil, hasAlarms: false).feed
            let token = try #require(feed.path).dropFirst("/cal/".count).dropLast(".ics".count)
            func isOpen() async throws -> Bool {
                try await planner.feed(by: String(token)) != nil
            }
            #expect(try await isOpen())
            _ = try await planner.store.changeAccount(of: planner.actor.id, isEnabled: false)
            #expect(try await isOpen() == false)
            _ = try await planner.store.changeAccount(of: planner.actor.id, isEnabled: true)
            #expect(try await isOpen())
        }
    }

    @Test func `A feed shows imported events as their file describes them`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let birthday = event(
                "birthday", "DTSTART;VALUE=DATE:20261203", "RRULE:FREQ=YEARLY;COUNT=3",
                "TRANSP:TRANSPARENT")
            let report = try await take(
                file(
                    birthday,
                    event("dinner", "DTSTART:20261203T170000Z", "STATUS:TENTATIVE", "CLASS:X-OURS"),
                    event("trip", "DTSTART;VALUE=DATE:20261204", "DTEND;VALUE=DATE:20261206")),
                planner, in: world)
            #expect(report.imported == 3)
            let feed = try await planner.addFeed(of: nil, hasAlarms: false).feed
            func entry(_ title: String) async throws -> [String] {
                try await lines(feed, planner).split(separator: "BEGIN:VEVENT")
                    .first { $0.contains("SUMMARY:\(title)") }.map(Array.init) ?? []
            }
            let day = try await entry("birthday")
            #expect(
                day.contains("DTSTART;VALUE=DATE:20261203") && day.contains("TRANSP:TRANSPARENT"))
            #expect(day.contains("DTEND;VALUE=DATE:20261204") && day.contains("STATUS:CONFIRMED"))
            let dinner = try await entry("dinner")
            #expect(dinner.contains("STATUS:TENTATIVE") && dinner.contains("CLASS:PRIVATE"))
            #expect(try await entry("trip").contains("DTEND;VALUE=DATE:20261206"))
            // An event that is moved to a time of day is shown with that time.
            _ = try await planner.edit("trip") { $0.start = "2026-12-04 10:00-16:00" }
            let trip = try await entry("trip")
            #expect(trip.contains("DTSTART;TZID=Europe/Berlin:20261204T100000"))
        }
    }

    @Test func `A guest's feed shows meetings they are invited to, without those they declined`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for title in ["Yes", "No", "Silent"] {
                try await plan(title, "2026-12-05T18:00", planner)
            }
            try await plan("Not hers", "2026-12-05T18:00", with: ["ben@example.org"], planner)
            for (title, word) in [("Yes", Answer.going), ("No", .declined)] {
                try await planner.note(word, by: "anna@example.org", to: title)
            }
            let feed = try await planner.addFeed(of: "anna@example.org", hasAlarms: true).feed
            let lines = try await lines(feed, planner)
            #expect(titles(lines).sorted() == ["Silent", "Yes"])
            #expect(
                lines.filter { $0.hasPrefix("STATUS:") }.sorted() == [
                    "STATUS:CONFIRMED", "STATUS:TENTATIVE",
                ])
            #expect(
                lines.filter { $0.hasPrefix("TRIGGER:") }.sorted() == [
                    "TRIGGER:-P1D", "TRIGGER:-P1D", "TRIGGER:-PT1H", "TRIGGER:-PT1H",
                ])
        }
    }

    @Test func `A feed shows the dates of a series to which its person is invited`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await plan("Choir", "2026-12-08T19:00", repeat: "weekly", planner)
            _ = try await planner.edit("Choir") {
                ($0.date, $0.start) = ("2026-12-22", "2026-12-23T19:00")
            }
            _ = try await planner.cancelMeeting("Choir", on: "2026-12-29", saving: true)
            try await planner.note(
                .declined, by: "anna@example.org", to: "Choir", on: "2026-12-15")
            _ = try await planner.invite(
                ["ben@example.org"], to: "Choir", on: "2027-01-05", saving: true)
            let anna = try await lines(
                planner.addFeed(of: "anna@example.org", hasAlarms: false).feed, planner)
            #expect(anna.contains("RRULE:FREQ=WEEKLY"))
            #expect(
                anna.filter { $0.hasPrefix("EXDATE") }.sorted() == [
                    "EXDATE;TZID=Europe/Helsinki:20261215T190000",
                    "EXDATE;TZID=Europe/Helsinki:20261229T190000",
                ])
            #expect(anna.contains("RECURRENCE-ID;TZID=Europe/Helsinki:20261222T190000"))
            let ben = try await lines(
                planner.addFeed(of: "ben@example.org", hasAlarms: false).feed, planner)
            #expect(!ben.contains("RRULE:FREQ=WEEKLY"))
            #expect(
                ben.filter { $0.hasPrefix("RECURRENCE-ID") } == [
                    "RECURRENCE-ID;TZID=Europe/Helsinki:20270105T190000"
                ])
        }
    }

    @Test func `The status of each date of a series follows the person's answer`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await plan("Choir", "2026-12-08T19:00", repeat: "weekly", planner)
            let feed = try await planner.addFeed(of: "anna@example.org", hasAlarms: false).feed
            #expect(states(try await lines(feed, planner)) == ["all TENTATIVE"])
            try await planner.note(.going, by: "anna@example.org", to: "Choir", on: "2026-12-15")
            #expect(
                states(try await lines(feed, planner))
                    == ["20261215T190000 CONFIRMED", "all TENTATIVE"])
            _ = try await planner.edit("Choir") {
                ($0.date, $0.start) = ("2026-12-22", "2026-12-23T19:00")
            }
            try await planner.note(.going, by: "anna@example.org", to: "Choir", on: nil)
            try await planner.note(.maybe, by: "anna@example.org", to: "Choir", on: "2026-12-29")
            #expect(
                states(try await lines(feed, planner)) == [
                    "20261222T190000 CONFIRMED", "20261229T190000 TENTATIVE", "all CONFIRMED",
                ])
        }
    }

    @Test func `A feed is large if it can show many meetings`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            _ = try await planner.addCircle("Chess", members: ["Anna"])
            for hour in 12...14 {
                try await plan(
                    "Game \(hour)", "2026-12-05T\(hour):00", with: ["circle:Chess"], planner)
            }
            try await plan("Private", "2026-12-06T18:00", with: ["Anna"], planner)
            _ = try await planner.addFeed(of: "circle:chess", hasAlarms: false)
            _ = try await planner.addFeed(of: "Anna", hasAlarms: false)
            let store = planner.store
            #expect(try await store.feeds(ofAtLeast: 3, limit: 9).count == 2)
            #expect(try await store.feeds(ofAtLeast: 4, limit: 9).count == 1)
            #expect(try await planner.largeFeeds().isEmpty)
        }
    }

    @Test func `A revoked feed stops working, and other feeds stay`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(
                settings: [.baseURL: "https://meet.example.org/x"])
            let first = try await planner.addFeed(of: nil, hasAlarms: false).feed
            let second = try await planner.addFeed(of: nil, hasAlarms: false).feed
            let url = try #require(first.url)
            #expect(url.hasPrefix("https://meet.example.org/x/cal/"))
            #expect(first.webcal == "webcal" + url.dropFirst("https".count))
            #expect(Set(try await planner.feeds().map(\.url)) == [first.url, second.url])
            #expect(
                await refusal { _ = try await planner.revokeFeeds(["abcd"]) }?.code
                    == "unknown_feed")
            #expect(try await planner.revokeFeeds([url, first.id]).map(\.id) == [first.id])
            #expect(try await planner.feeds().map(\.id) == [second.id])
            #expect(try await planner.feed(by: String(url.suffix(36).dropLast(4))) == nil)
            _ = try await lines(second, planner)
            // With another key the address is unknown, but it keeps working.
            try FileManager.default.removeItem(atPath: world.home.key)
            let known = try await planner.feeds()
            #expect(known.map(\.path) == [nil] && known.map(\.url) == [nil])
            _ = try await lines(second, planner)
        }
    }

    @Test func `People other than the owner can create only their own feed`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            let anna = try await world.planner(actingAs: "Anna")
            _ = try await anna.add("Ben", "ben@example.org")
            _ = try await planner.addCircle("Chess", members: ["Anna"])
            _ = try await anna.addFeed(of: nil, hasAlarms: false)
            #expect(
                await refusal { _ = try await anna.addFeed(of: "Ben", hasAlarms: false) }?.code
                    == "not_allowed")
            let circles = await refusal {
                _ = try await anna.addFeed(of: "circle:Chess", hasAlarms: false)
            }
            #expect(circles?.code == "unknown_person")
            _ = try await planner.add("Ben", "ben@example.org")
            _ = try await planner.addFeed(of: "Ben", hasAlarms: false)
            #expect(try await anna.feeds().map(\.person) == ["Anna"])
            #expect(Set(try await planner.feeds().map(\.person)) == ["Anna", "Ben"])
        }
    }

    @Test
    func `A feed shows the meetings of both people after a merge, and is removed with its person`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            try await planner.add("Anna V.", "v@example.org")
            try await plan("Games", "2026-12-05T18:00", with: ["Anna"], planner)
            let feed = try await planner.addFeed(of: "Anna V.", hasAlarms: false).feed
            let path = try #require(feed.path)
            let token = String(path.dropFirst("/cal/".count).dropLast(".ics".count))
            let read = try #require(try await planner.feed(by: token))
            let known = try await planner.content(of: read, besides: nil)
            _ = try await planner.mergePeople("Anna", "Anna V.")
            let merged = try #require(try await planner.feed(by: token))
            #expect(!known.isOf(merged))
            let content = try await planner.content(of: merged, besides: known)
            #expect(String(decoding: content.octets, as: UTF8.self).contains("SUMMARY:Games"))
            _ = try await planner.erasePerson("Anna")
            #expect(try await planner.feeds().isEmpty)
        }
    }

    @Test func `A feed is created again only after a change, and every shown part can change`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await plan("Choir", "2026-12-08T19:00", repeat: "weekly", planner)
            try await plan("Games", "2026-12-05T18:00", planner)
            let feed = try await planner.addFeed(of: "anna@example.org", hasAlarms: true).feed
            let path = try #require(feed.path)
            let token = String(path.dropFirst("/cal/".count).dropLast(".ics".count))
            func read() async throws -> ReadFeed {
                try #require(try await planner.feed(by: token))
            }
            var known = try await planner.content(of: try await read(), besides: nil)
            func expectChange(
                _ name: String, _ change: () async throws -> Void
            ) async throws {
                #expect(known.isOf(try await read()), "before \(name)")
                try await change()
                #expect(!known.isOf(try await read()), "\(name)")
                let renewed = try await planner.content(of: try await read(), besides: known)
                #expect(renewed.version != known.version, "\(name)")
                let whole = try await planner.content(of: try await read(), besides: nil)
                #expect(renewed.octets == whole.octets, "\(name)")
                known = renewed
            }
            try await expectChange("title") {
                _ = try await planner.edit("Games") { $0.title = "Board games" }
            }
            try await expectChange("answer") {
                try await planner.note(.going, by: "anna@example.org", to: "Board")
            }
            try await expectChange("answer to a date") {
                try await planner.note(
                    .declined, by: "anna@example.org", to: "Choir", on: "2026-12-15")
            }
            try await expectChange("date") {
                _ = try await planner.edit("Choir") {
                    ($0.date, $0.start) = ("2026-12-22", "2026-12-23T19:00")
                }
            }
            try await expectChange("reminders") {
                var edit = PolicyEdit()
                edit.reminders = .own([TimeSpan(days: 0, seconds: 7200)])
                _ = try await planner.setPolicy(edit, of: "anna@example.org", saving: true)
            }
            try await expectChange("uninvited") {
                _ = try await planner.uninvite(["anna@example.org"], from: "Board", saving: true)
            }
        }
    }
}

extension Planner {
    fileprivate func note(
        _ answer: Answer, by who: String, to meeting: String, on date: String? = nil
    ) async throws {
        _ = try await self.answer(
            meeting, on: date, answer, who: who, plus: nil, note: nil, saving: true)
    }
}
