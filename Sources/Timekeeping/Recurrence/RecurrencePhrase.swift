extension RecurrenceRule {
    /// Reads a rule as people type it: that of RFC 5545, or words such as "every 2nd tuesday",
    /// "weekdays", "monthly on the last friday until 3 march", "every 3 weeks, 10 times".
    ///
    /// - Parameters:
    ///   - text: the rule.
    ///   - start: the first day, from which on a date without its year is meant.
    /// - Throws: ``RecurrenceFault``.
    public init(typed text: String, from start: CivilDate) throws(RecurrenceFault) {
        if text.contains("=") {
            try self.init(text)
        } else {
            var phrase = RecurrencePhrase(text, from: start)
            self = try phrase.rule()
        }
    }
}

/// Reads a rule from words, one after the other.
struct RecurrencePhrase {
    private var words: PhraseWords
    private let start: CivilDate

    /// What was said of the steps.
    private var frequency: RecurrenceRule.Frequency?
    private var interval = 1
    /// What follows "every" may be a place or a step: every second Tuesday, of the month or not.
    private var mayBePlace = false
    private var days: [RecurrenceRule.Day] = []
    private var monthDays: [Int] = []
    private var months: [Int] = []
    private var positions: [Int] = []
    private var end = RecurrenceRule.End.never

    init(_ text: String, from start: CivilDate) {
        words = PhraseWords(text)
        self.start = start
    }

    mutating func rule() throws(RecurrenceFault) -> RecurrenceRule {
        guard !words.isAtEnd else { throw words.fault }
        if words.take("every", "each") { try readEvery() } else { try readHead() }
        while !words.isAtEnd { try readTail() }
        return try finished()
    }

    // MARK: How often

    private mutating func readHead() throws(RecurrenceFault) {
        let steps: [String: (RecurrenceRule.Frequency, Int)] = [
            "hourly": (.hourly, 1), "daily": (.daily, 1), "weekly": (.weekly, 1),
            "fortnightly": (.weekly, 2), "biweekly": (.weekly, 2), "monthly": (.monthly, 1),
            "quarterly": (.monthly, 3), "yearly": (.yearly, 1), "annually": (.yearly, 1),
        ]
        if let step = words.next.flatMap({ steps[$0] }) {
            words.skip()
            (frequency, interval) = (step.0, step.1)
        } else {
            _ = words.take("on")
            try readDays()
        }
    }

    private mutating func readEvery() throws(RecurrenceFault) {
        if words.take("other") {
            interval = 2
        } else if let count = words.takeCount() {
            interval = count
        } else if let place = words.next.flatMap(PhraseWords.place), words.isUnit(after: 1) {
            // "every second week", "every 2nd tuesday": but "every last friday" is of the month.
            guard place > 1 else { return try readDays() }
            words.skip()
            interval = place
            mayBePlace = true
        }
        if let unit = words.takeUnit() {
            frequency = unit
        } else {
            try readDays()
        }
    }

    // MARK: On which days

    private mutating func readDays() throws(RecurrenceFault) {
        repeat { try readDay() } while words.take("and", "&") || words.beginsDay
    }

    private mutating func readDay() throws(RecurrenceFault) {
        _ = words.take("on")
        _ = words.take("the")
        if words.take("weekdays", "weekday", "workdays", "workday") {
            return days += (1...5).compactMap {
                Weekday(rawValue: $0).map { RecurrenceRule.Day($0) }
            }
        }
        if words.take("weekends", "weekend") {
            return days += [RecurrenceRule.Day(.saturday), RecurrenceRule.Day(.sunday)]
        }
        if let weekday = words.takeWeekday() {
            return days.append(RecurrenceRule.Day(weekday))
        }
        if let month = words.takeMonth() {
            months.append(month)
            guard let day = words.takeDayNumber() else { throw words.fault }
            return monthDays.append(day)
        }
        try readPlace()
    }

    /// "last friday", "last day", "first weekday", "15th", "4 july", "4th of july".
    private mutating func readPlace() throws(RecurrenceFault) {
        guard let place = words.takePlace() ?? words.takeDayNumber() else { throw words.fault }
        if let weekday = words.takeWeekday() {
            days.append(RecurrenceRule.Day(weekday, place: place))
        } else if words.take("weekday", "workday") {
            positions.append(place)
            days = (1...5).compactMap { Weekday(rawValue: $0).map { RecurrenceRule.Day($0) } }
        } else if words.nextIsPlace(after: "and", "&") {
            // "the first and third tuesday"
            let count = days.count
            _ = words.take("and", "&")
            try readDay()
            guard days.count == count + 1, let last = days.last, last.place != 0 else {
                return monthDays.append(place)
            }
            days.append(RecurrenceRule.Day(last.weekday, place: place))
        } else {
            guard place <= 31 else { throw words.fault }
            _ = words.take("day")
            monthDays.append(place)
            if words.nextIsMonth { _ = words.take("of") }
            if let month = words.takeMonth() { months.append(month) }
        }
    }

    // MARK: Up to when

    private mutating func readTail() throws(RecurrenceFault) {
        if words.take("until", "till", "through") {
            end = .until(.day(try readDate()))
        } else if words.take("on") {
            try readDays()
        } else if words.take("of", "in") {
            try readPeriod()
        } else if words.take("once") {
            end = .count(1)
        } else if words.take("for") || words.nextIsCount {
            guard let count = words.takeCount(), words.take("times", "time", "occurrences") else {
                throw words.fault
            }
            end = .count(count)
        } else {
            throw words.fault
        }
    }

    /// "the month", "every month", "june and july".
    private mutating func readPeriod() throws(RecurrenceFault) {
        _ = words.take("the", "every", "each")
        if words.take("month") {
            if mayBePlace { try takeForPlace() }
            frequency = frequency ?? .monthly
        } else if words.take("year") {
            frequency = frequency ?? .yearly
        } else {
            if mayBePlace { try takeForPlace() }
            repeat {
                guard let month = words.takeMonth() else { throw words.fault }
                months.append(month)
            } while words.take("and", "&") || words.nextIsMonth
        }
    }

    /// "every second tuesday of the month" is no step.
    private mutating func takeForPlace() throws(RecurrenceFault) {
        guard frequency == nil, days.allSatisfy({ $0.place == 0 }) else { throw words.fault }
        days = days.map { RecurrenceRule.Day($0.weekday, place: interval) }
        (interval, mayBePlace) = (1, false)
    }

    private mutating func readDate() throws(RecurrenceFault) -> CivilDate {
        if let text = words.next, case .date(let date) = try? ISO8601.parse(text) {
            words.skip()
            return date
        }
        let first = words.takeMonth()
        guard let day = words.takeDayNumber() else { throw words.fault }
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

    // MARK: All together

    private func finished() throws(RecurrenceFault) -> RecurrenceRule {
        let isPlaced = days.contains { $0.place != 0 } || !positions.isEmpty
        let ofMonth: RecurrenceRule.Frequency = months.isEmpty ? .monthly : .yearly
        var rule = RecurrenceRule(
            frequency ?? (isPlaced || !monthDays.isEmpty ? ofMonth : .weekly))
        if isPlaced || !monthDays.isEmpty, rule.frequency < .monthly {
            throw RecurrenceFault(
                "", "days by their places go with months and years: write monthly on …")
        }
        if !isPlaced, !days.isEmpty, rule.frequency > .weekly {
            throw RecurrenceFault("", "which \(days[0].weekday.name)? Write the first, or the last")
        }
        // The year 2000 had all days.
        let isNever = months.contains { month in
            monthDays.contains { $0 > CivilDate.days(inMonth: month, ofYear: 2000) }
        }
        guard !isNever else { throw RecurrenceFault("", "there is no such day in that month") }
        rule.interval = interval
        rule.end = end
        rule.days = Set(days).sorted()
        rule.monthDays = Set(monthDays).sorted()
        rule.months = Set(months).sorted()
        rule.positions = Set(positions).sorted()
        return rule
    }
}
