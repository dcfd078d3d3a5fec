/// The days that a rule allows. Parts that the rule leaves open are taken from the start.
struct RecurrenceDays {
    private let months: UInt16
    private let monthDays: MonthDayNumbers
    private let weekdays: PlacedWeekdays
    private let yearDays: [Int]
    /// The days of ``yearDays`` in years of 365 and in those of 366 days; `nil` for all days.
    private let daysOfYears: (common: YearDays, leap: YearDays)?
    private let weekNumbers: [Int]
    private let weekStart: Int
    /// True if places of weekdays are counted within a year.
    private let countsInYear: Bool

    init(_ rule: RecurrenceRule, from start: CivilDate) {
        let isOpen = rule.days.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
        var (months, monthDays, days) = (rule.months, rule.monthDays, rule.days)
        switch rule.frequency {
        case .yearly where isOpen && rule.weekNumbers.isEmpty:
            monthDays = [start.day]
            if months.isEmpty { months = [start.month] }
        case .yearly where isOpen, .weekly where days.isEmpty:
            days = [RecurrenceRule.Day(start.weekday)]
        case .monthly where isOpen: monthDays = [start.day]
        default: break
        }
        self.months = months.reduce(0) { $0 | 1 << UInt16($1) }
        self.monthDays = MonthDayNumbers(monthDays)
        weekdays = PlacedWeekdays(days)
        (yearDays, weekNumbers) = (rule.yearDays, rule.weekNumbers)
        daysOfYears =
            rule.yearDays.isEmpty
            ? nil
            : (
                common: YearDays(2001, only: rule.yearDays),
                leap: YearDays(2000, only: rule.yearDays)
            )
        weekStart = rule.weekStart.rawValue - 1
        countsInYear = rule.frequency == .yearly && rule.months.isEmpty && !weekdays.placed.isEmpty
    }

    /// True if every day is allowed.
    var isEveryDay: Bool {
        months == 0 && monthDays.isEmpty && weekdays.isEmpty && yearDays.isEmpty
    }

    private func lets(month: Int) -> Bool { months == 0 || months >> UInt16(month) & 1 == 1 }

    /// The weekdays that are allowed in any month; bit n stands for the nth day after Monday.
    var week: UInt8 { weekdays.each }

    /// True if the month of a day is allowed.
    func letsMonth(of day: Int) -> Bool {
        months == 0 || lets(month: CivilDate(dayNumber: day).month)
    }

    /// True if a day is allowed.
    func contains(_ day: Int) -> Bool {
        let date = CivilDate(dayNumber: day)
        return exactDays(ofMonth: date.month, in: date.year).contains(date.day)
    }

    /// The allowed days of a month, for rules with steps of a day or less.
    private func exactDays(ofMonth month: Int, in year: Int) -> MonthDays {
        var days = days(ofMonth: month, in: year)
        guard let daysOfYears else { return days }
        let known = CivilDate.isLeap(year: year) ? daysOfYears.leap : daysOfYears.common
        if let part = known.days(ofMonth: month) { days.formIntersection(part) }
        return days
    }

    /// The first day after another one that may be allowed: the next matching day of the month, or
    /// the first day of the next month.
    func candidate(after day: Int) -> Int {
        let date = CivilDate(dayNumber: day)
        var days = exactDays(ofMonth: date.month, in: date.year)
        days.remove(through: date.day)
        let end = CivilDate.days(inMonth: date.month, ofYear: date.year) + 1
        return day + (days.popFirst() ?? end) - date.day
    }

    /// The allowed days of a month, without the parts that concern a whole year.
    func days(ofMonth month: Int, in year: Int) -> MonthDays {
        guard lets(month: month) else { return .none }
        let length = CivilDate.days(inMonth: month, ofYear: year)
        var days = MonthDays.all(length)
        if !monthDays.isEmpty { days = monthDays.days(ofMonth: length) }
        if !weekdays.isEmpty, !countsInYear {
            let first = Self.weekday(CivilDate.dayNumber(year: year, month: month, day: 1))
            days.formIntersection(weekdays.days(ofMonth: length, beginningOn: first))
        }
        return days
    }

    /// Appends the allowed days of a month to `numbers`, as days since 1970.
    func append(month: Int, of year: Int, to numbers: inout [Int]) {
        append(days(ofMonth: month, in: year), month, year, to: &numbers)
    }

    /// Appends the allowed days of a year to `numbers`, as days since 1970.
    func append(year: Int, to numbers: inout [Int]) {
        var wanted = YearDays(year)
        if !yearDays.isEmpty { wanted.keep { $0.insert(places: yearDays) } }
        if !weekNumbers.isEmpty { wanted.keep { insertWeeks(to: &$0) } }
        if countsInYear { wanted.keep { insertPlacedDays(to: &$0) } }
        for month in 1...12 where lets(month: month) {
            var days = days(ofMonth: month, in: year)
            if let part = wanted.days(ofMonth: month) { days.formIntersection(part) }
            append(days, month, year, to: &numbers)
        }
    }

    private func append(
        _ days: MonthDays, _ month: Int, _ year: Int, to numbers: inout [Int]
    ) {
        guard !days.isEmpty else { return }
        let first = CivilDate.dayNumber(year: year, month: month, day: 1)
        var days = days
        while let day = days.popFirst() { numbers.append(first + day - 1) }
    }

    private func insertPlacedDays(to set: inout YearDays) {
        let first = Self.weekday(set.firstDay)
        for day in weekdays.placed {
            if let number = PlacedWeekdays.number(of: day, among: set.length, beginningOn: first) {
                set.insert(number)
            }
        }
        guard weekdays.each != 0 else { return }
        for number in 1...set.length where weekdays.each >> UInt8((first + number - 1) % 7) & 1 == 1
        {
            set.insert(number)
        }
    }

    /// Inserts the days of the given weeks. Weeks of the previous and the next year may reach into
    /// the year, too.
    private func insertWeeks(to set: inout YearDays) {
        for year in set.year - 1...set.year + 1 {
            let first = firstWeek(of: year)
            let count = (firstWeek(of: year + 1) - first) / 7
            for number in weekNumbers {
                let place = number > 0 ? number - 1 : count + number
                guard (0..<count).contains(place) else { continue }
                let monday = first + 7 * place - set.firstDay + 1
                for number in monday..<monday + 7 where (1...set.length).contains(number) {
                    set.insert(number)
                }
            }
        }
    }

    /// The first day of the first week of a year: the first week with at least four days in that
    /// year.
    private func firstWeek(of year: Int) -> Int {
        let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
        let into = (Self.weekday(first) - weekStart + 7) % 7
        return into <= 3 ? first - into : first + 7 - into
    }

    /// The number of days from Monday to a day's weekday.
    static func weekday(_ day: Int) -> Int { (day + 3).dividedFloored(by: 7).remainder }
}

/// A set of days of one year.
struct YearDays {
    let year: Int
    let length: Int
    /// The day number since 1970 of the first day of the year.
    let firstDay: Int
    /// The days by month, from index 1 on; `nil` for all days.
    private var months: SIMD16<UInt32>?

    init(_ year: Int) {
        self.year = year
        length = CivilDate.isLeap(year: year) ? 366 : 365
        firstDay = CivilDate.dayNumber(year: year, month: 1, day: 1)
    }

    /// The days of a year with these numbers, counted from its start or from its end.
    init(_ year: Int, only places: [Int]) {
        self.init(year)
        keep { $0.insert(places: places) }
    }

    /// The days of a month; `nil` for all days.
    func days(ofMonth month: Int) -> MonthDays? {
        months.map { MonthDays(bits: $0[month]) }
    }

    /// Keeps only the days that are also in another set.
    mutating func keep(_ fill: (inout YearDays) -> Void) {
        var other = YearDays(year)
        other.months = .zero
        fill(&other)
        guard let theirs = other.months else { return }
        months = months.map { $0 & theirs } ?? theirs
    }

    /// Inserts the day with a number from 1 on.
    mutating func insert(_ number: Int) {
        let date = CivilDate(dayNumber: firstDay + number - 1)
        months?[date.month] |= 1 << UInt32(date.day - 1)
    }

    /// Inserts days by their numbers, counted from the start or from the end of the year.
    mutating func insert(places: [Int]) {
        for place in places {
            let number = place > 0 ? place : length + place + 1
            if (1...length).contains(number) { insert(number) }
        }
    }
}
