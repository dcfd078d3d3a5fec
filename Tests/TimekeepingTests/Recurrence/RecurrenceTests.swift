import TestKit
import Testing
import Timekeeping

@Suite struct RecurrenceTests {
    private func walls(_ recurrence: Recurrence, _ count: Int = 10) -> [String] {
        recurrence.prefix(count).map { CalendarStamp.wall($0.wall).description }
    }

    /// A start, a rule, and the days of its first occurrences.
    @Test(arguments: [
        // The start is the first occurrence, even if the rule does not name it.
        ("20261201T180000", "FREQ=WEEKLY;BYDAY=FR;COUNT=3", "1201 1204 1211"),
        ("20261231T180000", "FREQ=MONTHLY;COUNT=3", "1231 0131 0331"),
        ("20261201T180000", "FREQ=DAILY;UNTIL=20261203", "1201 1202 1203"),
        ("20261201T180000", "FREQ=DAILY;UNTIL=20261203T170000", "1201 1202"),
        ("20261201T180000", "FREQ=DAILY;UNTIL=20261130", ""),
        ("20261201T180000", "FREQ=MONTHLY;BYDAY=6MO;COUNT=2", "1201"),
        ("20270129T090000", "FREQ=MONTHLY;BYDAY=5FR;COUNT=3", "0129 0430 0730"),
        ("20261201T180000", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "1201 1231 0131"),
        (
            "20270101T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,1;COUNT=4",
            "0101 0129 0201 0226"
        ),
        ("20270101T090000", "FREQ=YEARLY;BYYEARDAY=-1,60;COUNT=3", "0101 0301 1231"),
    ])
    func `Occurrences are on the expected days`(
        _ start: String, _ rule: String, _ days: String
    ) throws {
        let found = walls(try recurrence(start, rule)).map { String($0.dropFirst(4).prefix(4)) }
        #expect(found.joined(separator: " ") == days)
    }

    /// Rules without a further date: the start is the only occurrence. This is found quickly, far
    /// sooner than a walk to the end of the calendar would take.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1",
            "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "FREQ=HOURLY;INTERVAL=24;BYHOUR=5",
            "FREQ=MONTHLY;BYDAY=6MO", "FREQ=YEARLY;BYYEARDAY=1;BYMONTH=2",
            "FREQ=YEARLY;INTERVAL=100000000", "FREQ=SECONDLY;INTERVAL=100000000;BYSECOND=1",
            "FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=2", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
            "FREQ=SECONDLY;BYSECOND=1;BYSETPOS=2", "FREQ=HOURLY;BYMINUTE=1,2;BYSETPOS=3,-4",
            "FREQ=DAILY;BYHOUR=1;BYSETPOS=-3", "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3",
            "FREQ=MONTHLY;BYDAY=MO;BYHOUR=1,2;BYSETPOS=63", "FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5",
            "FREQ=SECONDLY;INTERVAL=604800;BYDAY=MO", "FREQ=HOURLY;INTERVAL=168;BYDAY=MO",
            "FREQ=SECONDLY;INTERVAL=7;BYDAY=MO;BYHOUR=4;BYMINUTE=0;BYSECOND=0",
            "FREQ=SECONDLY;INTERVAL=773;BYMONTH=2;BYMONTHDAY=30;BYHOUR=23;BYSECOND=59",
        ])
    func `A rule without a further date ends`(_ rule: String) throws {
        #expect(walls(try recurrence("20261201T180000", rule)) == ["20261201T180000"])
    }

    @Test func `A rule ends with the calendar`() throws {
        let last = try recurrence("99991230T000000", "FREQ=DAILY")
        #expect(walls(last) == ["99991230T000000", "99991231T000000"])
        let hours = try recurrence("99991231T220000", "FREQ=HOURLY", in: "Pacific/Apia")
        #expect(walls(hours).count == 2)
    }

    @Test func `A whole day ignores hours`() throws {
        let days = try recurrence("20261201", "FREQ=DAILY;COUNT=2;BYHOUR=9,17")
        #expect(walls(days) == ["20261201T000000", "20261202T000000"])
        #expect(days.allSatisfy { $0.moment == nil })
        #expect(throws: RecurrenceFault.self) { try recurrence("20261201", "FREQ=HOURLY") }
    }

    @Test func `Additions and exceptions apply, each once`() throws {
        var weekly = try recurrence("20261201T180000", "FREQ=WEEKLY;COUNT=4", in: "Europe/Berlin")
        weekly.additions = [
            try stamp("20261203T180000"), try stamp("20261208T170000Z"),
            try stamp("20261130T180000"),
        ]
        weekly.exceptions = [try stamp("20261215T170000Z"), try stamp("20261222")]
        #expect(
            walls(weekly) == [
                "20261130T180000", "20261201T180000", "20261203T180000", "20261208T180000",
            ])
        var alone = try recurrence("20261201T180000", nil)
        #expect(walls(alone) == ["20261201T180000"])
        alone.exceptions = [try stamp("20261201T180000")]
        #expect(walls(alone).isEmpty)
    }

    @Test func `A skipped time is moved later, and all times stay in order`() throws {
        let rule = "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=15,45;COUNT=8"
        let berlin = try recurrence("20270328T011500", rule, in: "Europe/Berlin")
        // 02:15 and 02:45 are 03:15 and 03:45: each moment occurs once.
        #expect(
            walls(berlin) == [
                "20270328T011500", "20270328T014500", "20270328T031500", "20270328T034500",
                "20270329T011500", "20270329T014500",
            ])
        let odd = try recurrence(
            "20270328T024500", "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=45,15;COUNT=3", in: "Europe/Berlin")
        #expect(walls(odd) == ["20270328T031500", "20270328T034500"])
    }

    @Test func `A moved and a cancelled occurrence are not at their original times`() throws {
        var weekly = try recurrence("20261201T180000", "FREQ=WEEKLY;COUNT=5", in: "Europe/Berlin")
        weekly.overrides = [
            Recurrence.Override(try stamp("20261208T170000Z"), start: try stamp("20261216T180000")),
            Recurrence.Override(try stamp("20261222T180000"), start: nil),
        ]
        #expect(
            walls(weekly) == [
                "20261201T180000", "20261215T180000", "20261216T180000", "20261229T180000",
            ])
        let moved = try #require(Array(weekly).first { $0.wall != $0.original })
        #expect(CalendarStamp.wall(moved.original).description == "20261208T180000")
    }

    @Test func `All occurrences from one on are moved or cancelled`() throws {
        var weekly = try recurrence("20261201T180000", "FREQ=WEEKLY", in: "Europe/Berlin")
        weekly.overrides = [
            Recurrence.Override(
                try stamp("20261215T180000"), start: try stamp("20261205T190000"),
                isOfFollowing: true),
            Recurrence.Override(try stamp("20270105T180000"), start: nil, isOfFollowing: true),
        ]
        #expect(
            walls(weekly) == [
                "20261201T180000", "20261205T190000", "20261208T180000", "20261212T190000",
                "20261219T190000",
            ])
    }

    @Test func `Occurrences moved several times stay in order, each once`() throws {
        var daily = try recurrence("20260301T090000", "FREQ=DAILY;COUNT=20")
        daily.overrides = [
            Recurrence.Override(
                try stamp("20260305T090000"), start: try stamp("20260302T090000"),
                isOfFollowing: true),
            Recurrence.Override(
                try stamp("20260315T090000"), start: try stamp("20260315T100000"),
                isOfFollowing: true),
            Recurrence.Override(try stamp("20260307T090000"), start: try stamp("20260310T120000")),
        ]
        let found = walls(daily, 30)
        #expect(found == found.sorted())
        #expect(found.count == 20 && Set(daily.map(\.original)).count == 20)
        #expect(found.contains("20260310T120000") && !found.contains("20260304T090001"))
    }

    @Test func `A dense rule ends when all later occurrences are cancelled`() throws {
        var dense = try recurrence("20260301T090000", "FREQ=SECONDLY")
        dense.overrides = [
            Recurrence.Override(try stamp("20260301T090002"), start: nil, isOfFollowing: true)
        ]
        #expect(walls(dense) == ["20260301T090000", "20260301T090001"])
        let one = try recurrence("20260301T090001", "FREQ=SECONDLY;BYSECOND=1;INTERVAL=2;COUNT=1")
        #expect(walls(one) == ["20260301T090001"])
    }

    @Test func `A start in UTC is a moment`() throws {
        let daily = try recurrence("20260301T090000Z", "FREQ=DAILY;COUNT=2")
        #expect(daily.compactMap(\.moment).count == 2)
    }

    /// Compared day by day with the definitions of RFC 5545, for rules of days and longer steps.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `Random rules have the days that the definitions name`(_ seed: UInt64) throws {
        var chance = SeededChance(seed: seed)
        for _ in 0..<300 {
            let start = CivilDate.earliest.adding(
                days: 738_000 + Int.random(in: 0..<4000, using: &chance))
            let rule = try RandomRule.rule(using: &chance)
            let recurrence = try Recurrence(start: .day(start), in: nil, rule: rule)
            let horizon = start.adding(days: 1500)
            let found = recurrence.prefix { $0.wall.date < horizon }.map(\.wall.date)
            let named = (0..<1500).map { start.adding(days: $0) }.filter {
                $0 == start || RandomRule.names($0, rule, from: start)
            }
            #expect(found == named, "\(rule) from \(start)")
        }
    }

    /// Only the occurrences before the given time are skipped.
    @Test(arguments: [51, 52, 53] as [UInt64])
    func `A random rule entered late has the same occurrences as from its start`(
        _ seed: UInt64
    ) throws {
        var chance = SeededChance(seed: seed)
        let zones: [String?] = [nil, "Europe/Helsinki", "Pacific/Apia", "America/Santiago"]
        for _ in 0..<200 {
            let start = Int64.random(in: 1_200_000_000..<1_400_000_000, using: &chance)
            let rule = try RandomRule.anyRule(using: &chance)
            let zone = try zones[Int.random(in: 0..<4, using: &chance)]
                .map(SystemZones.directory.zone)
            var recurrence = try Recurrence(
                start: .wall(WallTime(secondsSince1970: start)), in: zone, rule: rule)
            recurrence.exceptions = recurrence.prefix(9).dropFirst(7).map { .wall($0.original) }
            let span = Int64.random(in: 0...(rule.frequency < .daily ? 10 : 3000), using: &chance)
            let since = Moment(seconds: start + span * 86_400)
            let all = recurrence.lazy.filter { second(of: $0) >= since.seconds }
            let late = IteratorSequence(recurrence.occurrences(since: since))
                .lazy.filter { second(of: $0) >= since.seconds }
            #expect(Array(all.prefix(20)) == Array(late.prefix(20)), "\(rule) from \(start)")
        }
    }

    private func second(of occurrence: Occurrence) -> Int64 {
        occurrence.moment?.seconds ?? occurrence.wall.secondsSince1970
    }

    @Test func `A rule that began long ago is entered quickly`() throws {
        let dense = try recurrence("19700101T000000", "FREQ=SECONDLY;INTERVAL=7")
        let since = try Moment.parse("2026-12-01T12:00:00Z")
        var walked = 0
        for occurrence in IteratorSequence(dense.occurrences(since: since)) {
            walked += 1
            if second(of: occurrence) >= since.seconds { break }
        }
        #expect(walked < 50_000)
    }
}

/// Random rules without positions, and their meaning.
enum RandomRule {
    /// A rule of days or of a shorter step, with or without positions.
    static func anyRule(using chance: inout SeededChance) throws -> RecurrenceRule {
        let short = ["HOURLY", "MINUTELY", "SECONDLY"].randomElement(using: &chance) ?? ""
        let interval = Int.random(in: 1...500, using: &chance)
        let text =
            Bool.random(using: &chance)
            ? try rule(using: &chance).description : "FREQ=\(short);INTERVAL=\(interval)"
        let isPicked = text.contains(";BY") && Int.random(in: 0..<4, using: &chance) == 0
        return try RecurrenceRule(isPicked ? text + ";BYSETPOS=1,-1" : text)
    }

    static func rule(using chance: inout SeededChance) throws -> RecurrenceRule {
        func some(_ range: ClosedRange<Int>, _ percent: Int) -> [Int] {
            guard Int.random(in: 0..<100, using: &chance) < percent else { return [] }
            return (0..<Int.random(in: 1...3, using: &chance)).map { _ in
                let number = Int.random(in: range, using: &chance)
                return number == 0 ? 1 : number
            }
        }
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        let frequency =
            ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(using: &chance) ?? ""
        var parts = ["FREQ=\(frequency)", "INTERVAL=\(Int.random(in: 1...4, using: &chance))"]
        parts.append("WKST=\(names.randomElement(using: &chance) ?? "MO")")
        func add(_ name: String, _ numbers: [Int]) {
            if !numbers.isEmpty {
                parts.append("\(name)=\(numbers.map(String.init).joined(separator: ","))")
            }
        }
        add("BYMONTH", some(1...12, 40))
        if frequency != "WEEKLY" { add("BYMONTHDAY", some(-31...31, 30)) }
        let weeks = frequency == "YEARLY" ? some(-53...53, 30) : []
        add("BYWEEKNO", weeks)
        if frequency == "YEARLY" { add("BYYEARDAY", some(-366...366, 20)) }
        let mayPlace = (frequency == "MONTHLY" || frequency == "YEARLY") && weeks.isEmpty
        let days = some(0...6, 50).map { day in
            let place = mayPlace ? some(-5...5, 50).first : nil
            return (place.map(String.init) ?? "") + names[day]
        }
        if !days.isEmpty { parts.append("BYDAY=\(days.joined(separator: ","))") }
        return try RecurrenceRule(parts.joined(separator: ";"))
    }

    static func names(_ day: CivilDate, _ rule: RecurrenceRule, from start: CivilDate) -> Bool {
        guard day > start, isInStep(day, rule, start) else { return false }
        var (months, monthDays, days) = (rule.months, rule.monthDays, rule.days)
        let isOpen = monthDays.isEmpty && days.isEmpty && rule.yearDays.isEmpty
        switch rule.frequency {
        case .weekly where days.isEmpty: days = [.init(start.weekday)]
        case .monthly where isOpen: monthDays = [start.day]
        case .yearly where isOpen && rule.weekNumbers.isEmpty:
            monthDays = [start.day]
            if months.isEmpty { months = [start.month] }
        case .yearly where isOpen: days = [.init(start.weekday)]
        default: break
        }
        let length = CivilDate.days(inMonth: day.month, ofYear: day.year)
        let yearLength = CivilDate.isLeap(year: day.year) ? 366 : 365
        let ofYear = number(day)
        func fits(_ list: [Int], _ number: Int, of count: Int) -> Bool {
            list.isEmpty || list.contains(number) || list.contains(number - count - 1)
        }
        let (week, weeks) = week(of: day, beginningOn: rule.weekStart)
        return (months.isEmpty || months.contains(day.month))
            && fits(monthDays, day.day, of: length) && fits(rule.yearDays, ofYear, of: yearLength)
            && fits(rule.weekNumbers, week, of: weeks)
            && (days.isEmpty
                || days.contains { named in
                    guard named.weekday == day.weekday else { return false }
                    guard named.place != 0 else { return true }
                    let isOfYear = rule.frequency == .yearly && rule.months.isEmpty
                    let (place, all) = isOfYear ? (ofYear, yearLength) : (day.day, length)
                    return named.place == (place - 1) / 7 + 1
                        || named.place == -((all - place) / 7 + 1)
                })
    }

    private static func isInStep(_ day: CivilDate, _ rule: RecurrenceRule, _ start: CivilDate)
        -> Bool
    {
        let steps =
            switch rule.frequency {
            case .yearly: day.year - start.year
            case .monthly: (day.year - start.year) * 12 + day.month - start.month
            case .weekly: (weekStart(day, rule) - weekStart(start, rule)) / 7
            default: day.daysSince1970 - start.daysSince1970
            }
        return steps % rule.interval == 0
    }

    private static func weekStart(_ day: CivilDate, _ rule: RecurrenceRule) -> Int {
        day.daysSince1970 - (day.weekday.rawValue - rule.weekStart.rawValue + 7) % 7
    }

    private static func number(_ day: CivilDate) -> Int {
        (1..<day.month).reduce(day.day) { $0 + CivilDate.days(inMonth: $1, ofYear: day.year) }
    }

    /// The number of a day's week in the year that contains most of the week, and the number of
    /// weeks in that year.
    private static func week(of day: CivilDate, beginningOn first: Weekday) -> (Int, Int) {
        func thursday(_ day: CivilDate) -> CivilDate {
            let into = (day.weekday.rawValue - first.rawValue + 7) % 7
            return day.adding(days: 3 - into)
        }
        let middle = thursday(day)
        let number = (self.number(middle) - 1) / 7 + 1
        var last = middle
        while last.adding(days: 7).year == middle.year { last = last.adding(days: 7) }
        return (number, (self.number(last) - 1) / 7 + 1)
    }
}
