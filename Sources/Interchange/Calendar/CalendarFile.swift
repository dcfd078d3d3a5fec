public import Timekeeping

/// Meetings as a file that calendar programs import: it asks nobody for an answer, so nobody is
/// named in it.
public struct CalendarFile: Sendable {
    /// A meeting, and whether it is off.
    public struct Entry: Sendable {
        let event: CalendarEvent
        let isOff: Bool

        /// An entry of a meeting.
        public init(_ event: CalendarEvent, isOff: Bool) {
            self.event = event
            self.isOff = isOff
        }
    }

    private let entries: [Entry]

    /// A file of these meetings.
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The calendar object, as it was at a moment.
    public func octets(at now: Moment) -> [UInt8] {
        let head = [
            CalendarLine("VERSION", raw: "2.0"),
            CalendarLine("PRODID", raw: "-//letsmeet//letsmeet//EN"),
        ]
        let events = entries.flatMap { entry in
            let state = [CalendarLine("STATUS", raw: entry.isOff ? "CANCELLED" : "CONFIRMED")]
            return entry.event.all.map { CalendarComponent("VEVENT", $0.lines(at: now) + state) }
        }
        var zones: [String: CalendarComponent] = [:]
        for entry in entries { zones[entry.event.zone.id] = entry.event.zoneComponent }
        var output: [UInt8] = []
        CalendarComponent(
            "VCALENDAR", head, zones.sorted { $0.key < $1.key }.map(\.value) + events
        ).append(to: &output)
        return output
    }
}
