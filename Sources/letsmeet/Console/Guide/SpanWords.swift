import Agenda
import Planning
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

    /// The reminders of whole days: "18:00 on the evening before, 18:00 3 days before".
    static func evenings(_ spans: [String]) -> String {
        let days = Set(spans.compactMap { try? TimeSpan.parse($0).eveningDays })
        guard !days.isEmpty else { return "none" }
        return days.sorted(by: >).map {
            $0 == 1 ? "18:00 on the evening before" : "18:00 \($0) days before"
        }.joined(separator: ", ")
    }

    /// "Tuesday 1 December 2026, 18:30, Europe/Helsinki", or "Tue 1 December 2026, all day".
    static func start(_ start: PlannedStart) -> String {
        let moment = start.zone.moment(of: start.wall)
        guard start.isAllDay else { return TimeWords.longMoment(moment, in: start.zone) }
        let end = start.zone.startOfDay(start.wall.date.adding(days: 1))
        return TimeWords.range(from: moment, to: end, in: start.zone, at: start.zone)
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
