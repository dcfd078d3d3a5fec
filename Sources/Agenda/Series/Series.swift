public import Timekeeping

/// An exception: the difference between a single date of a series and the others.
public struct DateChange: Equatable, Sendable {
    /// The place of a date.
    public enum Place: Equatable, Sendable {
        /// The same place as the series.
        case asAll
        /// Another place, or no place yet.
        case other(MeetingPlace?)
    }

    /// The time of the date; `nil` for the time that the rule gives.
    public var time: MeetingTime?
    /// The place of the date.
    public var place = Place.asAll
    /// The status of the date.
    public var status = MeetingStatus.confirmed
    /// The meeting's revision when the exception was announced.
    public var revision: Int
    /// The meeting's SEQUENCE at that time.
    public var sequence: Int

    /// An exception without any difference yet.
    public init(revision: Int, sequence: Int) {
        self.revision = revision
        self.sequence = sequence
    }
}

/// The repetition of a meeting. Its dates follow from the meeting's time, which is that of the
/// first date, and the rule; the exceptions are listed here.
///
/// A date is named by its original start in wall-clock time, as in RECURRENCE-ID:
/// `20261201T190000`.
public struct Series: Equatable, Sendable {
    /// The recurrence rule.
    public var rule: RecurrenceRule
    /// The exceptions by the name of the date.
    public var changes: [String: DateChange] = [:]
    /// The end of the last date; ``endless`` if there is no last date.
    public var endsAt: Moment
    /// The meeting's revision at the last change of the whole series.
    public var revision: Int
    /// The meeting's SEQUENCE at that time.
    public var sequence: Int
    /// The meeting's revision at the last change of what all dates share: time, place or title, but
    /// not the set of dates.
    public var datesRevision: Int
    /// The moment up to which due reminders are already in the ledger.
    public var plannedUntil: Moment

    /// The end of a series without an end: the end of the year 9999.
    public static let endless = Moment(seconds: 253_402_300_799)

    /// Creates a series.
    public init(
        rule: RecurrenceRule, endsAt: Moment, revision: Int = 1, sequence: Int = 0,
        plannedUntil: Moment
    ) {
        self.rule = rule
        self.endsAt = endsAt
        self.revision = revision
        self.sequence = sequence
        datesRevision = revision
        self.plannedUntil = plannedUntil
    }
}

/// One date of a series as it stands now.
public struct SeriesDate: Equatable, Sendable {
    /// The original start in wall-clock time.
    public let name: String
    /// The time at which it takes place.
    public let time: MeetingTime
    /// The exception of this date, if any.
    public let change: DateChange?

    /// True if it is not cancelled.
    public var isOn: Bool { change?.status != .cancelled }
}

extension Meeting {
    /// The end of the meeting. For a series, the end of its last date.
    public var endsAt: Moment { series?.endsAt ?? time.endsAt }

    /// The dates of a series as they stand now, sorted by original start; none if the meeting does
    /// not repeat.
    ///
    /// - Parameters:
    ///   - zone: the rules of the meeting's time zone.
    ///   - moment: dates that by the rule end before this moment may be left out.
    /// - Returns: the dates, computed lazily.
    public func dates(
        in zone: Zone, endingAfter moment: Moment? = nil
    ) -> UnfoldSequence<SeriesDate, Occurrences?> {
        Self.dates(of: series, from: time, in: zone, endingAfter: moment)
    }

    private static func dates(
        of series: Series?, from first: MeetingTime, in zone: Zone,
        endingAfter moment: Moment? = nil
    ) -> UnfoldSequence<SeriesDate, Occurrences?> {
        let recurrence = series.flatMap {
            try? Recurrence(start: .wall(first.start), in: zone, rule: $0.rule)
        }
        // The clocks may make a date longer or shorter than the first one.
        let since = moment.map { moment in
            let length = first.endsAt.milliseconds - first.startsAt.milliseconds
            return moment.advanced(byMilliseconds: -length).advanced(bySeconds: -86_400)
        }
        let occurrences =
            since.map { recurrence?.occurrences(since: $0) }
            ?? recurrence?.makeIterator()
        return Swift.sequence(state: occurrences) { occurrences in
            occurrences?.next().map { occurrence in
                let name = CalendarStamp.wall(occurrence.original).description
                let time = MeetingTime(
                    start: occurrence.wall, zone: zone, duration: first.duration)
                return SeriesDate(name: name, byRule: time, series?.changes[name])
            }
        }
    }

    /// Recomputes the moments of the series by the current rules of its time zone.
    public mutating func follow(_ zone: Zone) {
        time = time.byToday(of: zone)
        guard var series else { return }
        series.changes = series.changes.mapValues { change in
            var change = change
            change.time = change.time?.byToday(of: zone)
            return change
        }
        self.series = series
        series.endsAt = Self.lastEnd(of: series, from: time, in: zone)
        self.series = series
    }

    /// The most dates that are examined to find the last one. A longer series counts as endless.
    public static let datesMax = 40_000

    /// The end of the last date of a series.
    ///
    /// - Parameters:
    ///   - series: the series.
    ///   - first: the time of its first date.
    ///   - zone: the rules of its time zone.
    /// - Returns: the end of the last date; ``Series/endless`` if there is none, or if the series
    ///   has more than ``datesMax`` dates. It is always after the start that the rule gives the
    ///   first date, even if all dates were moved to an earlier time.
    public static func lastEnd(
        of series: Series, from first: MeetingTime, in zone: Zone
    ) -> Moment {
        var examined = 0
        return lastEnd(of: series, from: first, in: zone, examined: &examined)
    }

    /// The end of the last date of a series, as ``lastEnd(of:from:in:)``.
    ///
    /// - Parameters:
    ///   - series: the series.
    ///   - first: the time of its first date.
    ///   - zone: the rules of its time zone.
    ///   - examined: the number of dates that were examined is added to it.
    /// - Returns: the end.
    public static func lastEnd(
        of series: Series, from first: MeetingTime, in zone: Zone, examined: inout Int
    ) -> Moment {
        max(
            statedEnd(of: series, from: first, in: zone, &examined),
            first.startsAt.advanced(bySeconds: 1))
    }

    private static func statedEnd(
        of series: Series, from first: MeetingTime, in zone: Zone, _ examined: inout Int
    ) -> Moment {
        guard series.rule.end != .never else { return Series.endless }
        var last = series.changes.values.compactMap(\.time?.endsAt).max() ?? first.endsAt
        for (number, date) in dates(of: series, from: first, in: zone).enumerated() {
            guard number < datesMax else { return Series.endless }
            examined += 1
            last = max(last, date.time.endsAt)
        }
        return last
    }

    /// The date with a name, for a series or a former series; `nil` if the text is not the name of
    /// a date. Whether the rule gives the date is not checked.
    ///
    /// - Parameters:
    ///   - name: the original start in wall-clock time.
    ///   - isByRule: true to ignore the exception of the date.
    ///   - zone: the rules of the meeting's time zone.
    /// - Returns: the date.
    public func date(
        named name: String, byRule isByRule: Bool = false, in zone: Zone
    ) -> SeriesDate? {
        guard case .wall(let start) = CalendarStamp(name) else { return nil }
        // A wall-clock time that the clocks skip becomes a later one.
        let shown = zone.wallTime(at: zone.moment(of: start))
        return SeriesDate(
            name: name,
            byRule: MeetingTime(start: shown, zone: zone, duration: time.duration),
            isByRule ? nil : series?.changes[name])
    }

    /// The date whose original start is at a moment; `nil` if there is none.
    public func date(originallyAt moment: Moment, in zone: Zone) -> SeriesDate? {
        for date in dates(in: zone, endingAfter: moment).prefix(Self.datesMax) {
            let own = self.date(named: date.name, byRule: true, in: zone)
            guard let start = own?.time.startsAt, start < moment else {
                return own?.time.startsAt == moment ? date : nil
            }
        }
        return nil
    }

    /// The dates of a series within a period, sorted by start, including the cancelled ones. Of
    /// more than ``datesMax``, the first ones.
    ///
    /// - Parameters:
    ///   - after: the dates end after this moment.
    ///   - before: the dates start before this moment.
    ///   - zone: the rules of the meeting's time zone.
    /// - Returns: the dates.
    public func dates(
        endingAfter after: Moment, startingBefore before: Moment, in zone: Zone
    ) -> [SeriesDate] {
        let regular = dates(in: zone, endingAfter: after).prefix(Self.datesMax).lazy
            .filter { $0.change?.time == nil }.prefix { $0.time.startsAt < before }
        return (Array(regular) + movedDates)
            .filter { $0.time.endsAt > after && $0.time.startsAt < before }
            .sorted { ($0.time.startsAt, $0.name) < ($1.time.startsAt, $1.name) }
    }

    /// True if one of the dates of a series within a period passes a test. The dates behind it are
    /// not computed.
    ///
    /// - Parameters:
    ///   - after: the dates end after this moment.
    ///   - before: the dates start before this moment.
    ///   - zone: the rules of the meeting's time zone.
    ///   - passes: the test.
    /// - Returns: true if there is such a date.
    public func hasDate(
        endingAfter after: Moment, startingBefore before: Moment, in zone: Zone,
        where passes: (SeriesDate) -> Bool
    ) -> Bool {
        func isWithin(_ date: SeriesDate) -> Bool {
            date.time.endsAt > after && date.time.startsAt < before && passes(date)
        }
        guard !movedDates.contains(where: isWithin) else { return true }
        for date in dates(in: zone, endingAfter: after).prefix(Self.datesMax)
        where date.change?.time == nil {
            guard date.time.startsAt < before else { return false }
            if isWithin(date) { return true }
        }
        return false
    }

    /// The next dates of a series that have not ended, sorted by start, including the cancelled
    /// ones.
    public func dates(endingAfter now: Moment, first count: Int, in zone: Zone) -> [SeriesDate] {
        let regular = dates(in: zone, endingAfter: now).lazy
            .filter { $0.change?.time == nil && $0.time.endsAt > now }.prefix(count)
        return (Array(regular) + movedDates.filter { $0.time.endsAt > now })
            .sorted { ($0.time.startsAt, $0.name) < ($1.time.startsAt, $1.name) }
            .prefix(count).map(\.self)
    }

    /// The number of dates that begin within a span after the start of the next one, including the
    /// cancelled ones.
    ///
    /// - Parameters:
    ///   - now: dates that ended before this moment do not count.
    ///   - seconds: the length of the span.
    ///   - most: the largest number to count.
    ///   - zone: the rules of the meeting's time zone.
    /// - Returns: the number.
    public func dateCount(
        endingAfter now: Moment, within seconds: Int64, atMost most: Int, in zone: Zone
    ) -> Int {
        func regular() -> some Sequence<SeriesDate> {
            dates(in: zone, endingAfter: now).lazy
                .filter { $0.change?.time == nil && $0.time.endsAt > now }
        }
        let moved = movedDates.map(\.time).filter { $0.endsAt > now }
        let next = regular().first { _ in true }
        guard let start = (moved + [next?.time].compactMap(\.self)).map(\.startsAt).min() else {
            return 0
        }
        let end = start.advanced(bySeconds: seconds)
        var count = moved.count { $0.startsAt < end }
        for date in regular() {
            guard count < most, date.time.startsAt < end else { break }
            count += 1
        }
        return count
    }

    /// The periods before a moment in which the last date is looked for, in days, one after the
    /// other; `nil` for the whole series.
    private static let lookBackDays: [Int64?] = [40, 400, nil]

    /// The date that ended last before a moment, among those that pass a test; `nil` if there is
    /// none. Of an old series, the first dates are examined only if no later one passes.
    public func lastDate(
        endingBefore end: Moment, in zone: Zone, where passes: (SeriesDate) -> Bool
    ) -> SeriesDate? {
        var last: SeriesDate?
        for days in Self.lookBackDays where last == nil {
            let since = days.map { end.advanced(bySeconds: -$0 * 86_400) }
            let regular = dates(in: zone, endingAfter: since).lazy.prefix(Self.datesMax)
                .prefix { $0.time.startsAt < end }
            for date in regular where date.change?.time == nil && date.time.endsAt <= end {
                if passes(date) { last = date }
            }
            guard let since, since > time.startsAt else { break }
        }
        let moved = movedDates.filter { $0.time.endsAt <= end && passes($0) }
        return (moved + [last].compactMap(\.self)).max { $0.time.startsAt < $1.time.startsAt }
    }

    /// The dates of a series whose time differs from the rule's, or that the rule does not give.
    public var movedDates: [SeriesDate] {
        (series?.changes ?? [:]).compactMap { name, change in
            change.time.map { SeriesDate(name: name, byRule: $0, change) }
        }
    }

    /// The time of the next start; `nil` if the meeting is cancelled or has no start in the future.
    public func nextTime(after now: Moment, in zone: Zone) -> MeetingTime? {
        guard status == .confirmed else { return nil }
        guard series != nil else { return time.startsAt > now ? time : nil }
        return nextDate(after: now, in: zone)?.time
    }

    /// The next date of a series that is not cancelled; `nil` if there is none.
    public func nextDate(after now: Moment, in zone: Zone) -> SeriesDate? {
        let regular = dates(in: zone, endingAfter: now).lazy
            .first { $0.change?.time == nil && $0.isOn && $0.time.startsAt > now }
        let moved = movedDates.filter { $0.isOn && $0.time.startsAt > now }
        return (moved + [regular].compactMap(\.self)).min {
            $0.time.startsAt < $1.time.startsAt
        }
    }

    /// The meeting as it stands on one of its dates, as a meeting that does not repeat.
    public func on(_ date: SeriesDate) -> Meeting {
        var meeting = self
        meeting.series = nil
        meeting.isDateOfDays = time.isOfDays
        meeting.time = date.time
        meeting.revision = series?.datesRevision ?? revision
        meeting.sequence = series?.sequence ?? sequence
        guard let change = date.change else { return meeting }
        if case .other(let place) = change.place { meeting.place = place }
        meeting.revision = max(meeting.revision, change.revision)
        meeting.sequence = max(meeting.sequence, change.sequence)
        if !date.isOn { meeting.status = .cancelled }
        return meeting
    }
}

extension SeriesDate {
    fileprivate init(name: String, byRule time: MeetingTime, _ change: DateChange?) {
        self.init(name: name, time: change?.time ?? time, change: change)
    }
}
