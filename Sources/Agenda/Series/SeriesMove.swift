public import Timekeeping

/// Series that are given another time or another rule, or that are cut in two.
extension Meeting {
    /// Whether it is a date of a series that is so named: by the rule, or beside it.
    public func hasDate(named name: String, in zone: Zone) -> Bool {
        series?.changes[name]?.time != nil || isByRule(name, in: zone)
    }

    /// Whether the rule makes it a date of a series that is so named.
    public func isByRule(_ name: String, in zone: Zone) -> Bool {
        !datesByRule(named: [name], in: zone).isEmpty
    }

    /// Which of these name dates of a series, by its rule.
    public func datesByRule(named names: Set<String>, in zone: Zone) -> Set<String> {
        guard let last = names.max() else { return [] }
        let own = dates(in: zone).lazy.prefix(Self.datesMax).map(\.name).prefix { $0 <= last }
        return names.intersection(own)
    }

    /// Has all dates take place at another time, or by another rule. What is otherwise on single
    /// dates goes along with them.
    ///
    /// - Parameters:
    ///   - time: of the first date.
    ///   - rule: the rule from there on.
    ///   - names: the dates of which something is noted.
    ///   - zone: the rules of its zone.
    /// - Returns: their new names, by their old ones; `nil` of what is no date any more.
    public mutating func repeatAnew(
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
        // Dates that no rule gives stay when they are.
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

    /// A series up to one of its dates, and what goes on from there.
    ///
    /// - Parameters:
    ///   - name: the date, one by the rule, and not the first one.
    ///   - zone: the rules of its zone.
    /// - Returns: the rules before and from that date on; `nil` where it is none, or the first.
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
    /// The same by new names; what has none is left out.
    public func renamed(_ names: [String: String?]) -> [String: Value] {
        Dictionary(
            compactMap { name, value in (names[name] ?? name).map { ($0, value) } },
            uniquingKeysWith: { $1 })
    }
}

extension CalendarStamp {
    /// The name of a date that is so much later on the wall.
    fileprivate static func shifted(_ name: String, seconds: Int64) -> String? {
        guard case .wall(let wall) = CalendarStamp(name) else { return nil }
        return CalendarStamp.wall(
            WallTime(secondsSince1970: wall.secondsSince1970 + seconds)
        ).description
    }
}

extension RecurrenceRule.End {
    /// The end behind a date: its day, where the next one comes on a later one.
    fileprivate init?(through name: String, before next: String) {
        guard case .wall(let last) = CalendarStamp(name),
            case .wall(let following) = CalendarStamp(next)
        else { return nil }
        self = .until(following.date == last.date ? .wall(last) : .day(last.date))
    }
}
