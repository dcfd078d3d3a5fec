extension RecurrenceRule {
    /// The first wall-clock time from `start` on that the rule names, whatever its end. A meeting
    /// planned on a Friday for "every Tuesday" first takes place on a Tuesday. Occurrences from
    /// that time on have no other start.
    ///
    /// - Parameter start: the earliest time; parts that the rule leaves open are taken from it.
    /// - Returns: the first time; `nil` if there is none.
    public func firstTime(from start: WallTime) -> WallTime? {
        RuleWalk(self, from: start).firstNamed().map {
            WallTime(secondsSince1970: Int64($0))
        }
    }

    /// The first wall-clock time from `start` on that the rule would name with an interval of 1.
    /// "Every second Tuesday", said on a Thursday, counts from the next Tuesday and not from the
    /// current week.
    public func firstTime(inAnyStepFrom start: WallTime) -> WallTime? {
        var each = self
        each.interval = 1
        return each.firstTime(from: start)
    }
}

extension RecurrenceRule {
    /// True if the rule has only a frequency, an interval and an end.
    var isBare: Bool {
        var bare = RecurrenceRule(frequency)
        bare.interval = interval
        bare.weekStart = weekStart
        bare.end = end
        return self == bare
    }

    /// The rule after every occurrence is moved by the same amount: every Tuesday becomes every
    /// Wednesday.
    ///
    /// - Parameters:
    ///   - old: the start until now.
    ///   - new: the start from now on.
    /// - Returns: the rule; `nil` if the new start is not on one of the days or times that it
    ///   names.
    public func moved(from old: WallTime, to new: WallTime) -> RecurrenceRule? {
        moved(from: old, to: new, keepingDays: false)
    }

    /// The rule after the start is moved, as people expect it: if the rule has several weekdays,
    /// they stay if the new start is on one of them. Monday to Friday always stay.
    ///
    /// - Parameters:
    ///   - old: the start until now.
    ///   - new: the start from now on.
    /// - Returns: the rule; `nil` if the new start is not on one of the days or times that it
    ///   names.
    public func restarted(from old: WallTime, at new: WallTime) -> RecurrenceRule? {
        let isOne = days.contains(Day(new.date.weekday))
        let isSet = isOne || days == PhraseDays.workdays.map { Day($0) }
        return moved(from: old, to: new, keepingDays: days.count > 1 && isSet)
    }

    private func moved(
        from old: WallTime, to new: WallTime, keepingDays: Bool
    ) -> RecurrenceRule? {
        var rule = self
        if frequency == .weekly, !days.isEmpty, !keepingDays {
            let shift = new.date.daysSince1970 - old.date.daysSince1970
            guard let moved = movedDays(by: shift) else { return nil }
            rule.days = moved
        }
        if frequency >= .monthly, monthDays == [old.date.day] { rule.monthDays = [new.date.day] }
        if frequency == .yearly, months == [old.date.month] { rule.months = [new.date.month] }
        rule.end = end.moved(from: old, to: new)
        return rule.firstTime(from: new) == new ? rule : nil
    }
}

extension RecurrenceRule {
    /// The weekdays `shift` days later; `nil` if the rule skips weeks and a day would move into
    /// another week.
    private func movedDays(by shift: Int) -> [Day]? {
        let places = days.map { ($0.weekday.rawValue - weekStart.rawValue + 7) % 7 + shift }
        let weeks = Set(places.map { $0.dividedFloored(by: 7).quotient })
        guard interval == 1 && positions.isEmpty || weeks.count == 1 else { return nil }
        return places.compactMap { place in
            Weekday(rawValue: (place + weekStart.rawValue - 1).dividedFloored(by: 7).remainder + 1)
        }.map { Day($0) }.sorted()
    }
}

extension RecurrenceRule.End {
    /// The end moved by the same amount, so that the number of occurrences stays the same.
    fileprivate func moved(from old: WallTime, to new: WallTime) -> Self {
        let seconds = new.secondsSince1970 - old.secondsSince1970
        let days = new.date.daysSince1970 - old.date.daysSince1970
        switch self {
        case .never, .count: return self
        case .until(.day(let date)): return .until(.day(date.adding(days: days)))
        case .until(.wall(let wall)):
            return .until(.wall(WallTime(secondsSince1970: wall.secondsSince1970 + seconds)))
        case .until(.utc(let moment)): return .until(.utc(moment.advanced(bySeconds: seconds)))
        }
    }
}
