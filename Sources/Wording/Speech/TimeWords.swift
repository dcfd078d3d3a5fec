public import Agenda
public import Timekeeping

/// Dates, times and durations in words; in English unless another language is given.
public enum TimeWords {
    /// The months in three letters each, for a column of times.
    private static let shortMonths = EnglishSpeech.months.map { String($0.prefix(3)) }
    /// The weekdays in three letters each, Monday first.
    private static let shortWeekdays = Weekday.allCases.map { String($0.name.prefix(3)) }

    private static func short(_ weekday: Weekday) -> String {
        shortWeekdays[weekday.rawValue - 1]
    }

    /// A date, as in "Tue 1 December 2026".
    public static func date(_ date: CivilDate, in language: Language = .english) -> String {
        language.speech.date(date)
    }

    /// A recurrence rule in full, as in "every 2nd Tuesday until 3 March 2027".
    public static func repetition(
        _ rule: RecurrenceRule, in language: Language = .english
    ) -> String {
        language.speech.repetition(rule)
    }

    /// A time range, as in "Tue 1 December 2026, 18:00–19:30 (Europe/Helsinki)". A range over
    /// midnight shows both dates. If the UTC offset changes within the range, both times show the
    /// zone's abbreviation: "Sun 25 October 2026, 03:30 EEST – 03:30 EET (Europe/Helsinki)".
    ///
    /// - Parameters:
    ///   - start: the start.
    ///   - end: the end.
    ///   - zone: the time zone of the reader.
    ///   - home: the time zone of the meeting. If the range fills whole days there, only these are
    ///     named, as in "Sat 12 December 2026, all day": they are the same days everywhere. `nil`
    ///     to name the times in any case.
    ///   - language: the language of the words.
    /// - Returns: the range in words.
    public static func range(
        from start: Moment, to end: Moment, in zone: Zone, at home: Zone?,
        _ language: Language = .english
    ) -> String {
        if let days = home.flatMap({ WholeDays(from: start, to: end, in: $0) }) {
            return Self.days(days, in: language)
        }
        let first = zone.wallTime(at: start)
        let last = zone.wallTime(at: end)
        let isChanged = zone.offsetSeconds(at: start) != zone.offsetSeconds(at: end)
        func time(_ wall: WallTime, at moment: Moment) -> String {
            wall.time.shortText + (isChanged ? " \(zone.abbreviation(at: moment))" : "")
        }
        let day = first.date == last.date ? "" : "\(date(last.date, in: language)), "
        return
            "\(date(first.date, in: language)), \(time(first, at: start))\(isChanged ? " – " : "–")"
            + "\(day)\(time(last, at: end)) (\(zone.name(at: start)))"
    }

    /// Whole days, as in "Sat 12 December 2026, all day" or "Sat 12 December 2026 – Sun 13 December
    /// 2026".
    public static func days(_ days: WholeDays, in language: Language = .english) -> String {
        days.first == days.last
            ? "\(date(days.first, in: language)), \(language.speech.allDay)"
            : "\(date(days.first, in: language)) – \(date(days.last, in: language))"
    }

    /// A moment in full, as in "Tuesday 1 December 2026, 18:00, Europe/Helsinki".
    public static func longMoment(_ moment: Moment, in zone: Zone) -> String {
        let wall = zone.wallTime(at: moment)
        let rest = date(wall.date).dropFirst(3)
        return "\(wall.date.weekday.name)\(rest), \(wall.time.shortText), \(zone.name(at: moment))"
    }

    /// The moment until which something is asked for, as in "Tue 1 December 2026, 18:00". The last
    /// minute of a day means this day: "Tue 1 December 2026".
    public static func deadline(
        _ moment: Moment, in zone: Zone, _ language: Language = .english
    ) -> String {
        let wall = zone.wallTime(at: moment)
        let day = date(wall.date, in: language)
        return wall.time.isLastMinute ? day : "\(day), \(wall.time.shortText)"
    }

    /// The start of a meeting, as in "Tue 1 December 2026, 18:00". A start at midnight in the
    /// meeting's own time zone is that of whole days, so only its day is named.
    ///
    /// - Parameters:
    ///   - start: the start.
    ///   - zone: the time zone of the reader.
    ///   - home: the time zone of the meeting; `nil` if it is that of the reader.
    ///   - language: the language of the words.
    /// - Returns: the start in words.
    public static func start(
        _ start: Moment, in zone: Zone, at home: Zone?, _ language: Language = .english
    ) -> String {
        if let day = wholeDay(from: start, in: home ?? zone) { return date(day, in: language) }
        let wall = zone.wallTime(at: start)
        return "\(date(wall.date, in: language)), \(wall.time.shortText)"
    }

    /// The start of a meeting in few words, as in "Tue 1 Dec 2026, 18:00 EET"; like
    /// ``start(_:in:at:_:)``, midnight in the meeting's own time zone is only named by its day.
    ///
    /// - Parameters:
    ///   - start: the start.
    ///   - zone: the time zone of the reader.
    ///   - home: the time zone of the meeting; `nil` if it is that of the reader.
    /// - Returns: the start in words.
    public static func shortStart(_ start: Moment, in zone: Zone, at home: Zone?) -> String {
        wholeDay(from: start, in: home ?? zone).map(short) ?? short(start, in: zone)
    }

    private static func wholeDay(from start: Moment, in home: Zone) -> CivilDate? {
        let wall = home.wallTime(at: start)
        return wall.time == .midnight ? wall.date : nil
    }

    /// A moment in few words, as in "Tue 1 Dec 2026, 18:00 EET", for a column of times.
    public static func short(_ moment: Moment, in zone: Zone) -> String {
        let wall = zone.wallTime(at: moment)
        return "\(short(wall.date)), \(wall.time.shortText) \(zone.abbreviation(at: moment))"
    }

    /// The start of a meeting in few words: of one that lasts whole days in its own time zone, the
    /// days alone, as in "Tue 1 Dec 2026" or "Fri 4 – Sun 6 Dec 2026".
    public static func short(_ start: Moment, to end: Moment, in zone: Zone, at home: Zone)
        -> String
    {
        guard let days = WholeDays(from: start, to: end, in: home) else {
            return short(start, in: zone)
        }
        return short(days)
    }

    private static func short(_ days: WholeDays) -> String {
        let (first, last) = (days.first, days.last)
        guard first != last else { return short(last) }
        let day = "\(short(first.weekday)) \(first.day)"
        let month = first.month == last.month ? "" : " \(shortMonths[first.month - 1])"
        return first.year == last.year
            ? "\(day)\(month) – \(short(last))" : "\(short(first)) – \(short(last))"
    }

    private static func short(_ date: CivilDate) -> String {
        "\(short(date.weekday)) \(date.day) \(shortMonths[date.month - 1]) \(date.year)"
    }

    /// A duration, as in "1 day", "1 hour 30 minutes" or "45 seconds"; "0 seconds" if it is zero.
    public static func span(_ span: TimeSpan, in language: Language = .english) -> String {
        language.speech.span(span)
    }

    /// A period, as in "from 14:00 to 15:00"; over midnight as in "from Tue 1 Dec 2026, 22:00 EET
    /// to Wed 2 Dec 2026, 01:00 EET"; of whole days as in "on Tue 1 December 2026".
    public static func period(
        _ period: Range<Moment>, in zone: Zone, _ language: Language = .english
    ) -> String {
        let speech = language.speech
        if let days = WholeDays(from: period.lowerBound, to: period.upperBound, in: zone) {
            let first = date(days.first, in: language)
            return days.first == days.last
                ? speech.period(ofDay: first)
                : speech.period(first, date(days.last, in: language))
        }
        let ends = [period.lowerBound, period.upperBound]
        let walls = ends.map(zone.wallTime(at:))
        return walls[0].date == walls[1].date
            ? speech.period(walls[0].time.shortText, walls[1].time.shortText)
            : speech.period(
                speech.shortMoment(ends[0], in: zone), speech.shortMoment(ends[1], in: zone))
    }

    /// A time from now, rounded as people speak: "in 3 days", "in 2 hours", "in 10 minutes" or
    /// "now".
    public static func distance(
        from now: Moment, to moment: Moment, in language: Language = .english
    ) -> String {
        language.speech.distance(Distance(from: now, to: moment))
    }

    /// The time from now to a meeting, as in "in 2 hours"; of one that lasts whole days, the days
    /// by the calendar: "today", "tomorrow", "in 3 days".
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - time: the time of the meeting.
    ///   - zone: the time zone of the meeting.
    ///   - language: the language.
    /// - Returns: the words.
    public static func distance(
        from now: Moment, to time: MeetingTime, at zone: Zone, in language: Language = .english
    ) -> String {
        guard time.isOfDays else { return distance(from: now, to: time.startsAt, in: language) }
        let today = zone.wallTime(at: now).date
        let days = time.start.date.daysSince1970 - today.daysSince1970
        return language.speech.distance(Distance(days: days))
    }

    /// A count with its noun, as in "1 hour" or "2 hours". Pass `plural` if it is not the noun with
    /// an s.
    public static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
