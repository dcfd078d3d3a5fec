public import Timekeeping

/// From when to when something lasts, as an event of somebody else's program says it (RFC 5545,
/// 3.6.1).
public struct CalendarPeriod: Equatable, Sendable {
    private let start: CalendarLine
    private let end: CalendarLine?
    private let duration: TimeSpan?
    private let zones: CalendarZones

    /// `nil` where the event does not say when it begins, or says it in no form that is known.
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

    /// What begins when a property says, such as the date of a meeting that has several (RFC 5545,
    /// 3.8.4.4).
    init?(from property: CalendarLine, _ zones: CalendarZones) {
        guard CalendarStamp(property.plainText) != nil else { return nil }
        start = property
        end = nil
        duration = nil
        self.zones = zones
    }

    /// When that is.
    ///
    /// - Parameters:
    ///   - directory: the zone rules, where it names a zone that is known here; else it has to
    ///     bring rules of its own.
    ///   - own: by whose clocks it is meant where it names none.
    ///   - usual: how long it lasts where it does not say.
    /// - Returns: both ends; `nil` where it ends before it begins, or its clocks are not known.
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
