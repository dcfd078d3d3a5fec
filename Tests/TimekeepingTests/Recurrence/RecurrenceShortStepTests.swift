import Testing
import Timekeeping

/// Rules of hours, minutes and seconds.
@Suite struct RecurrenceShortStepTests {
    /// Dates in the far future are found, no matter how short the steps are.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (
                "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;BYHOUR=23;BYMINUTE=59",
                "20320229T235900"
            ),
            ("FREQ=MINUTELY;INTERVAL=7;BYMONTH=1;BYMONTHDAY=1;BYHOUR=0", "20270101T000100"),
            ("FREQ=HOURLY;INTERVAL=5;BYHOUR=3;BYDAY=SA", "20261226T030000"),
            ("FREQ=DAILY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "20320229T180000"),
            ("FREQ=SECONDLY;INTERVAL=7;BYDAY=MO;BYHOUR=4;BYMINUTE=0;BYSECOND=6", "20261207T040006"),
            ("FREQ=SECONDLY;INTERVAL=86401;BYSECOND=59", "20270129T180059"),
            ("FREQ=HOURLY;BYYEARDAY=-1", "20261231T000000"),
            ("FREQ=HOURLY;BYYEARDAY=-2;BYHOUR=9", "20261230T090000"),
            ("FREQ=HOURLY;BYYEARDAY=-365", "20270101T000000"),
            ("FREQ=HOURLY;BYYEARDAY=-366", "20280101T000000"),
            ("FREQ=HOURLY;BYYEARDAY=-306", "20270301T000000"),
            ("FREQ=HOURLY;BYYEARDAY=365", "20261231T000000"),
            ("FREQ=HOURLY;BYYEARDAY=366", "20281231T000000"),
            ("FREQ=HOURLY;BYYEARDAY=60;BYMONTH=2", "20280229T000000"),
            ("FREQ=MINUTELY;BYYEARDAY=-1;BYHOUR=12;BYMINUTE=30", "20261231T123000"),
            (
                "FREQ=SECONDLY;BYYEARDAY=-1;BYHOUR=12;BYMINUTE=30;BYSECOND=15",
                "20261231T123015"
            ),
        ])
    func `The next date of a rule with short steps is found`(
        _ rule: String, _ next: String
    ) throws {
        let start = try #require(CalendarStamp("20261201T180000"))
        let recurrence = try Recurrence(start: start, in: nil, rule: RecurrenceRule(rule))
        let found = recurrence.prefix(2).map { CalendarStamp.wall($0.wall).description }
        #expect(found.last == next)
    }

    /// The calendar repeats after 400 years, so no date is missed if a search ends after that time
    /// in steps of the rule.
    @Test(arguments: [1, 3, 4, 7, 13, 28, 100, 399])
    func `Leap days on a weekday are found whatever the interval`(_ interval: Int) throws {
        let rule = try RecurrenceRule(
            "FREQ=YEARLY;INTERVAL=\(interval);BYMONTH=2;BYMONTHDAY=29;BYDAY=TU")
        let recurrence = try Recurrence(
            start: .day(CivilDate(year: 1904, month: 1, day: 1)), in: nil, rule: rule)
        let expected = try stride(from: 1904, through: 9999, by: interval).filter { year in
            try CivilDate.isLeap(year: year)
                && CivilDate(year: year, month: 2, day: 29).weekday == .tuesday
        }
        #expect(recurrence.dropFirst().map(\.wall.date.year) == expected)
    }

    /// Repeated so often that it would take many minutes if each walk went to the end of the
    /// calendar.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1", "FREQ=HOURLY;INTERVAL=24;BYHOUR=5",
            "FREQ=HOURLY;BYMINUTE=1,2;BYSETPOS=3", "FREQ=SECONDLY;BYSECOND=1;BYSETPOS=2",
            "FREQ=SECONDLY;INTERVAL=120;BYMINUTE=1", "FREQ=DAILY;BYHOUR=1;BYSETPOS=-3",
        ])
    func `A rule without a further date is recognized by arithmetic`(_ rule: String) throws {
        let start = try #require(CalendarStamp("20261201T180000"))
        let recurrence = try Recurrence(start: start, in: nil, rule: RecurrenceRule(rule))
        for _ in 0..<100 { #expect(Array(recurrence).count == 1) }
    }

    /// Compared with a walk that takes each step.
    @Test(arguments: [31, 32, 33] as [UInt64])
    func `Random rules of short steps agree with a plain walk`(_ seed: UInt64) throws {
        var chance = SeededChance(seed: seed)
        for _ in 0..<30 {
            let rule = try rule(using: &chance)
            let unit =
                switch rule.frequency {
                case .secondly: 1
                case .minutely: 60
                default: 3600
                }
            let start = Int64.random(in: 1_790_000_000..<1_800_000_000, using: &chance)
            let recurrence = try Recurrence(
                start: .wall(WallTime(secondsSince1970: start)), in: nil, rule: rule)
            let horizon = start + Int64(3000 * unit)
            let found = recurrence.lazy.map(\.wall.secondsSince1970).prefix { $0 < horizon }
            let steps = stride(from: start, to: horizon, by: unit * rule.interval)
            #expect(
                Array(found) == steps.filter { $0 == start || names($0, rule) },
                "\(rule) from \(start)")
        }
    }

    /// Compared with a walk that takes each step through a leap year and past both of its ends.
    @Test(arguments: [
        -366, -365, -364, -307, -306, -305, -2, -1, 1, 2, 59, 60, 61, 364, 365, 366,
    ])
    func `Days of the year are counted from its start and from its end`(_ place: Int) throws {
        let start = Int64(1_830_124_800)  // 2027-12-30
        let (hours, hour) = (24 * 430, Int64(3600))
        let recurrence = try Recurrence(
            start: .wall(WallTime(secondsSince1970: start)), in: nil,
            rule: RecurrenceRule("FREQ=HOURLY;BYYEARDAY=\(place)"))
        let horizon = start + Int64(hours) * hour
        let found = recurrence.lazy.map(\.wall.secondsSince1970).prefix { $0 < horizon }
        let named = (0..<hours).map { start + Int64($0) * hour }.filter { second in
            let date = WallTime(secondsSince1970: second).date
            let before = (1..<date.month).map { CivilDate.days(inMonth: $0, ofYear: date.year) }
            let number = before.reduce(date.day, +)
            let length = CivilDate.isLeap(year: date.year) ? 366 : 365
            return second == start || (place > 0 ? number : number - length - 1) == place
        }
        #expect(named.count > 1 && Array(found) == named)
    }

    private func rule(using chance: inout SeededChance) throws -> RecurrenceRule {
        let frequency = ["HOURLY", "MINUTELY", "SECONDLY"].randomElement(using: &chance) ?? ""
        var parts = ["FREQ=\(frequency)", "INTERVAL=\(Int.random(in: 1...9, using: &chance))"]
        let lists: [(String, Range<Int>, Int)] = [
            ("BYHOUR", 0..<24, 50), ("BYMINUTE", 0..<60, frequency == "HOURLY" ? 0 : 40),
            ("BYSECOND", 0..<60, frequency == "SECONDLY" ? 40 : 0), ("BYMONTHDAY", 1..<32, 30),
        ]
        for (name, range, percent) in lists
        where Int.random(in: 0..<100, using: &chance) < percent {
            let numbers = (0..<8).map { _ in "\(Int.random(in: range, using: &chance))" }
            parts.append("\(name)=\(numbers.joined(separator: ","))")
        }
        if Bool.random(using: &chance) { parts.append("BYDAY=MO,TH,SU") }
        return try RecurrenceRule(parts.joined(separator: ";"))
    }

    private func names(_ second: Int64, _ rule: RecurrenceRule) -> Bool {
        let wall = WallTime(secondsSince1970: second)
        func fits(_ list: [Int], _ number: Int) -> Bool { list.isEmpty || list.contains(number) }
        return fits(rule.hours, wall.time.hour) && fits(rule.minutes, wall.time.minute)
            && fits(rule.seconds, wall.time.second) && fits(rule.monthDays, wall.date.day)
            && fits(rule.days.map(\.weekday.rawValue), wall.date.weekday.rawValue)
    }

    @Test func `Hours that never meet their days end after a hundred years`() throws {
        // The 366th day of a year is the 31st of December.
        let rule = try RecurrenceRule(
            "FREQ=HOURLY;INTERVAL=23;BYYEARDAY=366;BYMONTHDAY=1,2,3,4,5,6,7,8,9,10;BYHOUR=0,2,4")
        let start = WallTime(date: try CivilDate(year: 2027, month: 1, day: 1), time: .midnight)
        let recurrence = try Recurrence(start: .wall(start), in: nil, rule: rule)
        var occurrences = recurrence.occurrences(
            since: Zone.utc.moment(of: start))
        #expect(occurrences.next()?.wall == start)
        #expect(occurrences.next() == nil)
        #expect(1...3000 ~= occurrences.emptySteps)
    }
}
