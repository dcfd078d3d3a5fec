public import Timekeeping

/// What is otherwise on a single date of a series than on the others.
public struct DateChange: Equatable, Sendable {
    /// Where a date takes place.
    public enum Place: Equatable, Sendable {
        /// Where all do.
        case asAll
        /// Somewhere else, or where is not decided.
        case other(MeetingPlace?)
    }

    /// When it takes place; `nil` for when the rule says.
    public var time: MeetingTime?
    /// Where it takes place.
    public var place = Place.asAll
    /// Whether it takes place.
    public var status = MeetingStatus.confirmed
    /// The meeting's revision when this was told.
    public var revision: Int
    /// The meeting's SEQUENCE then.
    public var sequence: Int

    /// Nothing that is otherwise yet.
    public init(revision: Int, sequence: Int) {
        self.revision = revision
        self.sequence = sequence
    }
}

/// How a meeting repeats. Its dates follow from its time, which is that of the first one, and the
/// rule; what is otherwise on some of them stands here.
///
/// A date is named by its original start on the wall, as RECURRENCE-ID has it: `20261201T190000`.
public struct Series: Equatable, Sendable {
    /// By which rule.
    public var rule: RecurrenceRule
    /// What is otherwise, by the names of the dates.
    public var changes: [String: DateChange] = [:]
    /// When its last date is over; ``endless`` where there is no last one.
    public var endsAt: Moment
    /// The meeting's revision when the whole was changed last.
    public var revision: Int
    /// The meeting's SEQUENCE then.
    public var sequence: Int
    /// The meeting's revision when what all dates have in common was changed last: time, place or
    /// title, and not which dates there are.
    public var datesRevision: Int
    /// Reminders are in the ledger as far as they are due before this.
    public var plannedUntil: Moment

    /// The end of what has none: that of the year 9999.
    public static let endless = Moment(seconds: 253_402_300_799)

    /// Describes how a meeting repeats.
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

/// One date of a series, as it is meant now.
public struct SeriesDate: Equatable, Sendable {
    /// Its original start on the wall.
    public let name: String
    /// When it takes place.
    public let time: MeetingTime
    /// What is otherwise than on others.
    public let change: DateChange?

    /// Whether it takes place.
    public var isOn: Bool { change?.status != .cancelled }
}

extension Meeting {
    /// When all of it is over: of a series, its last date.
    public var endsAt: Moment { series?.endsAt ?? time.endsAt }

    /// The dates of a series, each as it is meant now, in the order of their original starts; none
    /// of a meeting that does not repeat.
    ///
    /// - Parameters:
    ///   - zone: the rules of the meeting's zone.
    ///   - moment: those that by the rule end before it need not be among them.
    /// - Returns: the dates, laid out as they are asked for.
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
        // By the clocks each may be longer or shorter than the first.
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

    /// Takes the moments that the rules of its zone give it now.
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

    /// So many dates are looked at to find the last one; a series of more has no end.
    public static let datesMax = 40_000

    /// When the last date of a series is over.
    ///
    /// - Parameters:
    ///   - series: the series.
    ///   - first: its first date.
    ///   - zone: the rules of its zone.
    /// - Returns: the end of the last date; ``Series/endless`` where there is none, or it is one of
    ///   more than ``datesMax``. It lies behind the start of the first date by the rule, also where
    ///   all were moved before it.
    public static func lastEnd(
        of series: Series, from first: MeetingTime, in zone: Zone
    ) -> Moment {
        max(statedEnd(of: series, from: first, in: zone), first.startsAt.advanced(bySeconds: 1))
    }

    private static func statedEnd(
        of series: Series, from first: MeetingTime, in zone: Zone
    ) -> Moment {
        guard series.rule.end != .never else { return Series.endless }
        var last = series.changes.values.compactMap(\.time?.endsAt).max() ?? first.endsAt
        for (number, date) in dates(of: series, from: first, in: zone).enumerated() {
            guard number < datesMax else { return Series.endless }
            last = max(last, date.time.endsAt)
        }
        return last
    }

    /// The date of a series, or of what was one, that has a name; `nil` for what names none. That
    /// the rule makes it one is not looked at.
    ///
    /// - Parameters:
    ///   - name: its original start on the wall.
    ///   - isByRule: whether to take it as it would be without any change.
    ///   - zone: the rules of the meeting's zone.
    /// - Returns: the date.
    public func date(
        named name: String, byRule isByRule: Bool = false, in zone: Zone
    ) -> SeriesDate? {
        guard case .wall(let start) = CalendarStamp(name) else { return nil }
        // What the clocks skip is later on them.
        let shown = zone.wallTime(at: zone.moment(of: start))
        return SeriesDate(
            name: name,
            byRule: MeetingTime(start: shown, zone: zone, duration: time.duration),
            isByRule ? nil : series?.changes[name])
    }

    /// The date of a series that was to start at a moment by its rule; `nil` where none was.
    public func date(originallyAt moment: Moment, in zone: Zone) -> SeriesDate? {
        dates(in: zone, endingAfter: moment).lazy.prefix(Self.datesMax)
            .map { ($0, self.date(named: $0.name, byRule: true, in: zone)?.time.startsAt) }
            .prefix { $0.1 ?? moment <= moment }.first { $0.1 == moment }?.0
    }

    /// The dates of a series within some time, in the order of their starts, those that are off
    /// among them.
    ///
    /// - Parameters:
    ///   - after: they end after this.
    ///   - before: they start before this.
    ///   - zone: the rules of the meeting's zone.
    /// - Returns: the dates.
    public func dates(
        endingAfter after: Moment, startingBefore before: Moment, in zone: Zone
    ) -> [SeriesDate] {
        let regular = dates(in: zone, endingAfter: after).lazy.filter { $0.change?.time == nil }
            .prefix { $0.time.startsAt < before }
        return (Array(regular) + movedDates)
            .filter { $0.time.endsAt > after && $0.time.startsAt < before }
            .sorted { ($0.time.startsAt, $0.name) < ($1.time.startsAt, $1.name) }
    }

    /// The next dates of a series that are not over, in the order of their starts, those that are
    /// off among them.
    public func dates(endingAfter now: Moment, first count: Int, in zone: Zone) -> [SeriesDate] {
        let regular = dates(in: zone, endingAfter: now).lazy
            .filter { $0.change?.time == nil && $0.time.endsAt > now }.prefix(count)
        return (Array(regular) + movedDates.filter { $0.time.endsAt > now })
            .sorted { ($0.time.startsAt, $0.name) < ($1.time.startsAt, $1.name) }
            .prefix(count).map(\.self)
    }

    /// The date of a series that ended last by a moment, of those that pass; `nil` where none did.
    public func lastDate(
        endingBefore end: Moment, in zone: Zone, where passes: (SeriesDate) -> Bool
    ) -> SeriesDate? {
        var last: SeriesDate?
        let regular = dates(in: zone).lazy.prefix(Self.datesMax).prefix { $0.time.startsAt < end }
        for date in regular where date.change?.time == nil && date.time.endsAt <= end {
            if passes(date) { last = date }
        }
        let moved = movedDates.filter { $0.time.endsAt <= end && passes($0) }
        return (moved + [last].compactMap(\.self)).max { $0.time.startsAt < $1.time.startsAt }
    }

    /// The dates of a series that are at another time than the rule says, or that it does not give.
    public var movedDates: [SeriesDate] {
        (series?.changes ?? [:]).compactMap { name, change in
            change.time.map { SeriesDate(name: name, byRule: $0, change) }
        }
    }

    /// When it takes place next; `nil` where it is off, or no start lies ahead.
    public func nextTime(after now: Moment, in zone: Zone) -> MeetingTime? {
        guard status == .confirmed else { return nil }
        guard series != nil else { return time.startsAt > now ? time : nil }
        return nextDate(after: now, in: zone)?.time
    }

    /// The date of a series that starts next, of those that are not off; `nil` where none does.
    public func nextDate(after now: Moment, in zone: Zone) -> SeriesDate? {
        let regular = dates(in: zone, endingAfter: now).lazy
            .first { $0.change?.time == nil && $0.isOn && $0.time.startsAt > now }
        let moved = movedDates.filter { $0.isOn && $0.time.startsAt > now }
        return (moved + [regular].compactMap(\.self)).min {
            $0.time.startsAt < $1.time.startsAt
        }
    }

    /// The meeting as it is on one of its dates: one that does not repeat.
    public func on(_ date: SeriesDate) -> Meeting {
        var meeting = self
        meeting.series = nil
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
