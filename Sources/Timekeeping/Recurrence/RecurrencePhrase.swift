extension RecurrenceRule {
    /// Parses a rule as people type it: in the form of RFC 5545, or in words such as "every 2nd
    /// tuesday", "weekdays", "monthly on the last friday until 3 march", "every 3 weeks, 10 times".
    /// The words may also be German: "jeden Dienstag", "alle 2 Wochen bis 25.5.".
    ///
    /// Words that could mean two rules, or that do not fit into one rule, are refused.
    ///
    /// - Parameters:
    ///   - text: the rule.
    ///   - start: the first day; a date without a year is the next such date from it on.
    /// - Throws: ``RecurrenceFault``.
    public init(typed text: String, from start: CivilDate) throws(RecurrenceFault) {
        guard text.utf8.count <= Self.octetsMax else {
            throw RecurrenceFault("", "the rule is longer than \(Self.octetsMax) bytes")
        }
        if text.contains("=") {
            // Rules contain no blanks, but a typed one may.
            try self.init(text.filter { !$0.isWhitespace })
        } else {
            var phrase = RecurrencePhrase(text, from: start)
            self = try phrase.rule()
        }
    }
}

/// A parser for rules in words, which it reads one after the other.
struct RecurrencePhrase {
    private var words: PhraseWords
    private let start: CivilDate
    private var meaning = PhraseMeaning()
    /// True if some of the days have been excluded.
    private var hasExceptions = false

    init(_ text: String, from start: CivilDate) {
        words = PhraseWords(text)
        self.start = start
    }

    mutating func rule() throws(RecurrenceFault) -> RecurrenceRule {
        guard !words.isAtEnd else { throw words.fault }
        if words.takeEvery() { try readEvery() } else { try readHead() }
        while !words.isAtEnd { try readTail() }
        return try meaning.rule()
    }

    // MARK: How often

    private mutating func readHead() throws(RecurrenceFault) {
        let steps: [String: (RecurrenceRule.Frequency, Int)] = [
            "hourly": (.hourly, 1), "daily": (.daily, 1), "weekly": (.weekly, 1),
            "fortnightly": (.weekly, 2), "biweekly": (.weekly, 2), "monthly": (.monthly, 1),
            "quarterly": (.monthly, 3), "yearly": (.yearly, 1), "annually": (.yearly, 1),
            "everyday": (.daily, 1),
        ]
        if let step = words.next.flatMap({ steps[$0] }) {
            words.skip()
            (meaning.frequency, meaning.interval) = (step.0, step.1)
        } else if words.take("once") {
            try readOnceEvery()
        } else {
            _ = words.take("on")
            try meaning.days.read(&words)
        }
    }

    /// Parses the words after "once": "once a week", "once every 2 weeks".
    private mutating func readOnceEvery() throws(RecurrenceFault) {
        if words.takeEvery() { return try readEvery() }
        guard words.take("a", "an", "per"), let step = words.takeStep() else { throw words.fault }
        (meaning.frequency, meaning.interval) = step
    }

    private mutating func readEvery() throws(RecurrenceFault) {
        guard let next = words.next, !words.nextIsBarePlace else { throw bareFault }
        if words.take("other") {
            return try readStepped(by: 2)
        }
        if words.nextIsCount, !words.isMonth(after: 1), !words.isOfMonth(after: 1),
            let count = words.takeCount()
        {
            return try readStepped(by: count)
        }
        if let place = PhraseWords.place(next), place > 1 {
            // "Every second week" and "every 2nd tuesday" are steps, but "every last friday" is a
            // day of the month.
            if words.isUnit(after: 1) {
                words.skip()
                meaning.mayBePlace = true
                return try readStepped(by: place)
            }
            meaning.needsPeriod = words.isWorkday(after: 1)
        }
        if let step = words.takeStep() {
            (meaning.frequency, meaning.interval) = step
        } else {
            try meaning.days.read(&words)
        }
    }

    private var bareFault: RecurrenceFault {
        guard let next = words.next else { return words.fault }
        return RecurrenceFault(
            "",
            "\"every \(next)\" is incomplete: write \"every \(next) day\", "
                + "\"every \(next) tuesday\" or \"monthly "
                + "on the \(PhraseWords.place(next).map(RecurrenceRule.ordinal) ?? next)\"")
    }

    private mutating func readStepped(by interval: Int) throws(RecurrenceFault) {
        meaning.interval = interval
        if let step = words.takeStep() {
            (meaning.frequency, meaning.interval) = (step.0, interval * step.1)
        } else if interval > 1, words.isWorkday(after: 0) {
            // It could mean every second weekday, or all weekdays of every second week.
            throw RecurrenceFault(
                "",
                "a step of weekdays is unclear: write \"every \(interval) weeks on weekdays\"")
        } else {
            guard words.isUnit(after: 0) else { throw words.fault }
            try meaning.days.read(&words)
        }
    }

    // MARK: Words that follow

    private mutating func readTail() throws(RecurrenceFault) {
        if words.take("until", "till", "through") {
            try end(by: .until(.day(try readDate())))
        } else if words.take("once") {
            try end(by: .count(1))
        } else if !hasExceptions, words.take("on") || meaning.days.isEmpty && words.beginsDay {
            try meaning.days.read(&words)
        } else if words.take("except") {
            try readExceptions()
        } else if words.take(all: "if", "it", "is") || words.take(all: "and", "if", "it", "is") {
            var condition = PhraseDays()
            try condition.read(&words)
            meaning.conditions.append(condition)
        } else if words.take(all: "with", "weeks", "from") {
            guard let weekday = words.takeWeekday() else { throw words.fault }
            meaning.weekStart = weekday
        } else if words.take("of") || words.take(all: "only", "in") || words.take("in") {
            try readPeriod()
        } else if words.take("for") {
            try readLength()
        } else if words.nextIsCount {
            guard let count = words.takeCount(), words.takeTimes() else { throw words.fault }
            try end(by: .count(count))
        } else {
            throw words.fault
        }
    }

    /// Parses exceptions: "every day except sunday", "weekdays except friday".
    private mutating func readExceptions() throws(RecurrenceFault) {
        hasExceptions = true
        var exceptions = PhraseDays()
        guard !words.nextIsDate else { throw .singleDate }
        try exceptions.read(&words)
        let isOfDays = meaning.frequency == .daily && meaning.interval == 1
        guard exceptions.months.isEmpty else { throw .singleDate }
        guard meaning.days.isEmpty ? isOfDays : meaning.days.isOfEach, exceptions.isOfEach else {
            throw RecurrenceFault(
                "",
                "\"except\" cannot be used here: write which days are meant, or leave out "
                    + "single dates later")
        }
        let all =
            meaning.days.isEmpty
            ? Set(Weekday.allCases.map { PhraseDays.Item.each($0) }) : meaning.days.items
        let left = all.subtracting(exceptions.items)
        guard !left.isEmpty else { throw RecurrenceFault("", "no day is left") }
        guard exceptions.items.isSubset(of: all) else {
            throw RecurrenceFault("", "the days after \"except\" are not days of the rule")
        }
        meaning.days = PhraseDays()
        meaning.days.add(Array(left))
        if meaning.frequency == .daily { meaning.frequency = .weekly }
    }

    /// Parses the words after "for": "10 times", "10 days", "a year". Days, weeks, months and years
    /// are counted from the start.
    private mutating func readLength() throws(RecurrenceFault) {
        let isOne = words.take("a", "an", "the")
        _ = words.take("next")
        guard let count = words.takeCount() ?? (isOne ? 1 : nil) else { throw words.fault }
        if words.takeTimes() { return try end(by: .count(count)) }
        guard let (unit, steps) = words.takeStep() else { throw words.fault }
        guard let next = start.adding(count * steps, of: unit) else {
            throw RecurrenceFault(
                "",
                "hours and minutes cannot follow \"for\": write how many times, "
                    + "for example \"10 times\"")
        }
        try end(by: .until(.day(next.adding(days: -1))))
    }

    private mutating func end(by end: RecurrenceRule.End) throws(RecurrenceFault) {
        guard meaning.end == .never else {
            throw RecurrenceFault("", "it ends on a date or after a number of times, not both")
        }
        meaning.end = end
    }

    /// Parses a period or months: "the month", "every month", "june and july".
    private mutating func readPeriod() throws(RecurrenceFault) {
        guard meaning.months.isEmpty else { throw words.fault }
        let isEach = words.takeEvery()
        _ = words.take("the")
        // "If it is the 100th day of the year" is not supported.
        let mayHavePeriod = meaning.period == nil && meaning.conditions.isEmpty
        if mayHavePeriod, words.take("month") {
            meaning.period = isEach ? .eachMonth : .month
        } else if mayHavePeriod, words.take("year") {
            meaning.period = .year
        } else {
            meaning.months = words.takeMonthList()
            guard !meaning.months.isEmpty else { throw words.fault }
        }
    }

    private mutating func readDate() throws(RecurrenceFault) -> CivilDate {
        if let text = words.next, case .date(let date) = try? ISO8601.parse(text) {
            words.skip()
            return date
        }
        if let date = try words.takeNumericDate(from: start) { return date }
        if words.take(all: "the", "end", "of") || words.take(all: "end", "of") {
            return try readLastDay()
        }
        let first = words.takeMonth()
        guard let day = words.takeDayNumber() else {
            guard let first else { throw words.fault }
            let name = Month.name(first)
            throw RecurrenceFault(
                "",
                "the day of \(name) is missing: write \"the end of \(name)\" or \"15 \(name)\"")
        }
        if first == nil { _ = words.take("of") }
        guard let month = first ?? words.takeMonth() else { throw words.fault }
        let year = words.takeYear()
        let years = year.map { $0...$0 } ?? start.year...start.year + 8
        let dates = years.compactMap { try? CivilDate(year: $0, month: month, day: day) }
        guard let date = dates.first(where: { $0 >= start || year != nil }) else {
            throw RecurrenceFault("", "there is no \(day) \(Month.name(month))")
        }
        return date
    }

    /// Parses the words after "until the end of": "march", "march 2027", "the year", "2027".
    private mutating func readLastDay() throws(RecurrenceFault) -> CivilDate {
        _ = words.take("the", "this")
        var month = 12
        if words.take("month") {
            month = start.month
        } else if let named = words.takeMonth() {
            month = named
        } else if !words.take("year"), words.nextYear == nil {
            throw words.fault
        }
        let year = words.takeYear() ?? start.year + (month < start.month ? 1 : 0)
        guard let first = try? CivilDate(year: year, month: month, day: 1) else {
            throw words.fault
        }
        return first.adding(days: CivilDate.days(inMonth: month, ofYear: year) - 1)
    }
}

extension CivilDate {
    /// The date `count` days, weeks, months or years later; the last day of the month if that month
    /// is shorter. `nil` for units shorter than a day.
    fileprivate func adding(_ count: Int, of unit: RecurrenceRule.Frequency) -> CivilDate? {
        switch unit {
        case .secondly, .minutely, .hourly: nil
        case .daily: adding(days: count)
        case .weekly: adding(days: 7 * count)
        case .monthly: adding(months: count)
        case .yearly: adding(months: 12 * count)
        }
    }

    private func adding(months count: Int) -> CivilDate {
        let (years, month) = (month - 1 + count).quotientAndRemainder(dividingBy: 12)
        let year = self.year + years
        guard CivilDate.years.contains(year) else { return .latest }
        let day = min(day, CivilDate.days(inMonth: month + 1, ofYear: year))
        return (try? CivilDate(year: year, month: month + 1, day: day)) ?? .latest
    }
}
