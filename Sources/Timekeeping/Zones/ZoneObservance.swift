/// A stretch of a zone's local time as a calendar object describes it (RFC 5545, 3.6.5): when it
/// begins, and which offset holds from then on.
public struct ZoneObservance: Equatable, Sendable {
    /// On which day of each year it begins again.
    public struct Anniversary: Equatable, Sendable {
        /// The month, 1 to 12.
        public let month: Int
        /// Which of the weekdays of that month: 1 to 4, or -1 for the last.
        public let week: Int
        /// The weekday.
        public let weekday: Weekday
    }

    /// When it begins, on the clocks that show ``before`` until then.
    public let onset: WallTime
    /// The offset until then, in seconds east of UTC.
    public let before: Int
    /// The offset from then on.
    public let after: Int
    /// Whether it is summer time.
    public let isDaylight: Bool
    /// What its time is called, such as `EET`.
    public let abbreviation: String
    /// Where it begins every year, by which rule; `nil` where it begins once.
    public let anniversary: Anniversary?
}

extension ZoneObservance {
    /// When a zone's first observance begins where nothing came before it: long ago, in a year that
    /// every program knows.
    private static let dawn = WallTime(secondsSince1970: -11_644_473_600)

    /// The only one of a zone whose clocks are never set.
    fileprivate init(_ type: LocalTimeType) {
        self.init(
            onset: Self.dawn, before: type.offsetSeconds, after: type.offsetSeconds,
            isDaylight: type.isDaylight, abbreviation: type.abbreviation, anniversary: nil)
    }

    fileprivate init(_ transition: ZoneTransition, anniversary: Anniversary? = nil) {
        let before = transition.before.offsetSeconds
        self.init(
            onset: WallTime(
                secondsSince1970: transition.moment.seconds.addingSaturated(Int64(before))),
            before: before, after: transition.after.offsetSeconds,
            isDaylight: transition.after.isDaylight, abbreviation: transition.after.abbreviation,
            anniversary: anniversary)
    }
}

extension Zone {
    private static let yearSeconds: Int64 = 366 * 86_400

    /// The observances from which one reads every local time between two moments.
    ///
    /// Where the zone's last rule holds all that time, and can be said by weekdays of months, they
    /// are two that come again every year, since the rule holds; else each is named by itself.
    public func observances(from first: Moment, through last: Moment) -> [ZoneObservance] {
        guard let opening = previousTransition(before: first.advanced(bySeconds: 1)) else {
            let opening = ZoneObservance(localTimeType(at: first))
            return [opening] + transitions(after: first, through: last).map { ZoneObservance($0) }
        }
        let all = withWinter([opening] + transitions(after: opening.moment, through: last))
        return yearly(from: opening, through: last) ?? all.map { ZoneObservance($0) }
    }

    /// The same and what came before, back to a time that is not summer's: some programs do not
    /// take a zone without one.
    private func withWinter(_ transitions: [ZoneTransition]) -> [ZoneTransition] {
        var all = transitions
        while all.allSatisfy(\.after.isDaylight), let first = all.first,
            let earlier = previousTransition(before: first.moment)
        {
            all.insert(earlier, at: 0)
        }
        return all
    }

    private func transitions(after first: Moment, through last: Moment) -> [ZoneTransition] {
        Array(
            sequence(state: first) { moment in
                let next = nextTransition(after: moment)
                moment = next?.moment ?? moment
                return next
            }.prefix { $0.moment <= last })
    }

    private func yearly(
        from opening: ZoneTransition, through last: Moment
    ) -> [ZoneObservance]? {
        guard let rule = lastRule, let season = rule.season else { return nil }
        let limit = max(last, opening.moment).advanced(bySeconds: 2 * Self.yearSeconds)
        let all = [opening] + transitions(after: opening.moment, through: limit)
        let isRuled = zip(all, all.dropFirst()).allSatisfy { rule.leads(from: $0, to: $1) }
        guard isRuled, all.count >= 3 else { return nil }
        let named = earliest(of: rule, before: all).prefix(2).compactMap { transition in
            (transition.after == season.type ? season.start : season.end).anniversary.map {
                ZoneObservance(transition, anniversary: $0)
            }
        }
        return named.count == 2 ? named : nil
    }
}

extension Zone {
    /// The same transitions, and those before them by the same rule. Some programs take a zone
    /// whose first years look like those of UTC for UTC.
    private func earliest(
        of rule: PosixRule, before transitions: [ZoneTransition]
    ) -> [ZoneTransition] {
        var all = transitions
        while let first = all.first, let earlier = previousTransition(before: first.moment),
            rule.leads(from: earlier, to: first)
        { all.insert(earlier, at: 0) }
        return all
    }
}

extension PosixRule {
    /// Whether by the rule the clocks are set at one transition, and next at another.
    fileprivate func leads(from transition: ZoneTransition, to next: ZoneTransition) -> Bool {
        let stretch = stretch(at: transition.moment.seconds)
        return stretch.start == transition.moment.seconds && stretch.type == transition.after
            && stretch.end == next.moment.seconds
    }
}

extension AnnualChange {
    /// The day as a calendar object says it; `nil` where it is none of a month's weekdays, or the
    /// clocks change on another day than that.
    fileprivate var anniversary: ZoneObservance.Anniversary? {
        guard case .weekday(let month, let week, let weekday) = day,
            (0..<CivilTime.secondsOfDay).contains(timeSeconds),
            let name = Weekday(rawValue: weekday == 0 ? 7 : weekday)
        else { return nil }
        return ZoneObservance.Anniversary(
            month: month, week: week == 5 ? -1 : week, weekday: name)
    }
}
