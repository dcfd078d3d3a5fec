import Testing
import Timekeeping

@Suite struct FirstTimeTests {
    @Test(arguments: [
        ("FREQ=WEEKLY;BYDAY=TU", "2026-12-08T12:00:00"),
        ("FREQ=WEEKLY;BYDAY=FR", "2026-12-04T12:00:00"),
        ("FREQ=WEEKLY", "2026-12-04T12:00:00"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "2026-12-15T12:00:00"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "2026-12-25T12:00:00"),
        ("FREQ=MONTHLY;BYDAY=1FR", "2026-12-04T12:00:00"),
        ("FREQ=DAILY;BYHOUR=9", "2026-12-05T09:00:00"),
        ("FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4;COUNT=1", "2027-07-04T12:00:00"),
    ])
    func `The first time is named by the rule`(_ rule: String, _ first: String) throws {
        let start = try WallTime.parse("2026-12-04T12:00")
        #expect(try RecurrenceRule(rule).firstTime(from: start)?.description == first)
    }

    /// The start is Thursday, 26 November.
    @Test(arguments: [
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", ["1201", "1215"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", ["1126", "1207", "1210"]),
        ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", ["1215", "0315"]),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO", ["1207", "0201"]),
        ("FREQ=DAILY;INTERVAL=3", ["1126", "1129"]),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=7;BYMONTHDAY=4", ["0704", "0704"]),
    ])
    func `A rule with an interval begins at the next date that it names`(
        _ text: String, _ days: [String]
    ) throws {
        let rule = try RecurrenceRule(text)
        let first = try #require(
            rule.firstTime(inAnyStepFrom: try WallTime.parse("2026-11-26T12:00")))
        #expect(rule.firstTime(from: first) == first)
        let found = try Recurrence(start: .wall(first), in: nil, rule: rule).prefix(days.count)
        #expect(
            found.map { $0.wall.description.dropFirst(5).prefix(5).filter { $0 != "-" } } == days)
    }

    /// The start is moved from Monday, 30 November to other days.
    @Test(arguments: [
        ("FREQ=WEEKLY;BYDAY=MO,TH", 1, "FREQ=WEEKLY;BYDAY=TU,FR"),
        ("FREQ=WEEKLY;BYDAY=MO,TH", -1, "FREQ=WEEKLY;BYDAY=WE,SU"),
        ("FREQ=WEEKLY;BYDAY=MO,SA", 3, "FREQ=WEEKLY;BYDAY=TU,TH"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", 2, "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,SA"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", 4, nil),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", 8, "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1", 6, nil),
        ("FREQ=MONTHLY;BYDAY=-1MO", 1, nil),
        ("FREQ=MONTHLY;BYMONTHDAY=30", 1, "FREQ=MONTHLY;BYMONTHDAY=1"),
    ])
    func `All days of a rule move together`(_ rule: String, _ days: Int, _ moved: String?) throws {
        let old = try WallTime.parse("2026-11-30T12:00")
        let new = WallTime(date: old.date.adding(days: days), time: old.time)
        #expect(try RecurrenceRule(rule).moved(from: old, to: new)?.description == moved)
    }

    @Test(arguments: [
        ("FREQ=WEEKLY;BYDAY=MO,TH", 1, "FREQ=WEEKLY;BYDAY=TU,FR"),
        ("FREQ=WEEKLY;BYDAY=MO,TH", 3, "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 1, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 5, nil),
        ("FREQ=WEEKLY;BYDAY=MO", 5, "FREQ=WEEKLY;BYDAY=SA"),
    ])
    func `A new start on one of the rule's days keeps its days`(
        _ rule: String, _ days: Int, _ restarted: String?
    ) throws {
        let old = try WallTime.parse("2026-11-30T12:00")
        let new = WallTime(date: old.date.adding(days: days), time: old.time)
        #expect(try RecurrenceRule(rule).restarted(from: old, at: new)?.description == restarted)
    }

    @Test func `A rule without any date has no first time`() throws {
        let start = try WallTime.parse("2026-12-04T12:00")
        let rule = try RecurrenceRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
        #expect(rule.firstTime(from: start) == nil)
    }
}
