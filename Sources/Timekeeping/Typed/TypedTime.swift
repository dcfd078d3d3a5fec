/// The current day of something whose time is being changed.
public struct OwnDay: Sendable {
    /// The day that is meant if a time is typed without a day. A weekday means the one in its week,
    /// from Monday to Sunday, or else the next one from today, if that one is over.
    public let date: CivilDate
    /// True if a weekday, or a date without a year, means the next one from this day on, and not
    /// the next one from today: an end is typed, and this is the day of the start.
    public let isStart: Bool

    /// Creates the value.
    public init(_ date: CivilDate) {
        self.date = date
        isStart = false
    }

    /// Creates the value for an end that is typed.
    ///
    /// - Parameter date: the day of the start.
    public init(ofStart date: CivilDate) {
        self.date = date
        isStart = true
    }
}

/// A parser for times that people type.
///
/// It accepts everything that ``ISO8601`` accepts, and the following in upper or lower case, with
/// or without "at", "on" and commas:
///
/// - a time: "18:30", "6pm", "6:30 pm", "19.30", "noon", "midnight" (the next one);
/// - a day: "today", "tomorrow", "the day after tomorrow", "yesterday", "tonight" (17:00 or later),
///   "fri", "friday", "next friday", "1 dec", "dec 1 2026", "1st of December", "1.12.2026",
///   "25/12/2026", "12/25/2026", "2026/12/01", "2026-12-01";
/// - a day and a time, in either order;
/// - a length of time from now: "in 90m", "in 2 days", "in 2 days at 18:00", "+2h", and "now";
/// - a day and an hour as in "fri 18h" and "fri 18h30";
/// - the same in German: "morgen 19 Uhr", "übermorgen", "nächsten Freitag", "25. Dezember 20 Uhr",
///   "in 2 Wochen um 18 Uhr". Both languages are always understood.
///
/// Missing parts are filled in as a person expects:
///
/// - A time without a day means the next such time: today if it is not past, otherwise tomorrow. If
///   something that already has a day gets another time, it is on that day.
/// - A weekday is the next such day that is not over: today counts, unless the time typed with it
///   is past. "This friday" means the same. If something that already has a day gets another one,
///   it is the weekday in the week of that day, from Monday to Sunday.
/// - "Next friday" is accepted only if it has one meaning: it is refused if it could be the coming
///   Friday or the one a week later.
/// - A date without a year is the next such date, including today.
/// - Days and weeks from now keep the wall-clock time; hours and smaller units are exact.
///
/// A text with two possible meanings, such as "12/01/2026" or "at 7", is refused with a sentence
/// that says what to write.
public enum TypedTime {
    /// A parsed text, with as much information as the text contains.
    public enum Value: Hashable, Sendable {
        /// A date and a time of day in the person's time zone.
        case wall(WallTime)
        /// A moment, and the offset from UTC that was written with it.
        case instant(Moment, offsetSeconds: Int)
        /// A day without a time.
        case date(CivilDate)
        /// A length of time with an exact part, counted from the moment of typing. `TimeSpan.after`
        /// of that moment gives the result.
        case fromNow(TimeSpan)
    }

    /// Parses a typed text, given the wall-clock time of typing in the person's time zone.
    ///
    /// - Parameters:
    ///   - text: the typed text.
    ///   - now: the wall-clock time of typing.
    ///   - ownDay: the day that is meant if a time has no day; `nil` for the next such time. For an
    ///     end, also the day from which weekdays and dates without a year count.
    /// - Returns: as much information as the text contains.
    /// - Throws: ``TimeTextError`` with a sentence for people.
    public static func parse(
        _ text: String, now: WallTime, ownDay: OwnDay? = nil
    ) throws(TimeTextError) -> Value {
        guard text.utf8.count <= TimeTextError.textBytesMax else {
            throw .tooLong(bytes: text.utf8.count)
        }
        guard text.unicodeScalars.allSatisfy(\.isVisible) else { throw .controlCharacter }
        let typed = text.lowercased().split(whereSeparator: \.isWhitespace)
        if let span = try span(typed) {
            guard span.days > 0, span.seconds == 0 else { return .fromNow(span) }
            // "In 2 days" is not meant to the second.
            return .wall(now.adding(days: span.days).adding(seconds: -now.time.second))
        }
        let words = TypedFiller.removed(
            from: typed.flatMap { $0.split(separator: ",") }.map(String.init))
        let plain = words.joined(separator: " ")
        guard !words.isEmpty else { throw .emptyTime }
        if !isDayAndRange(words), let value = try? ISO8601.parse(plain) { return Value(value) }
        guard (try? TimeSpan.parse(plain)) == nil else {
            throw .spanWithoutIn(plain, clock: (try? TypedClock.time(plain, next: nil))?.value)
        }
        if let stamp = words.first(where: isTimestamp) {
            _ = try ISO8601.parse(stamp)
            throw .notUnderstood(words.first { $0 != stamp } ?? stamp)
        }
        var reader = TypedTimeReader(words, now: now, ownDay: ownDay)
        return try reader.read()
    }

    /// The day that a text names, if it names no time of day: "sat", "12 dec", "in 2 weeks".
    ///
    /// - Parameters:
    ///   - text: the typed text.
    ///   - now: the wall-clock time of typing.
    ///   - ownDay: as for ``parse(_:now:ownDay:)``.
    /// - Returns: the day; `nil` if the text names a time too, or cannot be read.
    public static func day(_ text: String, now: WallTime, ownDay: OwnDay? = nil) -> CivilDate? {
        guard let value = try? parse(text, now: now, ownDay: ownDay) else { return nil }
        if case .date(let date) = value { return date }
        let typed = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard case .wall(let wall) = value, let length = try? Self.span(typed), length.days > 0,
            length.seconds == 0
        else { return nil }
        return wall.date
    }

    /// True for "2026-12-01 18:00-20:00", which people mean as a range of hours, although -20:00 is
    /// also an offset from UTC in ISO 8601.
    private static func isDayAndRange(_ words: [String]) -> Bool {
        words.count == 2 && TypedRange(words[1]) != nil
    }

    /// True if a word begins with a date and a time together, for example "2026-12-01t18:00". Such
    /// a word cannot be combined with other words.
    private static func isTimestamp(_ word: String) -> Bool {
        word.utf8.prefix { $0.isDigit }.count >= 4 && word.utf8.contains(UInt8(ascii: "t"))
    }

    /// The length of "in 2 hours", "+2h" and "now"; nil if the text begins differently.
    private static func span(_ typed: [Substring]) throws(TimeTextError) -> TimeSpan? {
        guard typed != ["now"], typed != ["jetzt"] else { return .zero }
        guard typed.first != "in" else {
            guard !typed.contains("at"), !typed.contains("um") else { return nil }
            return try spanFromNow(typed.dropFirst())
        }
        guard typed.first?.first == "+" else { return nil }
        return try TimeSpan.parse(String(typed.joined(separator: " ").dropFirst()))
    }

    /// The length that the words after "in" name; nil if a time of day follows whole days, as in
    /// "in 3 days 18:00".
    private static func spanFromNow(
        _ words: ArraySlice<Substring>
    ) throws(TimeTextError) -> TimeSpan? {
        func span(_ words: ArraySlice<Substring>) throws(TimeTextError) -> TimeSpan {
            try TimeSpan.parse(words.joined(separator: " "))
        }
        do throws(TimeTextError) {
            return try span(words)
        } catch {
            let isOfDays = (1..<max(1, words.count)).contains { count in
                (try? span(words.prefix(count))).map { $0.days > 0 && $0.seconds == 0 } ?? false
            }
            guard isOfDays else { throw error }
            return nil
        }
    }
}

extension TypedTime.Value {
    fileprivate init(_ value: ISO8601.Value) {
        switch value {
        case .instant(let moment, let offset): self = .instant(moment, offsetSeconds: offset)
        case .wall(let wall): self = .wall(wall)
        case .date(let date): self = .date(date)
        }
    }
}
