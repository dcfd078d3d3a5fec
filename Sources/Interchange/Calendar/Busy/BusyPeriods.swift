public import Timekeeping

/// The busy times found in a calendar, in no particular order and possibly with duplicates.
public struct BusyPeriods: Equatable, Sendable {
    /// Times at which the person is busy.
    public private(set) var firm: [Range<Moment>] = []
    /// Times at which the person may be busy.
    public private(set) var tentative: [Range<Moment>] = []

    /// The reason why the calendar is too large, in a sentence; `nil` if it is not. The busy times
    /// are incomplete then.
    public private(set) var excess: String?

    /// The most busy times.
    public static let spansMax = 100_000
    /// The most occurrences of one event that are examined.
    fileprivate static let datesOfOneMax = 1_000_000
    /// The most occurrences of all events together. Each recurrence rule counts as at least
    /// ``datesOfRule`` of them.
    private static let datesOfAllMax = 4_000_000
    fileprivate static let datesOfRule = 400

    /// The busy times within a range.
    ///
    /// - Parameters:
    ///   - text: a calendar as stored by ``BusyCalendar``.
    ///   - from: only periods that end after this moment are included.
    ///   - until: only periods that begin before this moment are included.
    ///   - own: the zone for times that name no zone.
    ///   - directory: the zone rules of the system.
    public init(
        of text: String, from: Moment, until: Moment, in own: Zone, by directory: ZoneDirectory
    ) {
        guard from < until else { return }
        var left = Self.datesOfAllMax
        for calendar in CalendarReader.read(Array(text.utf8)).calendars {
            let zones = CalendarZones(calendar)
            for object in CalendarObject.all(in: calendar) where object.kind == "VEVENT" {
                for part in object.parts(by: directory) where excess == nil {
                    let event = BusyEvent(part, zones, own, directory)
                    left -= event.lay(into: &self, from: from, until: until)
                    guard left > 0 else {
                        excess = "Its events repeat more than \(Self.datesOfAllMax) times."
                        return
                    }
                }
            }
            for component in calendar.components where component.name == "VFREEBUSY" {
                take(component, zones, from: from, until: until, in: own, by: directory)
            }
        }
    }

    private static let minuteMilliseconds: Int64 = 60_000

    /// Adds a period, rounded outward to whole minutes. A period that touches the one added last is
    /// merged with it.
    fileprivate mutating func add(_ period: Range<Moment>, isTentative: Bool) {
        let minute = Self.minuteMilliseconds
        let (start, end) = (period.lowerBound.milliseconds, period.upperBound.milliseconds)
        let period =
            Moment(
                milliseconds: start - (start % minute + minute) % minute)..<Moment(
                milliseconds: end + (minute - (end % minute + minute) % minute) % minute)
        let isNext = { (last: Range<Moment>?) in
            last.map { $0.upperBound >= period.lowerBound && $0.lowerBound <= period.lowerBound }
                ?? false
        }
        let last = isTentative ? tentative.last : firm.last
        if isNext(last), let last {
            let joined = last.lowerBound..<max(last.upperBound, period.upperBound)
            if isTentative {
                tentative[tentative.count - 1] = joined
            } else {
                firm[firm.count - 1] = joined
            }
        } else if firm.count + tentative.count >= Self.spansMax {
            excess = "It has more than \(Self.spansMax) busy times."
        } else if isTentative {
            tentative.append(period)
        } else {
            firm.append(period)
        }
    }

    private mutating func take(
        _ component: CalendarComponent, _ zones: CalendarZones, from: Moment, until: Moment,
        in own: Zone, by directory: ZoneDirectory
    ) {
        for line in component.lines("FREEBUSY") {
            let isTentative = line.parameter("FBTYPE")?.uppercased() == "BUSY-TENTATIVE"
            for text in line.plainText.split(separator: ",") {
                let parts = text.split(separator: "/", maxSplits: 1)
                guard parts.count == 2,
                    let start = StatedTime(parts[0], zone: nil, by: zones, directory)
                else { continue }
                let first = start.moment(in: own)
                let end =
                    TimeSpan(calendar: String(parts[1])).map { start.after($0).moment(in: own) }
                    ?? StatedTime(parts[1], zone: nil, by: zones, directory)?.moment(in: own)
                guard let end, end > first, end > from, first < until else { continue }
                add(first..<end, isTentative: isTentative)
            }
        }
    }
}

/// An event together with the occurrences that differ from it.
private struct BusyEvent {
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

        /// Reads a component; `nil` if it takes no time.
        init?(_ entry: CalendarEntry, clock: Zone, own: Zone) {
            guard !entry.isOff, let length = entry.length(in: own), length != .zero else {
                return nil
            }
            self.length = length
            self.clock = clock
            isTentative = entry.component.line("STATUS")?.plainText == "TENTATIVE"
        }

        func period(from start: Moment) -> Range<Moment> {
            start..<max(start, length.after(clock.wallTime(at: start), in: clock))
        }
    }

    /// Adds the event's periods within a range.
    ///
    /// - Returns: the number of occurrences examined.
    func lay(into periods: inout BusyPeriods, from: Moment, until: Moment) -> Int {
        func add(_ start: Moment, _ shape: Shape) {
            let period = shape.period(from: start)
            guard !period.isEmpty, period.upperBound > from, start < until else { return }
            periods.add(period, isTentative: shape.isTentative)
        }
        for date in dates {
            guard let start = date.start,
                let shape = Shape(date, clock: start.zone ?? own, own: own)
            else { continue }
            add(start.moment(in: own), shape)
        }
        guard let whole, let start = whole.start else { return dates.count }
        let clock = start.zone ?? (start.moment == nil ? own : .utc)
        guard let shape = Shape(whole, clock: clock, own: own) else { return dates.count }
        for addition in whole.additions(by: zones, directory) {
            guard let length = addition.length else { continue }
            let first = addition.start.moment(in: own)
            let end = length.after(clock.wallTime(at: first), in: clock)
            guard end > from, end > first, first < until else { continue }
            periods.add(first..<end, isTentative: shape.isTentative)
        }
        var count = dates.count
        for recurrence in recurrences(of: whole, from: start) {
            count += recurrence.rule == nil ? 1 : BusyPeriods.datesOfRule
            // An occurrence that begins before the range may extend into it.
            let length = shape.period(from: from)
            let since = from.advanced(
                byMilliseconds: length.lowerBound.milliseconds - length.upperBound.milliseconds
            ).advanced(bySeconds: -86_400)
            var (occurrences, shown) = (recurrence.occurrences(since: since), 0)
            while shown < BusyPeriods.datesOfOneMax, periods.excess == nil,
                let occurrence = occurrences.next()
            {
                shown += 1
                let begin = occurrence.moment ?? own.moment(of: occurrence.wall)
                guard begin < until else { break }
                add(begin, shape)
            }
            count += shown + occurrences.leftOut
        }
        return count
    }

    /// The recurrences of the event, one for each RRULE.
    private func recurrences(
        of whole: CalendarEntry, from start: StatedTime
    ) -> [Recurrence] {
        let lines = whole.component.lines("RRULE")
        let rules = lines.compactMap { try? RecurrenceRule($0.plainText) }
        let clock = start.isDay ? nil : start.zone ?? (start.moment == nil ? own : nil)
        let all: [RecurrenceRule?] = rules.isEmpty ? [nil] : rules
        return all.compactMap { rule in
            guard var recurrence = try? Recurrence(start: start.stamp, in: clock, rule: rule)
            else { return nil }
            recurrence.additions = whole.additions(by: zones, directory)
                .filter { $0.length == nil }.map { stamp($0.start) }
            recurrence.exceptions =
                whole.times("EXDATE", by: zones, directory).map(stamp)
                + dates.compactMap { $0.recurrenceID.map(stamp) }
            return recurrence
        }
    }

    /// A time as ``Recurrence`` expects it: whole days as they are, all other times as moments.
    private func stamp(_ time: StatedTime) -> CalendarStamp {
        time.isDay ? time.stamp : .utc(time.moment(in: own))
    }
}
