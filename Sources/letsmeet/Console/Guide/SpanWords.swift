import Timekeeping
import Wording

/// Times and durations as text.
enum SpanWords {
    /// "1 hour 30 minutes".
    static func of(_ span: TimeSpan) -> String { TimeWords.span(span) }

    /// "1 day, 1 hour before".
    static func before(_ spans: [TimeSpan]) -> String {
        spans.isEmpty ? "none" : spans.map(of).joined(separator: ", ") + " before"
    }

    /// The same for durations in the form of JSON answers, such as "P1D".
    static func before(_ spans: [String]) -> String {
        before(spans.compactMap { try? TimeSpan.parse($0) })
    }

    /// "Tuesday 1 December 2026, 18:30, Europe/Helsinki".
    static func start(_ wall: WallTime, in zone: Zone) -> String {
        TimeWords.longMoment(zone.moment(of: wall), in: zone)
    }

    /// A duration as typed: "1d", "1h30m".
    static func typed(_ span: TimeSpan) -> String {
        let parts = [
            (span.days, "d"), (span.seconds / 3600, "h"), (span.seconds / 60 % 60, "m"),
            (span.seconds % 60, "s"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    /// Durations as typed: "1d, 1h".
    static func typed(_ spans: [TimeSpan]) -> String {
        spans.isEmpty ? "none" : spans.map(typed).joined(separator: ", ")
    }
}
