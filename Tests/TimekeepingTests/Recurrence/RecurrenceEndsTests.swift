import Testing
import Timekeeping

/// Rules of calendar files that state both COUNT and UNTIL, and times of day of whole days.
@Suite struct RecurrenceEndsTests {
    private static let start = CalendarStamp("20270104T100000")

    @Test(arguments: [
        ("COUNT=10;UNTIL=20270106T100000Z", 3, "FREQ=DAILY;UNTIL=20270106T100000Z"),
        ("UNTIL=20270106T100000Z;COUNT=10", 3, "FREQ=DAILY;UNTIL=20270106T100000Z"),
        ("COUNT=2;UNTIL=20270106T100000Z", 2, "FREQ=DAILY;COUNT=2"),
        ("UNTIL=20270106T100000Z;COUNT=2", 2, "FREQ=DAILY;COUNT=2"),
        ("COUNT=3;UNTIL=20270106T100000Z", 3, "FREQ=DAILY;UNTIL=20270106T100000Z"),
        ("COUNT=2;UNTIL=never", 2, "FREQ=DAILY;COUNT=2"),
    ])
    func `The earlier one of two ends holds, in any order`(
        _ ends: String, _ count: Int, _ single: String
    ) throws {
        let start = try #require(Self.start)
        let (rule, faults) = try RecurrenceRule.lenient("FREQ=DAILY;\(ends)")
        #expect(faults.count == 1)
        #expect(Array(try Recurrence(start: start, in: .utc, rule: rule).prefix(20)).count == count)
        let one = rule.withOneEnd(from: start, in: .utc)
        #expect(one.description == single)
        #expect(Array(try Recurrence(start: start, in: .utc, rule: one).prefix(20)).count == count)
    }

    @Test func `An end in UTC is compared with the times in the zone of the event`() throws {
        let start = try #require(Self.start)
        let zone = Zone(fixedOffsetSeconds: -8 * 3600)
        let rule = try RecurrenceRule.lenient("FREQ=DAILY;COUNT=3;UNTIL=20270107T120000Z").rule
        #expect(
            rule.withOneEnd(from: start, in: zone).description
                == "FREQ=DAILY;UNTIL=20270107T120000Z")
        #expect(rule.withOneEnd(from: start, in: .utc).description == "FREQ=DAILY;COUNT=3")
    }

    @Test func `A rule of both ends is refused where people type it`() {
        #expect(throws: RecurrenceFault.self) {
            try RecurrenceRule("FREQ=DAILY;COUNT=3;UNTIL=20270106")
        }
    }

    @Test(arguments: [
        ("FREQ=DAILY;BYHOUR=9,12;BYMINUTE=0", "FREQ=DAILY"),
        ("FREQ=DAILY;BYHOUR=9,12;BYSETPOS=2", "FREQ=DAILY"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSECOND=5;BYSETPOS=1", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1"),
    ])
    func `Times of day have no effect on whole days`(_ text: String, _ plain: String) throws {
        let rule = try RecurrenceRule(text).withoutTimes
        #expect(rule.description == plain)
        #expect(try RecurrenceRule(plain) == rule)
    }
}
