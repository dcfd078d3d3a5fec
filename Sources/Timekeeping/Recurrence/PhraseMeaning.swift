/// The meaning of a phrase, collected until all words are read. Only then is the rule clear.
struct PhraseMeaning {
    /// The period in which places of days are counted.
    enum Period {
        /// "of the month".
        case month
        /// "of every month", which means all twelve months of a year and not only one.
        case eachMonth
        /// "of the year".
        case year
    }

    var frequency: RecurrenceRule.Frequency?
    var interval = 1
    /// True if the number after "every" may be a place or a step: "every second Tuesday", of the
    /// month or not.
    var mayBePlace = false
    /// True if the days have a meaning only together with a month or a year.
    var needsPeriod = false
    var days = PhraseDays()
    /// Further conditions on the days: "the 13th if it is friday".
    var conditions: [PhraseDays] = []
    var period: Period?
    /// The months that are named without a day: "every day in july".
    var months: [Int] = []
    var weekStart = Weekday.monday
    var end = RecurrenceRule.End.never

    /// The rule that the phrase means.
    ///
    /// - Throws: ``RecurrenceFault`` if it could be several rules, or none.
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
        RecurrenceFault("", "it is unclear \(what) is meant: rephrase it, or write a rule for each")
    }

    /// Decides between place and step: "every second tuesday of the month" is a place, "every
    /// second tuesday" is a step.
    private mutating func settlePlaces() throws(RecurrenceFault) {
        let isPlaced = period != nil || !months.isEmpty || !days.isOfEach
        if mayBePlace, frequency == nil, isPlaced {
            guard !days.hasWeekend else { throw Self.unclear("which weekend") }
            days.place(at: interval)
            interval = 1
        }
        if needsPeriod, period == nil, months.isEmpty, days.months.isEmpty {
            throw RecurrenceFault(
                "",
                "the period is missing: write \"of the month\" or \"every 2 weeks on weekdays\"")
        }
    }

    // MARK: Steps

    /// The frequency if every weekday of a name is meant, or no day is named.
    private func stepOfAll() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
        let step = frequency ?? .weekly
        guard let weekday = days.items.compactMap(\.weekday).min(by: { $0.rawValue < $1.rawValue })
        else {
            // "Every day of the month" is every day; "every 3 days of the month" is unclear.
            let isWhole = period == nil || interval == 1 && step < (isOfYear ? .yearly : .monthly)
            guard isWhole else { throw Self.unclear("which \(isOfYear ? "year" : "month")") }
            return step
        }
        guard period == nil, step <= .weekly || days.saysEach else {
            throw RecurrenceFault(
                "",
                "it is unclear which \(weekday.name) is meant: write \"the first\" or \"the last\"")
        }
        guard step >= .weekly || interval == 1 else {
            throw RecurrenceFault(
                "",
                "a step of several days has no weekday: write \"every \(weekday.name)\", "
                    + "or \"if it is \(weekday.name)\"")
        }
        return step
    }

    private var isOfYear: Bool { period == .year }

    /// The frequency if days are named by their places or numbers.
    private func stepOfSome() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
        let named = Set(months).union(days.months)
        let isOfWorkdays = days.items.contains { $0.isWorkday }
        let isSplit = isOfWorkdays && named.count > 1
        try checkPeriod(named)
        switch frequency {
        case nil:
            guard interval == 1 else { throw Self.unclear("which step") }
            // A place among the working days is counted within a step, so several months need
            // monthly steps. Places of weekdays are counted within each month anyway.
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
                "", "days such as \"the last friday\" need months or years: write \"monthly on …\"")
        }
    }

    /// Refuses phrases without a meaning: "4 july of the month", "the first monday of the year in
    /// july".
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

    /// Refuses yearly phrases that are incomplete or unclear: "yearly on the 15th" has no month.
    /// "Of every month" says that all twelve are meant.
    private func checkYearly(_ named: Set<Int>) throws(RecurrenceFault) {
        let isOfNumbers = days.items.contains { $0.number != nil }
        switch period {
        case nil where isOfNumbers && named.isEmpty:
            throw RecurrenceFault(
                "",
                "the month is missing: write for example \"yearly on 15 march\" "
                    + "or \"monthly on the 15th\"")
        case .month?,
            .eachMonth? where !isOfNumbers || !named.isEmpty || period == .month:
            throw RecurrenceFault(
                "", "it could be a day of the month or of the year: write \"monthly on …\"")
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
            // "The 100th day of the year" is a day of the year, but "4 july of every year" is not.
            if isOfYear, rule.months.isEmpty {
                rule.yearDays.append(number)
            } else {
                rule.monthDays.append(number)
            }
        }
    }

    /// Refuses places beyond the month or the year, and days that a month never has.
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
        // The year 2000 was a leap year, so it had all days. Each day that is named with a month
        // must exist.
        let fits = rule.months.flatMap { month in
            rule.monthDays.map { abs($0) <= CivilDate.days(inMonth: month, ofYear: 2000) }
        }
        guard fits.isEmpty || (days.months.isEmpty ? fits.contains(true) : !fits.contains(false))
        else { throw RecurrenceFault("", "there is no such day in that month") }
    }

    /// Adds a condition such as "if it is friday". It requires days named by numbers, or a
    /// frequency of a day or shorter.
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
