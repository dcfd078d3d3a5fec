public import Timekeeping

/// What a component of a calendar object says of itself, whatever kind it is.
public struct CalendarEntry: Sendable {
    /// The component.
    public let component: CalendarComponent
    /// Its name for ever; `nil` where it says none.
    public let uid: String?
    /// The date of a series that it is; `nil` for all else.
    public let recurrenceID: StatedTime?
    /// When it begins.
    public let start: StatedTime?
    /// When it ends: as it says, or by its length; without either a day lasts a day, and a moment
    /// no time at all.
    public let end: StatedTime?
    /// What it is about.
    public let summary: String?

    /// Reads a component.
    ///
    /// - Parameters:
    ///   - component: the component.
    ///   - zones: the zones of its calendar object.
    ///   - directory: the zone rules of the system.
    public init(
        _ component: CalendarComponent, by zones: CalendarZones, _ directory: ZoneDirectory
    ) {
        func time(_ name: String) -> StatedTime? {
            component.line(name).flatMap { StatedTime($0, by: zones, directory) }
        }
        self.component = component
        uid = component.line("UID")?.text
        summary = component.line("SUMMARY")?.text
        recurrenceID = time("RECURRENCE-ID")
        start = time("DTSTART")
        let length = component.line("DURATION").flatMap { TimeSpan(calendar: $0.plainText) }
        let usual = TimeSpan(days: start?.isDay == true ? 1 : 0, seconds: 0)
        end = time("DTEND") ?? time("DUE") ?? start?.after(length ?? usual)
    }
}

extension TimeSpan {
    /// A length as RFC 5545, 3.3.6 has it, "PT1H30M" or "P2W"; `nil` of what is none, or goes
    /// backward.
    init?(calendar text: String) {
        let plain = text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard plain.uppercased().hasPrefix("P"), let span = try? TimeSpan.parse(plain) else {
            return nil
        }
        self = span
    }
}

extension TimeSpan {
    /// The length as RFC 5545, 3.3.6 writes it: "P1DT2H". Weeks stand alone there, and are days.
    var calendarText: String {
        let time = [(seconds / 3600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
            .filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
        let day = days == 0 ? "" : "\(days)D"
        return "P\(day)\(time.isEmpty ? (day.isEmpty ? "T0S" : "") : "T\(time)")"
    }
}

extension CalendarReading {
    /// What its calendar objects hold, zones left out, each with what it says of itself.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: them, in their order.
    public func entries(by directory: ZoneDirectory) -> [CalendarEntry] {
        calendars.flatMap { calendar in
            let zones = CalendarZones(calendar)
            return calendar.components.filter { $0.name != "VTIMEZONE" }
                .map { CalendarEntry($0, by: zones, directory) }
        }
    }
}
