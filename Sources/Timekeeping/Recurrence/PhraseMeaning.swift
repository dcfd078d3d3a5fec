/// What a phrase says of a rule, until all of it is read: which rule that is shows at its end.
struct PhraseMeaning {
    /// In what the places of days count.
    enum Period {
        /// "of the month".
        case month
        /// "of every month", which tells twelve a year from one.
        case eachMonth
        /// "of the year".
        case year
    }

    var frequency: RecurrenceRule.Frequency?
    var interval = 1
    /// What follows "every" may be a place or a step: every second Tuesday, of the month or not.
    var mayBePlace = false
    /// Whether it means something only with the month or the year that has the days.
    var needsPeriod = false
    var days = PhraseDays()
    /// What the days have to be besides: "the 13th if it is friday".
    var conditions: [PhraseDays] = []
    var period: Period?
    /// The months that are named by themselves: "every day in july".
    var months: [Int] = []
    var weekStart = Weekday.monday
    var end = RecurrenceRule.End.never

    /// The rule that is meant.
    ///
    /// - Throws: ``RecurrenceFault`` where it could be several, or none.
    mutating func rule() throws(RecurrenceFault) -> RecurrenceRule {
        try settlePlaces()
        try days.checkIsOneRule()
        guard months.isEmpty || days.months.isEmpty else { throw Self.unclear("which month") }
        var rule = RecurrenceRule(try days.isOfEach ? stepOfAll() : stepOfSome())
        rule.interval = interval
        rule.end = end
        rule.weekStart = weekStart
        rule.months = Set(months).union(days.months).sorted()
        for item in days.items { put(item, into: &rule) }
        try checkNumbers(rule)
        for condition in conditions { try add(condition, to: &rule) }
        rule.days.sort()
        rule.monthDays.sort()
        rule.yearDays.sort()
        rule.positions.sort()
        return rule
    }

    private static func unclear(_ what: String) -> RecurrenceFault {
        RecurrenceFault("", "\(what) is meant? Say it otherwise, or write a rule for each")
    }

    /// "every second tuesday of the month" is no step, "every second tuesday" is.
    private mutating func settlePlaces() throws(RecurrenceFault) {
        let isPlaced = period != nil || !months.isEmpty || !days.isOfEach
        if mayBePlace, frequency == nil, isPlaced {
            guard !days.hasWeekend else { throw Self.unclear("which weekend") }
            days.place(at: interval)
            interval = 1
        }
        if needsPeriod, period == nil, months.isEmpty, days.months.isEmpty {
            throw RecurrenceFault("", "of what? Write of the month, or every 2 weeks on weekdays")
        }
    }

    // MARK: Steps

    /// The steps where all days of a name are meant, or none is named.
    private func stepOfAll() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
        let step = frequency ?? .weekly
        guard let weekday = days.items.compactMap(\.weekday).min(by: { $0.rawValue < $1.rawValue })
        else {
            // "every day of the month" is every day, "every 3 days of the month" is what?
            let isWhole = period == nil || interval == 1 && step < (isOfYear ? .yearly : .monthly)
            guard isWhole else { throw Self.unclear("which \(isOfYear ? "year" : "month")") }
            return step
        }
        guard period == nil, step <= .weekly || days.saysEach else {
            throw RecurrenceFault("", "which \(weekday.name)? Write the first, or the last")
        }
        guard step >= .weekly || interval == 1 else {
            throw RecurrenceFault("", "write every \(weekday.name), or if it is \(weekday.name)")
        }
        return step
    }

    private var isOfYear: Bool { period == .year }

    /// The steps where days are named by their places or numbers.
    private func stepOfSome() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
        let named = Set(months).union(days.months)
        let isOfWorkdays = days.items.contains { $0.isWorkday }
        let isSplit = isOfWorkdays && named.count > 1
        try checkPeriod(named)
        switch frequency {
        case nil:
            guard interval == 1 else { throw Self.unclear("which step") }
            // What is picked of the days is picked month by month: places of weekdays are so
            // anyway.
            let isYearly = isOfYear || !named.isEmpty && period == nil
            return isYearly && !isSplit ? .yearly : .monthly
        case .monthly?:
            guard !isOfYear, days.months.isEmpty else { throw Self.unclear("which month") }
            return .monthly
        case .yearly?:
            guard !isSplit else { throw Self.unclear("which month") }
            try checkYearly(named)
            return .yearly
        default:
            throw RecurrenceFault(
                "", "days by their places go with months and years: write monthly on …")
        }
    }

    /// "4 july of the month" and "the first monday of the year in july" are nothing.
    private func checkPeriod(_ named: Set<Int>) throws(RecurrenceFault) {
        switch period {
        case nil: break
        case .month?, .eachMonth?:
            guard days.months.isEmpty else { throw Self.unclear("which month") }
        case .year?:
            guard months.isEmpty && interval == 1 || frequency == .yearly && named.isEmpty else {
                throw Self.unclear("which year")
            }
        }
    }

    /// "yearly on the 15th" lacks its month; "of every month" says that it is meant twelve times.
    private func checkYearly(_ named: Set<Int>) throws(RecurrenceFault) {
        let isOfNumbers = days.items.contains { $0.number != nil }
        switch period {
        case nil where isOfNumbers && named.isEmpty:
            throw RecurrenceFault(
                "", "of which month? Write such as yearly on 15 march, or monthly on the 15th")
        case .month?,
            .eachMonth? where !isOfNumbers || !named.isEmpty || period == .month:
            throw RecurrenceFault("", "by the month or by the year? Write monthly on …")
        default: break
        }
    }

    // MARK: Days

    private func put(_ item: PhraseDays.Item, into rule: inout RecurrenceRule) {
        switch item {
        case .each(let weekday): rule.days.append(.init(weekday))
        case .weekday(let weekday, let place): rule.days.append(.init(weekday, place: place))
        case .workday(let place):
            rule.days = PhraseDays.workdays.map { .init($0) }
            rule.positions.append(place)
        case .number(let number):
            // "the 100th day of the year", but not "4 july of every year".
            if isOfYear, rule.months.isEmpty {
                rule.yearDays.append(number)
            } else {
                rule.monthDays.append(number)
            }
        }
    }

    /// Places beyond the month or the year, and days that a month never has.
    private func checkNumbers(_ rule: RecurrenceRule) throws(RecurrenceFault) {
        let isInYear = rule.frequency == .yearly && rule.months.isEmpty
        let (period, weeksMax, workdaysMax) = isInYear ? ("year", 53, 262) : ("month", 5, 23)
        func check(_ place: Int, _ placeMax: Int, _ name: String) throws(RecurrenceFault) {
            guard abs(place) > placeMax else { return }
            throw RecurrenceFault(
                "", "a \(period) has no \(RecurrenceRule.ordinal(abs(place))) \(name)")
        }
        for day in rule.days { try check(day.place, weeksMax, day.weekday.name) }
        for place in rule.positions { try check(place, workdaysMax, "weekday") }
        for number in rule.yearDays { try check(number, 366, "day") }
        for number in rule.monthDays where abs(number) > 31 {
            throw RecurrenceFault("", "a month has no \(RecurrenceRule.ordinal(abs(number))) day")
        }
        // The year 2000 had all days. What is named as a date has to be one, each of them.
        let fits = rule.months.flatMap { month in
            rule.monthDays.map { abs($0) <= CivilDate.days(inMonth: month, ofYear: 2000) }
        }
        guard fits.isEmpty || (days.months.isEmpty ? fits.contains(true) : !fits.contains(false))
        else { throw RecurrenceFault("", "there is no such day in that month") }
    }

    /// "if it is friday" where days are named by their numbers, or steps are of a day or shorter.
    private func add(
        _ condition: PhraseDays, to rule: inout RecurrenceRule
    ) throws(RecurrenceFault) {
        try condition.checkIsOneRule()
        let (isShort, isNumbered) = (rule.frequency <= .daily, !rule.monthDays.isEmpty)
        let isOpen = condition.isOfEach ? rule.days.isEmpty : !isNumbered
        guard isOpen, condition.months.isEmpty else { throw Self.unclear("which day") }
        for item in condition.items {
            switch item {
            case .each(let weekday) where isShort || isNumbered:
                rule.days.append(.init(weekday))
            case .number(let number) where isShort && abs(number) <= 31:
                rule.monthDays.append(number)
            default: throw Self.unclear("which day")
            }
        }
    }
}

extension PhraseDays.Item {
    fileprivate var weekday: Weekday? {
        if case .each(let weekday) = self { weekday } else { nil }
    }

    fileprivate var number: Int? {
        if case .number(let number) = self { number } else { nil }
    }

    fileprivate var isWorkday: Bool {
        if case .workday = self { true } else { false }
    }
}
