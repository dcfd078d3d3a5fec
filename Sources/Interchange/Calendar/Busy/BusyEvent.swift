import Timekeeping

/// An event together with the occurrences that differ from it.
struct BusyEvent {
    private let whole: CalendarEntry?
    private let dates: [CalendarEntry]
    private let zones: CalendarZones
    private let own: Zone
    private let directory: ZoneDirectory

    init(
        _ object: CalendarObject, _ zones: CalendarZones, _ own: Zone, _ directory: ZoneDirectory
    ) {
        let entries = object.entries(by: zones, directory)
        whole = entries.filter { $0.recurrenceID == nil }.newest
        dates = entries.filter { $0.recurrenceID != nil }
        self.zones = zones
        self.own = own
        self.directory = directory
    }

    /// The length, zone and status of one component, read once.
    private struct Shape {
        let length: TimeSpan
        let clock: Zone
        let isTentative: Bool
        /// True if the zone is unknown.
        let isUnsure: Bool

        /// Reads a component; `nil` if it takes no time.
        init?(_ entry: CalendarEntry, clock: Zone, own: Zone) {
            guard !entry.isOff, let length = entry.length(in: own), length != .zero else {
                return nil
            }
            self.length = length
            self.clock = clock
            isTentative =
                entry.component.line("STATUS")?.plainText == BusyClaim.tentative.rawValue
            isUnsure =
                entry.start?.unknownZone != nil
                || entry.component.lines("RDATE").contains {
                    $0.parameter("TZID") == BusyStripping.unknownZone
                }
        }

        /// The seconds before and after its times at which the person may be busy.
        var slackSeconds: Int64 { isUnsure ? BusyPeriods.unsureHours * 3600 : 0 }

        /// The times that a period takes: itself and, in an unknown zone, the hours around it.
        func claims(of period: Range<Moment>) -> [(span: Range<Moment>, isTentative: Bool)] {
            guard isUnsure else { return [(period, isTentative)] }
            let around =
                period.lowerBound.advanced(
                    bySeconds: -slackSeconds)..<period.upperBound.advanced(
                    bySeconds: slackSeconds)
            return [(period, isTentative), (around, true)]
        }

        func period(from start: Moment) -> Range<Moment> {
            start..<max(start, length.after(clock.wallTime(at: start), in: clock))
        }
    }

    /// Adds the event's periods within a range, until the calendar is too large.
    func lay(into periods: inout BusyPeriods, from: Moment, until: Moment) {
        func add(_ period: Range<Moment>, _ shape: Shape) {
            for (span, isTentative) in shape.claims(of: period)
            where !span.isEmpty && span.upperBound > from && span.lowerBound < until {
                periods.add(span, isTentative: isTentative)
            }
        }
        periods.count(dates.count)
        for date in dates {
            guard let start = date.start,
                let shape = Shape(date, clock: start.zone ?? own, own: own)
            else { continue }
            add(shape.period(from: start.moment(in: own)), shape)
        }
        guard let whole, let start = whole.start else { return }
        let clock = start.zone ?? (start.moment == nil ? own : .utc)
        guard let shape = Shape(whole, clock: clock, own: own) else { return }
        for addition in whole.additions(by: zones, directory) {
            guard let length = addition.length else { continue }
            let first = addition.start.moment(in: own)
            add(first..<max(first, length.after(clock.wallTime(at: first), in: clock)), shape)
        }
        guard whole.component.lines("RRULE").count <= Self.rulesMax else {
            periods.excess = "One event has more than \(Self.rulesMax) recurrence rules."
            return
        }
        for recurrence in recurrences(of: whole, from: start) where periods.excess == nil {
            if recurrence.rule != nil { periods.countRule() }
            // They are laid out again for each rule.
            periods.count(recurrence.additions.count + recurrence.exceptions.count)
            guard periods.excess == nil else { return }
            // An occurrence that begins before the range may extend into it.
            let length = shape.period(from: from)
            let since = from.advanced(
                byMilliseconds: length.lowerBound.milliseconds - length.upperBound.milliseconds
            ).advanced(bySeconds: -86_400 - shape.slackSeconds)
            let end = until.advanced(bySeconds: shape.slackSeconds)
            var (occurrences, shown) = (recurrence.occurrences(since: since), 0)
            while shown < BusyPeriods.datesOfOneMax, periods.excess == nil,
                let occurrence = occurrences.next()
            {
                shown += 1
                periods.count()
                let begin = occurrence.moment ?? own.moment(of: occurrence.wall)
                guard begin < end else { break }
                add(shape.period(from: begin), shape)
            }
            if shown == BusyPeriods.datesOfOneMax {
                periods.excess = "One event repeats more than \(shown) times."
            }
            // A step without an occurrence costs about a tenth of an occurrence.
            periods.count(occurrences.emptySteps / 10)
            periods.count(occurrences.leftOut)
        }
    }

    /// The most recurrence rules of one event. More than one is rare.
    private static let rulesMax = 100

    /// The recurrences of the event, one for each RRULE.
    private func recurrences(
        of whole: CalendarEntry, from start: StatedTime
    ) -> [Recurrence] {
        let lines = whole.component.lines("RRULE")
        let rules = lines.compactMap { try? RecurrenceRule($0.plainText) }
            .filter { !start.isBehind($0, else: own) }
        let clock = start.isDay ? nil : start.zone ?? (start.moment == nil ? own : nil)
        let all: [RecurrenceRule?] = rules.isEmpty ? [nil] : rules
        let additions = whole.additions(by: zones, directory)
            .filter { $0.length == nil }.map { stamp($0.start) }
        let exceptions =
            whole.times("EXDATE", by: zones, directory).map(stamp)
            + dates.filter { $0.start != nil || $0.isOff }
            .compactMap { $0.recurrenceID.map(stamp) }
        return all.compactMap { rule in
            guard var recurrence = try? Recurrence(start: start.stamp, in: clock, rule: rule)
            else { return nil }
            recurrence.additions = additions
            recurrence.exceptions = exceptions
            return recurrence
        }
    }

    /// A time as ``Recurrence`` expects it: whole days as they are, all other times as moments.
    private func stamp(_ time: StatedTime) -> CalendarStamp {
        time.isDay ? time.stamp : .utc(time.moment(in: own))
    }
}
