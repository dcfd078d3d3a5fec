/// A period of a time zone's local time as a calendar object describes it (RFC 5545, 3.6.5): its
/// start, and the offset from then on.
public struct ZoneObservance: Equatable, Sendable {
    /// The day of each year on which the period begins again.
    public struct Anniversary: Equatable, Sendable {
        /// The month, 1 to 12.
        public let month: Int
        /// The number of that weekday within the month: 1 to 4, or -1 for the last.
        public let week: Int
        /// The weekday.
        public let weekday: Weekday
    }

    /// The wall-clock time of the start, at the offset ``before``.
    public let onset: WallTime
    /// The offset before the start, in seconds east of UTC.
    public let before: Int
    /// The offset from the start on, in seconds east of UTC.
    public let after: Int
    /// True for daylight saving time.
    public let isDaylight: Bool
    /// The abbreviation of the local time, such as `EET`.
    public let abbreviation: String
    /// The yearly rule of the start; `nil` if the period begins once.
    public let anniversary: Anniversary?
}

extension ZoneObservance {
    /// The start of a zone's first observance if there was no earlier one: a time long ago, in a
    /// year that every program supports.
    private static let dawn = WallTime(secondsSince1970: -11_644_473_600)

    /// Creates the only observance of a time zone whose clocks never change.
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

    /// The observances that describe every local time between two moments.
    ///
    /// If the zone's last rule applies for the whole time, and can be described by weekdays of
    /// months, these are two observances that recur every year, from the first year of the rule on.
    /// Otherwise each observance is listed separately.
    public func observances(from first: Moment, through last: Moment) -> [ZoneObservance] {
        guard let opening = previousTransition(before: first.advanced(bySeconds: 1)) else {
            let opening = ZoneObservance(localTimeType(at: first))
            return [opening] + transitions(after: first, through: last).map { ZoneObservance($0) }
        }
        let all = withWinter([opening] + transitions(after: opening.moment, through: last))
        return yearly(from: opening, through: last) ?? all.map { ZoneObservance($0) }
    }

    /// The transitions, preceded by earlier ones back to one that is not to daylight saving time.
    /// Some programs do not accept a time zone without standard time.
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
    /// The transitions, preceded by the earlier ones of the same rule. Some programs take a time
    /// zone for UTC if its first years look like those of UTC.
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
    /// True if, by the rule, the clocks change at the first transition, and the next change is the
    /// second one.
    fileprivate func leads(from transition: ZoneTransition, to next: ZoneTransition) -> Bool {
        let stretch = stretch(at: transition.moment.seconds)
        return stretch.start == transition.moment.seconds && stretch.type == transition.after
            && stretch.end == next.moment.seconds
    }
}

extension AnnualChange {
    /// The day in the form of calendar objects; `nil` if it is not a weekday of a month, or if the
    /// clocks change on another day.
    fileprivate var anniversary: ZoneObservance.Anniversary? {
        guard case .weekday(let month, let week, let weekday) = day,
            (0..<CivilTime.secondsOfDay).contains(timeSeconds),
            let name = Weekday(rawValue: weekday == 0 ? 7 : weekday)
        else { return nil }
        return ZoneObservance.Anniversary(
            month: month, week: week == 5 ? -1 : week, weekday: name)
    }
}
