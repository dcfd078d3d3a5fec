public import Timekeeping

/// Dates, times and durations in words; in English where no other language is asked for.
public enum TimeWords {
    /// Of three letters each, for a column of times.
    private static let shortMonths = EnglishSpeech.months.map { String($0.prefix(3)) }
    /// Of three letters each, Monday first.
    private static let shortWeekdays = Weekday.allCases.map { String($0.name.prefix(3)) }

    private static func short(_ weekday: Weekday) -> String {
        shortWeekdays[weekday.rawValue - 1]
    }

    /// "Tue 1 December 2026".
    public static func date(_ date: CivilDate, in language: Language = .english) -> String {
        language.speech.date(date)
    }

    /// "every 2nd Tuesday until 3 March 2027": when something recurs by a rule, with nothing left
    /// out that the rule says.
    public static func repetition(
        _ rule: RecurrenceRule, in language: Language = .english
    ) -> String {
        language.speech.repetition(rule)
    }

    /// "Tue 1 December 2026, 18:00–19:30 (Europe/Helsinki)"; over midnight with both dates, and
    /// where the clocks are changed between them "Sun 25 October 2026, 03:30 EEST – 03:30 EET".
    public static func range(
        from start: Moment, to end: Moment, in zone: Zone, _ language: Language = .english
    ) -> String {
        let first = zone.wallTime(at: start)
        let last = zone.wallTime(at: end)
        let isChanged = zone.offsetSeconds(at: start) != zone.offsetSeconds(at: end)
        func time(_ wall: WallTime, at moment: Moment) -> String {
            wall.time.shortText + (isChanged ? " \(zone.abbreviation(at: moment))" : "")
        }
        let day = first.date == last.date ? "" : "\(date(last.date, in: language)), "
        return
            "\(date(first.date, in: language)), \(time(first, at: start))\(isChanged ? " – " : "–")"
            + "\(day)\(time(last, at: end)) (\(zone.id))"
    }

    /// "Tuesday 1 December 2026, 18:00, Europe/Helsinki".
    public static func longMoment(_ moment: Moment, in zone: Zone) -> String {
        let wall = zone.wallTime(at: moment)
        let rest = date(wall.date).dropFirst(3)
        return "\(wall.date.weekday.name)\(rest), \(wall.time.shortText), \(zone.id)"
    }

    /// "Tue 1 Dec 2026, 18:00 EET", for a column of times.
    public static func short(_ moment: Moment, in zone: Zone) -> String {
        let wall = zone.wallTime(at: moment)
        let month = shortMonths[wall.date.month - 1]
        let day = "\(short(wall.date.weekday)) \(wall.date.day) \(month) \(wall.date.year)"
        return "\(day), \(wall.time.shortText) \(zone.abbreviation(at: moment))"
    }

    /// "1 day", "1 hour 30 minutes", "45 seconds"; nothing at all is "0 seconds".
    public static func span(_ span: TimeSpan) -> String {
        let parts = [
            (span.days, "day"), (span.seconds / 3600, "hour"),
            (span.seconds / 60 % 60, "minute"), (span.seconds % 60, "second"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { count($0.0, $0.1) }
        return words.isEmpty ? "0 seconds" : words.joined(separator: " ")
    }

    /// How far a moment is, rounded as people speak: "in 3 days", "in 2 hours", "in 10 minutes",
    /// "now".
    public static func distance(
        from now: Moment, to moment: Moment, in language: Language = .english
    ) -> String {
        language.speech.distance(Distance(from: now, to: moment))
    }

    /// "1 hour", "2 hours"; a plural that is not made with an s is given.
    public static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
