import Testing
import Timekeeping

@Suite struct RecurrenceRuleTests {
    /// A rule as it is typed, and its normal form.
    @Test(arguments: [
        ("FREQ=DAILY", "FREQ=DAILY"),
        ("RRULE:FREQ=WEEKLY;INTERVAL=1;", "FREQ=WEEKLY"),
        (
            "wkst=su;byday=we,mo,MO;freq=weekly;interval=2",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU"
        ),
        ("FREQ=MONTHLY;BYDAY=+1MO,-1FR,2TU", "FREQ=MONTHLY;BYDAY=-1FR,1MO,2TU"),
        ("FREQ=YEARLY;UNTIL=20270303", "FREQ=YEARLY;UNTIL=20270303"),
        ("FREQ=YEARLY;UNTIL=20270303t120000z", "FREQ=YEARLY;UNTIL=20270303T120000Z"),
        ("FREQ=YEARLY;BYSECOND=60,59;COUNT=3", "FREQ=YEARLY;COUNT=3;BYSECOND=59"),
        (
            "FREQ=YEARLY;BYMONTH=1;BYWEEKNO=-1,5;BYYEARDAY=-366;BYHOUR=0;BYMINUTE=0;BYSETPOS=-1",
            "FREQ=YEARLY;BYMONTH=1;BYWEEKNO=-1,5;BYYEARDAY=-366;BYHOUR=0;BYMINUTE=0;BYSETPOS=-1"
        ),
    ])
    func `A rule is parsed in any order and written in a fixed one`(
        _ text: String, _ shown: String
    ) throws {
        let rule = try RecurrenceRule(text)
        #expect(rule.description == shown)
        #expect(try RecurrenceRule(shown) == rule)
    }

    /// Invalid rules, and the part that is wrong.
    @Test(arguments: [
        ("", "FREQ"), ("COUNT=3", "FREQ"), ("FREQ=DAYLY", "FREQ"), ("FREQ=", "FREQ"),
        ("FREQ=DAILY;FREQ=DAILY", "FREQ"), ("FREQ=DAILY;COUNT=0", "COUNT"),
        ("FREQ=DAILY;COUNT=-1", "COUNT"), ("FREQ=DAILY;COUNT=99999999999", "COUNT"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL"), ("FREQ=DAILY;INTERVAL=1.5", "INTERVAL"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20270101", "COUNT"), ("FREQ=DAILY;UNTIL=tomorrow", "UNTIL"),
        ("FREQ=DAILY;UNTIL=20270230", "UNTIL"), ("FREQ=DAILY;BYHOUR=24", "BYHOUR"),
        ("FREQ=DAILY;BYMINUTE=60", "BYMINUTE"), ("FREQ=DAILY;BYSECOND=61", "BYSECOND"),
        ("FREQ=DAILY;BYMONTH=13", "BYMONTH"), ("FREQ=DAILY;BYMONTH=1,,2", "BYMONTH"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"), ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"),
        ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY"), ("FREQ=MONTHLY;BYDAY=54MO", "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=M", "BYDAY"), ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY"),
        ("FREQ=YEARLY;BYWEEKNO=5;BYDAY=1MO", "BYDAY"), ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"),
        ("FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO"), ("FREQ=YEARLY;BYWEEKNO=54", "BYWEEKNO"),
        ("FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY"), ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", "BYSETPOS"), ("FREQ=DAILY;WKST=XX", "WKST"),
        ("FREQ=DAILY;RSCALE=HEBREW", "RSCALE"),
        ("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD", "SKIP"), ("FREQ=DAILY;X-MINE=1", "X-MINE"),
        ("FREQ=DAILY;COUNT", ""), ("FREQ=DAILY;;COUNT=2", ""), (" FREQ=DAILY", " FREQ"),
    ])
    func `An invalid rule is refused with the name of the wrong part`(
        _ text: String, _ part: String
    ) throws {
        let fault = #expect(throws: RecurrenceFault.self, "\(text)") { try RecurrenceRule(text) }
        #expect(fault?.part == part, "\(text)")
    }

    @Test func `A rule that names the Gregorian calendar is accepted`() throws {
        let rule = try RecurrenceRule("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT")
        #expect(rule == (try RecurrenceRule("FREQ=MONTHLY")))
    }

    @Test func `A long or hostile rule is refused without being repeated in full`() {
        let long =
            "FREQ=DAILY;BYSECOND=" + Array(repeating: "1", count: 3000).joined(separator: ",")
        #expect(throws: RecurrenceFault.self) { try RecurrenceRule(long) }
        let odd = "FREQ=\u{1B}[31m" + String(repeating: "x", count: 300)
        #expect((refusal { try RecurrenceRule(odd) } ?? odd).utf8.count < 200)
    }

    /// A date or a time, or an invalid text.
    @Test(arguments: [
        ("19970902", true), ("19970902T090000", true), ("19970902T090060Z", true),
        ("19970229", false), ("1997090", false), ("19970902T09", false), ("19970902T250000", false),
        ("19970902Z", false), ("19970902T090000ZZ", false), ("", false), ("00000101", false),
    ])
    func `A stamp is a date or a time`(_ text: String, _ isOne: Bool) {
        #expect((CalendarStamp(text) != nil) == isOne)
    }

    /// A rule and its words.
    @Test(arguments: [
        ("FREQ=DAILY", "every day"), ("FREQ=DAILY;INTERVAL=3;COUNT=10", "every 3rd day, 10 times"),
        ("FREQ=WEEKLY;BYDAY=TU", "every Tuesday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270303", "every 2nd Tuesday until 3 March 2027"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "every 2nd week on Monday and Wednesday"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
        ("FREQ=MONTHLY;BYDAY=1TU,3TU", "every month on the 1st Tuesday and the 3rd Tuesday"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15,-2", "every month on the 1st, 15th and 2nd to last day"),
        ("FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4", "every year on 4 July"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "every year in week 20 on Monday"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on the 13th if it is Friday"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on the last weekday"),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1",
            "every month on every Monday and Tuesday (the last of these)"
        ),
        ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0", "every day at 9:00 and 17:00"),
        ("FREQ=HOURLY;INTERVAL=3;COUNT=1", "every 3rd hour, once"),
        ("FREQ=YEARLY;BYYEARDAY=100", "every year on the 100th day of the year"),
        ("FREQ=DAILY;UNTIL=20270303T090000Z", "every day until 3 March 2027, 09:00 UTC"),
    ])
    func `A rule is described in words`(_ text: String, _ words: String) throws {
        #expect(try RecurrenceRule(text).words == words)
    }

    /// Words, and the rule that they mean from 1 December 2026 on.
    @Test(arguments: [
        ("every second tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("Every 2nd Tuesday until 3 March", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270303;BYDAY=TU"),
        ("every other day", "FREQ=DAILY;INTERVAL=2"), ("daily", "FREQ=DAILY"),
        ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("weekends", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("mondays and thursdays", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("weekly on mon, wed", "FREQ=WEEKLY;BYDAY=MO,WE"),
        ("every three weeks", "FREQ=WEEKLY;INTERVAL=3"), ("fortnightly", "FREQ=WEEKLY;INTERVAL=2"),
        ("every 2 weeks on monday 10 times", "FREQ=WEEKLY;INTERVAL=2;COUNT=10;BYDAY=MO"),
        ("monthly on the last friday", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("every last friday", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("every second tuesday of the month", "FREQ=MONTHLY;BYDAY=2TU"),
        ("first monday of every month", "FREQ=MONTHLY;BYDAY=1MO"),
        ("the first and third tuesday of each month", "FREQ=MONTHLY;BYDAY=1TU,3TU"),
        ("on the 1st and 15th", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
        ("every 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("every 2nd", "FREQ=MONTHLY;BYMONTHDAY=2"),
        ("monthly on the last day", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("last weekday of the month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"), ("yearly", "FREQ=YEARLY"),
        ("every 4th of july", "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4"),
        ("every july 4", "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4"),
        ("last monday of may", "FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO"),
        ("every month on the last friday, 10 times", "FREQ=MONTHLY;COUNT=10;BYDAY=-1FR"),
        ("every day until 2027-01-31", "FREQ=DAILY;UNTIL=20270131"),
        ("every day until march 3, 2028", "FREQ=DAILY;UNTIL=20280303"),
        ("every friday till 29 february", "FREQ=WEEKLY;UNTIL=20280229;BYDAY=FR"),
        ("every day for 5 times", "FREQ=DAILY;COUNT=5"),
        ("every 3 hours", "FREQ=HOURLY;INTERVAL=3"),
        ("FREQ=DAILY;COUNT=2", "FREQ=DAILY;COUNT=2"),
    ])
    func `Words are parsed as a rule`(_ words: String, _ rule: String) throws {
        let start = try CivilDate(year: 2026, month: 12, day: 1)
        #expect(try RecurrenceRule(typed: words, from: start).description == rule)
    }

    @Test(arguments: [
        "", "every", "sometimes", "every blue moon", "until tomorrow", "every february 30",
        "every day until", "every 0 days", "monthly on friday", "weekly on the 15th",
        "every tuesday of the week", "every 32nd", "every 30 february", "on", "the",
        "every day every day", "every week until 31 february", "7 times",
    ])
    func `Words without a meaning are refused`(_ words: String) throws {
        let start = try CivilDate(year: 2026, month: 12, day: 1)
        #expect(throws: RecurrenceFault.self, "\(words)") {
            try RecurrenceRule(typed: words, from: start)
        }
    }

    @Test(arguments: [
        "FREQ=DAILY;INTERVAL=3;COUNT=10", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270303",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "FREQ=MONTHLY;BYDAY=-1FR,1MO",
        "FREQ=MONTHLY;BYMONTHDAY=1,15", "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4",
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=YEARLY;INTERVAL=2",
    ])
    func `The words of a rule are parsed as the same rule`(_ text: String) throws {
        let rule = try RecurrenceRule(text)
        let start = try CivilDate(year: 2026, month: 12, day: 1)
        #expect(try RecurrenceRule(typed: rule.words, from: start) == rule, "\(rule.words)")
    }
}
