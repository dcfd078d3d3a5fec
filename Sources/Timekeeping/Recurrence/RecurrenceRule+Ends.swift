extension RecurrenceRule {
    /// The most occurrences that are counted to find out which of two ends is the earlier one.
    /// UNTIL holds for rules with more.
    private static let countedMax = 40_000

    /// The rule with the earlier one of its ends alone, if it has a number of occurrences and a
    /// last time.
    ///
    /// - Parameters:
    ///   - start: the start of the event.
    ///   - zone: the time zone; `nil` for the time zone of the reader.
    /// - Returns: the rule with the same occurrences.
    public func withOneEnd(from start: CalendarStamp, in zone: Zone?) -> RecurrenceRule {
        guard let limit else { return self }
        var (counted, timed) = (self, self)
        counted.limit = nil
        timed.limit = nil
        timed.end = .until(limit)
        guard case .count(let count) = end,
            let dates = try? Recurrence(start: start, in: zone, rule: timed)
        else { return counted }
        let most = min(count, Self.countedMax) + 1
        let isCountFirst = dates.lazy.prefix(most).reduce(0) { number, _ in number + 1 } > count
        return isCountFirst ? counted : timed
    }

    /// The rule without times of day, which have no effect on whole days (RFC 5545, 3.3.10).
    public var withoutTimes: RecurrenceRule {
        guard ![hours, minutes, seconds].allSatisfy(\.isEmpty) else { return self }
        var rule = self
        (rule.hours, rule.minutes, rule.seconds) = ([], [], [])
        // A choice needs a list to choose from.
        let lists = [monthDays, yearDays, weekNumbers, months]
        if lists.allSatisfy(\.isEmpty), days.isEmpty { rule.positions = [] }
        return rule
    }
}
