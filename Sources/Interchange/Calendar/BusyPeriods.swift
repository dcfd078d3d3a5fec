public import Timekeeping

/// When somebody is busy, by what a calendar says: in no order, and perhaps more than once.
public struct BusyPeriods: Equatable, Sendable {
    /// When they are.
    public private(set) var firm: [Range<Moment>] = []
    /// When they may be.
    public private(set) var tentative: [Range<Moment>] = []

    /// So many dates of one event are looked at.
    fileprivate static let datesOfOneMax = 200_000
    /// So many of all together.
    private static let datesOfAllMax = 2_000_000

    /// The periods within some time.
    ///
    /// - Parameters:
    ///   - text: a calendar as ``BusyCalendar`` keeps it.
    ///   - from: they end after this.
    ///   - until: they begin before this.
    ///   - own: by whose clocks times are meant that name no zone.
    ///   - directory: the zone rules of the system.
    public init(
        of text: String, from: Moment, until: Moment, in own: Zone, by directory: ZoneDirectory
    ) {
        guard from < until else { return }
        var left = Self.datesOfAllMax
        for calendar in CalendarReader.read(Array(text.utf8)).calendars {
            let zones = CalendarZones(calendar)
            for object in CalendarObject.all(in: calendar) where object.kind == "VEVENT" {
                for part in object.parts(by: directory) where left > 0 {
                    let event = BusyEvent(part, zones, own, directory)
                    left -= event.lay(into: &self, from: from, until: until)
                }
            }
            for component in calendar.components where component.name == "VFREEBUSY" {
                take(component, zones, from: from, until: until, in: own, by: directory)
            }
        }
    }

    fileprivate mutating func add(_ period: Range<Moment>, isTentative: Bool) {
        if isTentative { tentative.append(period) } else { firm.append(period) }
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

/// An event with the dates of it that are otherwise.
private struct BusyEvent {
    private let whole: CalendarEntry?
    private let dates: [CalendarEntry]
    private let zones: CalendarZones
    private let own: Zone
    private let directory: ZoneDirectory

    init(
        _ object: CalendarObject, _ zones: CalendarZones, _ own: Zone, _ directory: ZoneDirectory
    ) {
        let entries = object.components.map { CalendarEntry($0, by: zones, directory) }
        whole = entries.filter { $0.recurrenceID == nil }.newest
        dates = entries.filter { $0.recurrenceID != nil }
        self.zones = zones
        self.own = own
        self.directory = directory
    }

    /// Adds its dates within some time.
    ///
    /// - Returns: how many were looked at.
    func lay(into periods: inout BusyPeriods, from: Moment, until: Moment) -> Int {
        func add(_ start: Moment, _ entry: CalendarEntry, _ clock: Zone) {
            guard !entry.isOff, start < until,
                let length = entry.length(in: own), length != .zero
            else { return }
            let end = length.after(clock.wallTime(at: start), in: clock)
            guard end > from, end > start else { return }
            let isTentative = entry.component.line("STATUS")?.plainText == "TENTATIVE"
            periods.add(start..<end, isTentative: isTentative)
        }
        for date in dates {
            guard let start = date.start else { continue }
            add(start.moment(in: own), date, start.zone ?? own)
        }
        guard let whole, let start = whole.start else { return dates.count }
        let clock = start.zone ?? (start.moment == nil ? own : .utc)
        var count = dates.count
        for recurrence in recurrences(of: whole, from: start) {
            for occurrence in recurrence.lazy.prefix(BusyPeriods.datesOfOneMax) {
                count += 1
                let begin = occurrence.moment ?? own.moment(of: occurrence.wall)
                guard begin < until else { break }
                add(begin, whole, clock)
            }
        }
        return count
    }

    /// What it recurs by; several rules are several.
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
            recurrence.additions = whole.times("RDATE", by: zones, directory).map(stamp)
            recurrence.exceptions =
                whole.times("EXDATE", by: zones, directory).map(stamp)
                + dates.compactMap { $0.recurrenceID.map(stamp) }
            return recurrence
        }
    }

    /// The time as a recurrence takes it: by its moment, where it has one.
    private func stamp(_ time: StatedTime) -> CalendarStamp {
        time.isDay ? time.stamp : .utc(time.moment(in: own))
    }
}
