public import Timekeeping

/// Changes of the time or rule of a series, and splitting a series in two.
extension Meeting {
    /// True if the series has a date of this name, either by the rule or as an additional date.
    public func hasDate(named name: String, in zone: Zone) -> Bool {
        series?.changes[name]?.time != nil || isByRule(name, in: zone)
    }

    /// True if the rule gives a date of this name.
    public func isByRule(_ name: String, in zone: Zone) -> Bool {
        !datesByRule(named: [name], in: zone).isEmpty
    }

    /// The names among these for which the rule gives a date.
    public func datesByRule(named names: Set<String>, in zone: Zone) -> Set<String> {
        var examined = 0
        return datesByRule(named: names, in: zone, examined: &examined)
    }

    /// The names among these for which the rule gives a date.
    ///
    /// - Parameters:
    ///   - names: the names.
    ///   - zone: the rules of the time zone.
    ///   - examined: the number of dates that were examined is added to it.
    /// - Returns: the names of dates.
    public func datesByRule(
        named names: Set<String>, in zone: Zone, examined: inout Int
    ) -> Set<String> {
        guard let last = names.max() else { return [] }
        let own = dates(in: zone).prefix(Self.datesMax).prefix { $0.name <= last }.map(\.name)
        examined += own.count
        return names.intersection(own)
    }

    /// Moves the whole series to another time or another rule. The exceptions of single dates move
    /// along.
    ///
    /// - Parameters:
    ///   - time: the time of the first date.
    ///   - rule: the new rule.
    ///   - names: the dates for which anything is recorded.
    ///   - zone: the rules of the time zone.
    /// - Returns: the new names of the dates by their old names; `nil` for a date that no longer
    ///   exists.
    public mutating func reschedule(
        _ time: MeetingTime, by rule: RecurrenceRule, renaming names: Set<String>, in zone: Zone
    ) -> [String: String?] {
        let shift = time.start.secondsSince1970 - self.time.start.secondsSince1970
        let regular = datesByRule(named: names, in: zone)
        let shifted = regular.map { ($0, CalendarStamp.shifted($0, seconds: shift)) }
        self.time = time
        guard var series else { return [:] }
        series.rule = rule
        self.series = series
        let real = datesByRule(named: Set(shifted.compactMap(\.1)), in: zone)
        // Dates that the rule does not give keep their times.
        let added = names.subtracting(regular).map {
            ($0, series.changes[$0]?.time != nil ? $0 : nil)
        }
        let renamed = Dictionary(
            uniqueKeysWithValues: shifted.map { ($0, $1.flatMap { real.contains($0) ? $0 : nil }) }
                + added)
        series.changes = series.changes.renamed(renamed)
        series.endsAt = Self.lastEnd(of: series, from: time, in: zone)
        self.series = series
        return renamed
    }

    /// Splits the rule of a series at one of its dates.
    ///
    /// - Parameters:
    ///   - name: the date, which must be given by the rule and not be the first.
    ///   - zone: the rules of the time zone.
    /// - Returns: the rules before that date and from it on; `nil` if there is no such date or it
    ///   is the first.
    public func rules(
        splitAt name: String, in zone: Zone
    ) -> (before: RecurrenceRule, after: RecurrenceRule)? {
        guard let rule = series?.rule, isByRule(name, in: zone) else { return nil }
        let before = Array(dates(in: zone).lazy.map(\.name).prefix { $0 < name })
        guard let last = before.last, let end = RecurrenceRule.End(through: last, before: name)
        else { return nil }
        var (early, late) = (rule, rule)
        early.end = end
        if case .count(let count) = rule.end { late.end = .count(count - before.count) }
        return (early, late)
    }
}

extension Dictionary where Key == String {
    /// The same values by new names. A value whose new name is `nil` is dropped.
    public func renamed(_ names: [String: String?]) -> [String: Value] {
        Dictionary(
            compactMap { name, value in (names[name] ?? name).map { ($0, value) } },
            uniquingKeysWith: { $1 })
    }
}

extension CalendarStamp {
    /// The name of a date shifted by seconds of wall-clock time.
    fileprivate static func shifted(_ name: String, seconds: Int64) -> String? {
        guard case .wall(let wall) = CalendarStamp(name) else { return nil }
        return CalendarStamp.wall(
            WallTime(secondsSince1970: wall.secondsSince1970 + seconds)
        ).description
    }
}

extension RecurrenceRule.End {
    /// The end of a rule after a date: its day, if the next date is on a later day, or else its
    /// exact start.
    fileprivate init?(through name: String, before next: String) {
        guard case .wall(let last) = CalendarStamp(name),
            case .wall(let following) = CalendarStamp(next)
        else { return nil }
        self = .until(following.date == last.date ? .wall(last) : .day(last.date))
    }
}
