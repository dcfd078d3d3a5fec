import TestKit
import Testing
import Timekeeping

/// What stands in a text.
func stamp(_ text: String) throws -> CalendarStamp {
    try #require(CalendarStamp(text))
}

/// What begins at `start` and recurs by a rule, by the clocks of a zone.
func recurrence(
    _ start: String, _ rule: String?, in zone: String? = nil
) throws -> Recurrence {
    try Recurrence(
        start: stamp(start), in: zone.map(SystemZones.directory.zone),
        rule: rule.map { try RecurrenceRule($0) })
}
