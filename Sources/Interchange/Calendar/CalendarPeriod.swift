public import Timekeeping

/// The start and end of an event, as another program states them (RFC 5545, 3.6.1).
public struct CalendarPeriod: Equatable, Sendable {
    private let start: CalendarLine
    private let end: CalendarLine?
    private let duration: TimeSpan?
    private let zones: CalendarZones

    /// Reads the times of an event; `nil` if the start is missing, or if a time cannot be read or
    /// appears more than once.
    init?(_ event: CalendarComponent, _ zones: CalendarZones) {
        func only(_ name: String) -> CalendarLine?? {
            let found = event.lines(name)
            guard found.count == 1 else { return found.isEmpty ? .some(nil) : nil }
            return CalendarStamp(found[0].plainText).map { _ in found[0] }
        }
        guard let start = only("DTSTART") ?? nil, let end = only("DTEND") else { return nil }
        let lengths = event.lines("DURATION")
        let duration = lengths.first.flatMap { TimeSpan(calendar: $0.plainText) }
        guard lengths.count <= 1, (duration == nil) == lengths.isEmpty else { return nil }
        self.start = start
        self.end = end
        self.duration = duration
        self.zones = zones
    }

    /// A period that begins at the time in a property, such as RECURRENCE-ID (RFC 5545, 3.8.4.4).
    init?(from property: CalendarLine, _ zones: CalendarZones) {
        guard CalendarStamp(property.plainText) != nil else { return nil }
        start = property
        end = nil
        duration = nil
        self.zones = zones
    }

    /// The start as it is written, with its time zone, to compare it with others of the same file.
    public var startText: String {
        "\(start.parameter("TZID") ?? "") \(start.plainText)"
    }

    /// The day, if the start is a whole day and not a time.
    public var day: CivilDate? {
        guard case .day(let day)? = CalendarStamp(start.plainText) else { return nil }
        return day
    }

    /// The start and end as moments.
    ///
    /// - Parameters:
    ///   - directory: the zone rules of the system. A zone that it does not know must be described
    ///     in the calendar.
    ///   - own: the zone for times that name no zone.
    ///   - usual: the length of an event that states none.
    /// - Returns: both ends; `nil` if the end is before the start, or if a zone is unknown.
    public func moments(
        by directory: ZoneDirectory, else own: Zone, lasting usual: TimeSpan
    ) -> (start: Moment, end: Moment)? {
        guard let from = StatedTime(start, by: zones, directory), from.unknownZone == nil else {
            return nil
        }
        let first = from.moment(in: own)
        let zone = from.zone ?? (from.moment == nil ? own : .utc)
        let length = duration ?? (from.isDay ? TimeSpan(days: 1, seconds: 0) : usual)
        var last = length.after(zone.wallTime(at: first), in: zone)
        if let end {
            guard let to = StatedTime(end, by: zones, directory), to.unknownZone == nil else {
                return nil
            }
            last = to.moment(in: own)
        }
        return last < first ? nil : (first, last)
    }
}
