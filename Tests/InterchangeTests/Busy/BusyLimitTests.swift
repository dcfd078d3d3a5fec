import Interchange
import TestKit
import Testing
import Timekeeping

/// Calendars whose events repeat so often that they are not read to their end.
@Suite(.timeLimit(.minutes(1))) struct BusyLimitTests {
    /// A rule without dates, which counts 400 of the two million dates of all events.
    private static let empty = "RRULE:FREQ=MINUTELY;UNTIL=20261201T180000Z;BYSECOND=30"

    /// An event on Tuesday, 1 December 2026.
    private static func event(_ number: Int, _ rules: [String]) -> [String] {
        let times = ["DTSTART:20261201T180000Z", "DURATION:PT1H"]
        return ["BEGIN:VEVENT", "UID:\(number)"] + times + rules + ["END:VEVENT"]
    }

    /// The busy times of December 2026.
    private static func periods(of events: [[String]]) throws -> BusyPeriods {
        let lines = ["BEGIN:VCALENDAR"] + events.joined() + ["END:VCALENDAR", ""]
        return BusyPeriods(
            of: lines.joined(separator: "\r\n"), from: try Moment.parse("2026-12-01T00:00:00Z"),
            until: try Moment.parse("2027-01-01T00:00:00Z"),
            in: try SystemZones.directory.zone("Europe/Berlin"), by: SystemZones.directory)
    }

    @Test(
        arguments: [
            (0, nil, 6), (100, "Its events repeat more than 2000000 times.", 1),
        ] as [(Int, String?, Int)])
    func `Nothing is read after the rule with which the events repeat too often`(
        _ before: Int, _ excess: String?, _ count: Int
    ) throws {
        let many = [String](repeating: Self.empty, count: 100)
        let events = (0..<before).map { Self.event($0, many) }
        let last = Self.event(before, [Self.empty, "RRULE:FREQ=WEEKLY"])
        let found = try Self.periods(of: events + [last, Self.event(before + 1, [])])
        #expect(found.excess == excess)
        #expect(found.firm.count == count)
    }

    @Test func `Steps without a date count, too`() throws {
        let impossible =
            "RRULE:FREQ=HOURLY;INTERVAL=23;BYYEARDAY=366;BYMONTHDAY=1,2,3,4,5,6,7,8,9,10"
        let events = (0..<4500).map { Self.event($0, [impossible]) }
        let found = try Self.periods(of: events)
        #expect(found.excess == "Its events repeat more than 2000000 times.")
    }

    @Test func `Exceptions count for each rule of their event`() throws {
        let days = (10..<29).flatMap { day in
            (10..<24).map { hour in "202612\(day)T\(hour)0000Z" }
        }
        let exceptions = "EXDATE:" + days.joined(separator: ",")
        let rules = (1...100).map { "RRULE:FREQ=YEARLY;INTERVAL=\($0)" }
        let events = (0..<40).map { Self.event($0, rules + [exceptions]) }
        let without = events.map { Array($0.dropLast(2)) + ["END:VEVENT"] }
        #expect(try Self.periods(of: without).excess == nil)
        let found = try Self.periods(of: events)
        #expect(found.excess == "Its events repeat more than 2000000 times.")
    }

    @Test(
        arguments: [
            (["BEGIN:VEVENT", "end:vevent"], 25_000, nil),
            (["begin:VEVENT"], 25_001, "It has 25001 events, and at most 25000 are read."),
            (["RRULE:FREQ=DAILY"], 5000, nil),
            (
                ["X", "RRULE;X=1:"], 7000,
                "It has 7000 recurrence rules, and at most 5000 are read."
            ),
        ] as [([String], Int, String?)])
    func `Events and rules are counted before a calendar is read`(
        _ lines: [String], _ count: Int, _ excess: String?
    ) {
        let text = [[String]](repeating: lines, count: count).joined().joined(separator: "\r\n")
        #expect(BusyLimits.excess(of: Array(text.utf8)) == excess)
    }

    /// Comparing the zone again for each time would take minutes.
    @Test func `A zone with many clock changes is compared once`() throws {
        let days = (0..<3000).map { number in
            "RDATE:20\(20 + number / 300)\(10 + number % 3)\(10 + number % 19)T\(100_000 + number)"
        }
        let zone =
            ["BEGIN:VTIMEZONE", "TZID:CET", "BEGIN:STANDARD", "DTSTART:20200101T000000"] + days
            + ["TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE"]
        let events = (0..<20_000).map { number in
            [
                "BEGIN:VEVENT", "UID:\(number)", "DTSTART;TZID=CET:20261205T120000",
                "DTEND;TZID=CET:20261205T130000", "END:VEVENT",
            ]
        }
        let found = try Self.periods(of: [zone] + events)
        #expect(!found.firm.isEmpty)
    }

    @Test func `A calendar of many zones is read, and the last ones are unknown`() throws {
        let events = (0..<30_000).map { number in
            [
                "BEGIN:VEVENT", "UID:\(number)",
                "DTSTART;TZID=\"(UTC+01:00) A\(number), B, C, D\":20261205T120000", "END:VEVENT",
            ]
        }
        _ = try Self.periods(of: events)
    }
}
