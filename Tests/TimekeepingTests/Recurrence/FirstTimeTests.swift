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
    func `The first time is one that the rule names`(_ rule: String, _ first: String) throws {
        let start = try WallTime.parse("2026-12-04T12:00")
        #expect(try RecurrenceRule(rule).firstTime(from: start)?.description == first)
    }

    @Test func `A rule that names nothing has none`() throws {
        let start = try WallTime.parse("2026-12-04T12:00")
        let rule = try RecurrenceRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
        #expect(rule.firstTime(from: start) == nil)
    }
}
