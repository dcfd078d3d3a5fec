import Testing
import Timekeeping

/// Recurrence rules parsed from words, and described in words.
@Suite struct RecurrencePhraseTests {
    private let start: CivilDate

    init() throws {
        start = try CivilDate(year: 2026, month: 12, day: 1)
    }

    /// Words that could be misread, and the rule that they mean from 1 December 2026 on.
    @Test(arguments: [
        ("the first, third and fifth monday", "FREQ=MONTHLY;BYDAY=1MO,3MO,5MO"),
        ("first and last friday of every month", "FREQ=MONTHLY;BYDAY=-1FR,1FR"),
        ("the first monday and the last friday", "FREQ=MONTHLY;BYDAY=-1FR,1MO"),
        ("first monday and last friday of july", "FREQ=YEARLY;BYMONTH=7;BYDAY=-1FR,1MO"),
        ("last monday of may and june", "FREQ=YEARLY;BYMONTH=5,6;BYDAY=-1MO"),
        ("first weekday of july", "FREQ=YEARLY;BYMONTH=7;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1"),
        (
            "last weekday of june and july",
            "FREQ=MONTHLY;BYMONTH=6,7;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"
        ),
        (
            "every 2nd weekday of the month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2"
        ),
        ("every second and fourth tuesday", "FREQ=MONTHLY;BYDAY=2TU,4TU"),
        ("every second tuesday and last friday", "FREQ=MONTHLY;BYDAY=-1FR,2TU"),
        ("every second tuesday and thursday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"),
        ("every second weekend", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU"),
        ("every 2nd to last friday", "FREQ=MONTHLY;BYDAY=-2FR"),
        ("2nd to last day of the month", "FREQ=MONTHLY;BYMONTHDAY=-2"),
        ("the 1st, 15th and last day", "FREQ=MONTHLY;BYMONTHDAY=-1,1,15"),
        ("every 15 march", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=15"),
        ("every 15 of march 3 times", "FREQ=YEARLY;COUNT=3;BYMONTH=3;BYMONTHDAY=15"),
        ("every 4th of july of every year", "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4"),
        ("yearly on 15 march", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=15"),
        ("4 and 25 december", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=4,25"),
        ("1 july and 1 december", "FREQ=YEARLY;BYMONTH=7,12;BYMONTHDAY=1"),
        ("the 1st of june and july", "FREQ=YEARLY;BYMONTH=6,7;BYMONTHDAY=1"),
        ("4 december, 25 december", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=4,25"),
        ("the first monday of the year", "FREQ=YEARLY;BYDAY=1MO"),
        ("every second tuesday of the year", "FREQ=YEARLY;BYDAY=2TU"),
        ("20th monday of the year", "FREQ=YEARLY;BYDAY=20MO"),
        ("the last day of the year", "FREQ=YEARLY;BYYEARDAY=-1"),
        ("the 100th day of every year", "FREQ=YEARLY;BYYEARDAY=100"),
        ("every second month on the 15th", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15"),
        ("every 2 years on 4 july", "FREQ=YEARLY;INTERVAL=2;BYMONTH=7;BYMONTHDAY=4"),
        ("every 2 weeks on monday in july", "FREQ=WEEKLY;INTERVAL=2;BYMONTH=7;BYDAY=MO"),
        ("every second tuesday in july", "FREQ=YEARLY;BYMONTH=7;BYDAY=2TU"),
        ("every day in june and july 10 times", "FREQ=DAILY;COUNT=10;BYMONTH=6,7"),
        ("every day of the year", "FREQ=DAILY"),
        ("monthly on the 13th if it is friday", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
        ("every 2nd day if it is monday", "FREQ=DAILY;INTERVAL=2;BYDAY=MO"),
        ("every 5 minutes", "FREQ=MINUTELY;INTERVAL=5"),
        ("mon, wed, fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("daily for 10 days", "FREQ=DAILY;UNTIL=20261210"),
        ("every 2 weeks for eight weeks", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270125"),
        ("weekly for 3 months", "FREQ=WEEKLY;UNTIL=20270228"),
        ("every friday for a year", "FREQ=WEEKLY;UNTIL=20271130;BYDAY=FR"),
        (
            "monthly on the last friday for the next 2 years",
            "FREQ=MONTHLY;UNTIL=20281130;BYDAY=-1FR"
        ),
        ("daily for 9999 years", "FREQ=DAILY;UNTIL=99991230"),
        ("daily for 5 times", "FREQ=DAILY;COUNT=5"),
        ("weekly for 2 quarters", "FREQ=WEEKLY;UNTIL=20270531"),
        ("everyday", "FREQ=DAILY"), ("Weekly.", "FREQ=WEEKLY"),
        ("every fortnight on friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("every 2 quarters", "FREQ=MONTHLY;INTERVAL=6"), ("once a week", "FREQ=WEEKLY"),
        ("once every 3 weeks", "FREQ=WEEKLY;INTERVAL=3"),
        ("once per quarter on the 15th", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15"),
        ("mon-fri", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("friday to monday", "FREQ=WEEKLY;BYDAY=MO,FR,SA,SU"),
        ("weekly monday and thursday", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("monthly last friday", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("yearly 4 july 10 times", "FREQ=YEARLY;COUNT=10;BYMONTH=7;BYMONTHDAY=4"),
        ("the last working day of the month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("every day except sunday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA"),
        ("weekdays except on wed and fri", "FREQ=WEEKLY;BYDAY=MO,TU,TH"),
        ("weekly until the end of march", "FREQ=WEEKLY;UNTIL=20270331"),
        ("daily until end of february 2028", "FREQ=DAILY;UNTIL=20280229"),
        ("daily until the end of the month", "FREQ=DAILY;UNTIL=20261231"),
        ("daily until the end of 2027", "FREQ=DAILY;UNTIL=20271231"),
        ("weekly until 25.5.", "FREQ=WEEKLY;UNTIL=20270525"),
        ("weekly until 25.5.2028", "FREQ=WEEKLY;UNTIL=20280525"),
        ("weekly until 31/12", "FREQ=WEEKLY;UNTIL=20261231"),
        ("daily until 24. december", "FREQ=DAILY;UNTIL=20261224"),
        ("every 2. tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("FREQ=WEEKLY; BYDAY=MO, TU ", "FREQ=WEEKLY;BYDAY=MO,TU"),
        ("every year on 13 may if it is friday", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=13;BYDAY=FR"),
    ])
    func `Words with several days, places and months are parsed`(
        _ words: String, _ rule: String
    ) throws {
        #expect(try RecurrenceRule(typed: words, from: start).description == rule)
    }

    /// Words with two meanings or none, and a part of the error.
    @Test(arguments: [
        ("jeden Dienstag", "FREQ=WEEKLY;BYDAY=TU"), ("jede Woche", "FREQ=WEEKLY"),
        ("alle 2 Wochen", "FREQ=WEEKLY;INTERVAL=2"), ("dienstags", "FREQ=WEEKLY;BYDAY=TU"),
        ("alle zwei Wochen bis 25.5.", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270525"),
        ("wöchentlich bis 25. Mai 2028", "FREQ=WEEKLY;UNTIL=20280525"),
        ("täglich 10 mal", "FREQ=DAILY;COUNT=10"), ("Mo-Fr", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("jeden Montag und Freitag", "FREQ=WEEKLY;BYDAY=MO,FR"),
        ("jeden zweiten Dienstag", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("jeden ersten Montag im Monat", "FREQ=MONTHLY;BYDAY=1MO"),
        ("jeden Tag außer Sonntag", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA"),
        ("monatlich am 15.", "FREQ=MONTHLY;BYMONTHDAY=15"), ("jedes Jahr", "FREQ=YEARLY"),
    ])
    func `German words are parsed like English ones`(_ words: String, _ rule: String) throws {
        #expect(try RecurrenceRule(typed: words, from: start).description == rule)
    }

    @Test func `An error quotes the German word that was typed`() {
        let refusal = refusal { try RecurrenceRule(typed: "täglich jeden Tag", from: start) }
        #expect(refusal?.contains("\"jeden\" is not understood") == true)
    }

    @Test(arguments: [
        "weekly except 22 dec", "weekly except 22.12.", "weekly except 2026-12-22",
        "every tuesday except 22 dec and 29 dec", "every tuesday except 22 dec, 29 dec",
    ])
    func `A single date cannot be left out by a rule`(_ words: String) {
        #expect(throws: RecurrenceFault.singleDate) {
            try RecurrenceRule(typed: words, from: start)
        }
    }

    @Test(arguments: [
        ("4 july and 25 december", "a rule for each"), ("july 4 and december 25", "for each"),
        ("4 july and the 15th", "a rule for each"), ("1 june, 2 july", "a rule for each"),
        ("first monday of may and last friday of june", "a rule for each"),
        ("the first monday and the 15th", "two kinds"), ("mondays and the 15th", "two kinds"),
        ("the first monday and tuesday", "two kinds"), ("1st and last weekday and 3rd", "kinds"),
        ("the last weekday and the last friday", "two kinds"), ("monthly on the last", "last day"),
        ("yearly on the 15th", "month is missing"), ("every year on the last day", "month is"),
        ("yearly on the first monday of the month", "of the month or of the year"),
        ("monthly on the first monday of the year", "which month"),
        ("monthly on the 4th of july", "which month"), ("4 july of the month", "which month"),
        ("every 2 years on the last weekday of june and july", "which month"),
        ("first monday of the year in july", "which year"), ("4 july in december", "which month"),
        ("every day until 3 march for 5 times", "not both"),
        ("hourly for 3 hours", "how many times"), ("daily for a blue moon", "\"blue\" is"),
        ("daily for ten", "is incomplete"), ("daily for 5 days 5 times", "not both"),
        ("every day for 10 days until 3 march", "not both"), ("daily 10 days", "\"days\" is"),
        ("daily 3 times once", "both"),
        ("sixth monday of the month", "no 6th Monday"), ("every 6th monday in july", "no 6th"),
        ("the 54th monday of the year", "no 54th Monday"), ("the 32nd day", "no 32nd day"),
        ("the 24th weekday of the month", "no 24th weekday"), ("367th day of the year", "367th"),
        ("the 1st, 15th and last friday", "no 15th Friday"),
        ("every second", "every second day"), ("every second 5 times", "every second tue"),
        ("every second of the month", "every second tue"), ("every third july", "third day"),
        ("every second of july", "2nd"), ("every seconds", ""), ("every 5 seconds", ""),
        ("every other weekday", "every 2 weeks on weekdays"), ("every 15", ""),
        ("every 2nd weekday", "of the month"), ("every 3 weekdays", "every 3 weeks"),
        ("every second weekend of the month", "which weekend"), ("every 15 and 20 march", ""),
        ("every other tuesday of the month", "which Tuesday"), ("every 15 march 4", ""),
        ("every other tuesday and last friday", "two kinds"), ("every 2 15th", ""),
        ("every 3 days of the month", "which month"), ("every 2 days on monday", "if it is"),
        ("monday of the month", "which Monday"),
        ("daily if it is the 13th or friday", "two kinds"), ("weekly if it is friday", "which day"),
        ("hourly if it is the 5th day of the year", "not understood"), ("30 february", "no such"),
        ("every month on the 31st in june", "no such day"),
        ("3 thursdays", "3rd Thursday"), ("1 and 3 friday", "1st Friday"), ("2 last day", ""),
        ("2 weekdays of the month", "2nd weekday"), ("daily until march", "the end of March"),
        ("daily until the end", ""), ("once a blue moon", "\"blue\" is not"),
        ("weekly until 5/6", "could be"), ("weekly until 31.4.", "no 31 April"),
        ("weekly except monday", "which days"), ("mondays except monday", "no day is left"),
        ("every day except the 15th", "which days"), ("every 3 days except sunday", "which days"),
        ("every day except sunday on sunday", "\"on\" is not"),
        ("weekdays except weekends", "are not days of the rule"),
        ("every 2 weeks on monday except tuesday", "are not days of the rule"),
    ])
    func `Words that could be misread are refused`(_ words: String, _ hint: String) {
        let refusal = refusal { try RecurrenceRule(typed: words, from: start) }
        #expect(refusal?.contains(hint) == true || refusal != nil && hint.isEmpty, "\(words)")
        #expect((refusal?.utf8.count ?? 0) < 300)
    }

    @Test func `Very long words are refused`() {
        let long = String(repeating: "monday ", count: 1000)
        let refusal = refusal { try RecurrenceRule(typed: long, from: start) }
        #expect(refusal?.contains("longer than 4096 bytes") == true)
    }

    /// Rules whose words could be mistaken for other days.
    @Test(arguments: [
        ("FREQ=WEEKLY;INTERVAL=2;BYMONTH=7;BYDAY=TU", "every 2nd week on Tuesday only in July"),
        ("FREQ=WEEKLY;INTERVAL=2;BYMONTH=7", "every 2nd week only in July"),
        ("FREQ=WEEKLY;BYMONTH=7;BYDAY=TU", "every Tuesday in July"),
        ("FREQ=MONTHLY;BYMONTH=7;BYMONTHDAY=4", "every month on the 4th only in July"),
        ("FREQ=YEARLY;BYMONTHDAY=5", "every year on the 5th of every month"),
        ("FREQ=YEARLY;BYDAY=-1FR", "every year on the last Friday of the year"),
        ("FREQ=YEARLY;BYDAY=FR", "every year on every Friday"),
        ("FREQ=YEARLY;BYWEEKNO=-1", "every year in the last week"),
        ("FREQ=YEARLY;BYWEEKNO=1,-1;BYDAY=MO", "every year in week 1 and the last week on Monday"),
        (
            "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;WKST=SU",
            "every year in week 1 on Monday with weeks from Sunday"
        ),
        ("FREQ=DAILY;COUNT=1", "on single dates"), ("FREQ=WEEKLY;COUNT=1", "every week, once"),
        ("FREQ=DAILY;BYDAY=MO,FR", "every day if it is Monday or Friday"),
        (
            "FREQ=DAILY;BYMONTHDAY=13,14;BYDAY=FR",
            "every day if it is the 13th or 14th and if it is Friday"
        ),
        (
            "FREQ=MONTHLY;BYDAY=FR,SA;BYMONTHDAY=13,14",
            "every month on the 13th and 14th if it is Friday or Saturday"
        ),
        ("FREQ=HOURLY;BYHOUR=9,17", "every hour if the hour is 9 or 17"),
        (
            "FREQ=MINUTELY;BYHOUR=9;BYSECOND=0,30",
            "every minute at second 0 and 30 if the hour is 9"
        ),
        ("FREQ=HOURLY;BYMINUTE=0,30;BYHOUR=9", "every hour at minute 0 and 30 if the hour is 9"),
        (
            "FREQ=YEARLY;BYMONTH=6,7;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "every year on every weekday in June and July (the last of these)"
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU",
            "every 2nd week on Monday and Sunday with weeks from Sunday"
        ),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "every 2nd week on weekdays"),
    ])
    func `The words of a rule describe exactly its days`(_ text: String, _ words: String) throws {
        #expect(try RecurrenceRule(text).words == words)
    }

    /// If the words of a rule can be parsed, they mean the same as the rule.
    @Test(arguments: [11, 12, 13, 14] as [UInt64])
    func `Words of a random rule are parsed as that rule or refused`(_ seed: UInt64) throws {
        var chance = SeededChance(seed: seed)
        var read = 0
        for _ in 0..<500 {
            let rule = try RandomRule.rule(using: &chance)
            let start = start.adding(days: Int.random(in: 0..<4000, using: &chance))
            guard let other = try? RecurrenceRule(typed: rule.words, from: start) else { continue }
            read += 1
            let theirs = try [rule, other].map { rule in
                Array(
                    try Recurrence(start: .day(start), in: nil, rule: rule).prefix(12).map(\.wall))
            }
            #expect(theirs[0] == theirs[1], "\(rule) as \(rule.words) as \(other)")
        }
        #expect(read > 150, "\(read)")
    }

    /// Random combinations of words of all kinds.
    @Test(arguments: [21, 22, 23] as [UInt64])
    func `A rule from random words is parsed again from its own words`(_ seed: UInt64) throws {
        var chance = SeededChance(seed: seed)
        let words = [
            "every", "2nd", "second", "last", "first", "the", "monday", "friday", "weekday", "day",
            "week", "month", "year", "and", "of", "in", "july", "may", "4", "15th", "on", "monthly",
            "yearly", "if it is", "weekend", "other", "10 times", "until 3 march", "only in",
            "every month", "of the month", "of the year",
        ]
        var read = 0
        for _ in 0..<6000 {
            let count = Int.random(in: 1...6, using: &chance)
            let phrase = (0..<count).compactMap { _ in words.randomElement(using: &chance) }
                .joined(separator: " ")
            guard let rule = try? RecurrenceRule(typed: phrase, from: start) else { continue }
            read += 1
            #expect(try RecurrenceRule(rule.description) == rule, "\(phrase) as \(rule)")
            let again = try? RecurrenceRule(typed: rule.words, from: start)
            #expect(again == rule, "\(phrase) as \(rule) as \(rule.words)")
        }
        #expect(read > 60, "\(read)")
    }
}
