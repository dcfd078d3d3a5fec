extension RecurrenceRule {
    /// The first time on the wall, from one on, that the rule names whatever its end: a meeting
    /// that is asked for "every Tuesday" from a Friday on is first on a Tuesday. What recurs from
    /// that time on has no other start.
    ///
    /// - Parameter start: the earliest; what the rule leaves open comes from it.
    /// - Returns: the time; `nil` where there is none.
    public func firstTime(from start: WallTime) -> WallTime? {
        RuleWalk(self, from: start).firstNamed().map {
            WallTime(secondsSince1970: Int64($0))
        }
    }

    /// The first time on the wall, from one on, that the rule names in a step of any number: who
    /// says "every second Tuesday" on a Thursday counts from the Tuesday that comes next, and not
    /// from the week that is.
    public func firstTime(inAnyStepFrom start: WallTime) -> WallTime? {
        var each = self
        each.interval = 1
        return each.firstTime(from: start)
    }
}

extension RecurrenceRule {
    /// Whether it is steps and an end, and nothing besides.
    var isBare: Bool {
        var bare = RecurrenceRule(frequency)
        bare.interval = interval
        bare.weekStart = weekStart
        bare.end = end
        return self == bare
    }

    /// The rule of what recurs as before, each time so much earlier or later: every Tuesday becomes
    /// every Wednesday.
    ///
    /// - Parameters:
    ///   - old: the start until now.
    ///   - new: the start from now on.
    /// - Returns: the rule; `nil` where it names days or times that the new start is none of.
    public func moved(from old: WallTime, to new: WallTime) -> RecurrenceRule? {
        moved(from: old, to: new, keepingDays: false)
    }

    /// The rule of what begins at another time, as whoever moves it would have it: several days of
    /// the week stay where the new start is one of them, and Monday to Friday stay anyway.
    ///
    /// - Parameters:
    ///   - old: the start until now.
    ///   - new: the start from now on.
    /// - Returns: the rule; `nil` where it names days or times that the new start is none of.
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
    /// The days of the weeks so many days later; `nil` where weeks are left out, and a day would be
    /// in one that is.
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
    /// As many recur as before.
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
