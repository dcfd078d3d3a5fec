public import Timekeeping

/// The common properties of a component of any kind: UID, start, end and title.
public struct CalendarEntry: Sendable {
    /// The component.
    public let component: CalendarComponent
    /// The permanent UID; `nil` if there is none.
    public let uid: String?
    /// The original start of the occurrence that this component describes; `nil` if it describes no
    /// single occurrence.
    public let recurrenceID: StatedTime?
    /// The start.
    public let start: StatedTime?
    /// The end, as stated or from the start and the length. Without either, a whole day lasts one
    /// day and a point in time has no length.
    public let end: StatedTime?
    /// The title.
    public let summary: String?
    /// The times of the alarms that do not depend on the start, by the text of their
    /// TRIGGER.
    let fixedAlarms: [String: StatedTime]

    /// Reads a component.
    ///
    /// - Parameters:
    ///   - component: the component.
    ///   - zones: the zones of the calendar object.
    ///   - directory: the zone rules of the system.
    public init(
        _ component: CalendarComponent, by zones: CalendarZones, _ directory: ZoneDirectory
    ) {
        func time(_ name: String) -> StatedTime? {
            component.line(name).flatMap { StatedTime($0, by: zones, directory) }
        }
        self.component = component
        let triggers = component.components.filter { $0.name == "VALARM" }
            .compactMap { $0.line("TRIGGER") }
        fixedAlarms = Dictionary(
            triggers.compactMap { line in
                StatedTime(line, by: zones, directory).map { (line.unfolded, $0) }
            }
        ) { $1 }
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
    /// A length of time in the form of RFC 5545, 3.3.6: "PT1H30M" or "P2W"; `nil` if the text is
    /// not a length or is negative.
    init?(calendar text: String) {
        let plain = text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard plain.uppercased().hasPrefix("P"), let span = try? TimeSpan.parse(plain) else {
            return nil
        }
        self = span
    }
}

extension TimeSpan {
    /// The length in the form of RFC 5545, 3.3.6: "P1DT2H". Weeks are written as days, because that
    /// form does not allow weeks beside other units.
    var calendarText: String {
        let time = [(seconds / 3600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
            .filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
        let day = days == 0 ? "" : "\(days)D"
        return "P\(day)\(time.isEmpty ? (day.isEmpty ? "T0S" : "") : "T\(time)")"
    }
}

extension [CalendarEntry] {
    /// Among single dates without their series, the one that stands for the series: the first that
    /// is not cancelled.
    public var standingForWhole: CalendarEntry? {
        first { !$0.isOff } ?? first
    }
}

extension CalendarReading {
    /// The components of all calendar objects except time zones.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: the components, in the order of the file.
    public func entries(by directory: ZoneDirectory) -> [CalendarEntry] {
        calendars.flatMap { calendar in
            let zones = CalendarZones(calendar)
            return calendar.components.filter { $0.name != "VTIMEZONE" }
                .map { CalendarEntry($0, by: zones, directory) }
        }
    }
}
