import TestKit
import Testing
import Timekeeping

/// The stamp in a text.
func stamp(_ text: String) throws -> CalendarStamp {
    try #require(CalendarStamp(text))
}

/// A recurring event that begins at `start`, with a rule, in a time zone.
func recurrence(
    _ start: String, _ rule: String?, in zone: String? = nil
) throws -> Recurrence {
    try Recurrence(
        start: stamp(start), in: zone.map(SystemZones.directory.zone),
        rule: rule.map { try RecurrenceRule($0) })
}
