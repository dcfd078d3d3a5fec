/// The day of what is given another time.
public struct OwnDay: Sendable {
    /// A time without a day is one of this day.
    public let date: CivilDate
    /// Whether a day of the week is the one next to it, before or behind, and not the coming one.
    public let isAnchor: Bool

    /// Names a day.
    public init(_ date: CivilDate, isAnchor: Bool = false) {
        self.date = date
        self.isAnchor = isAnchor
    }
}

// The times that people type.
///
/// Read is all that ``ISO8601`` reads, and in any case, with or without "at", "on" and commas:
///
/// - a time: "18:30", "6pm", "6:30 pm", "19.30", "noon", "midnight" (the coming one);
/// - a day: "today", "tomorrow", "the day after tomorrow", "yesterday", "tonight" (17:00 or
///   later), "fri", "friday", "next friday", "1 dec", "dec 1 2026", "1st of December",
///   "1.12.2026", "25/12/2026", "12/25/2026", "2026/12/01", "2026-12-01";
/// - a day and a time, in either order;
/// - a span from now: "in 90m", "in 2 days", "in 2 days at 18:00", "+2h", and "now".
///
/// What is left out is filled in as a person expects:
///
/// - A time without a day is the next such time: today's if it is not past, else tomorrow's; where
///   something that has a day already gets another time, that day's.
/// - A weekday is the first such day that is not over: today counts, unless the time typed with it
///   is past. "This friday" is the same.
/// - "Next friday" is taken only where all agree on it: not if it could be the coming one and the
///   one a week after it.
/// - A date without a year is the next such date, today included.
/// - Days and weeks from now keep the time on the clock; hours and less are exact.
///
/// What can be meant in two ways, "12/01/2026" or "at 7", is refused with a sentence that says
/// what to write.
public enum TypedTime {
    /// What a person typed, with as much of it as it says.
    public enum Value: Hashable, Sendable {
        /// A date and a time of day in the zone of the person.
        case wall(WallTime)
        /// A point on the time line, and the offset from UTC with which it was written.
        case instant(Moment, offsetSeconds: Int)
        /// A day without a time.
        case date(CivilDate)
        /// A span with an exact part, from the moment of typing on: `TimeSpan.after` of that
        /// moment says when it ends.
        case fromNow(TimeSpan)
    }

    /// Reads what a person typed while the clock in their zone showed `now`.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - now: what the clock showed.
    ///   - ownDay: the day that a time without a day means; `nil` for the coming one.
    /// - Returns: as much as the text says.
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
            // Nobody who says "in 2 days" means the second.
            return .wall(now.adding(days: span.days).adding(seconds: -now.time.second))
        }
        let words = typed.flatMap { $0.split(separator: ",") }.map(String.init)
            .filter { !["at", "on", "of", "the"].contains($0) }
        let plain = words.joined(separator: " ")
        guard !words.isEmpty else { throw .emptyTime }
        if let value = try? ISO8601.parse(plain) { return Value(value) }
        guard (try? TimeSpan.parse(plain)) == nil else { throw .spanWithoutIn(plain) }
        if let stamp = words.first(where: isTimestamp) {
            _ = try ISO8601.parse(stamp)
            throw .notUnderstood(words.first { $0 != stamp } ?? stamp)
        }
        var reader = TypedTimeReader(words, now: now, ownDay: ownDay)
        return try reader.read()
    }

    /// Whether a word begins as date and time together, "2026-12-01t18:00", which stands alone.
    private static func isTimestamp(_ word: String) -> Bool {
        word.utf8.prefix { $0.isDigit }.count >= 4 && word.utf8.contains(UInt8(ascii: "t"))
    }

    /// The span of "in 2 hours", "+2h" and "now"; nil where the text begins otherwise.
    private static func span(_ typed: [Substring]) throws(TimeTextError) -> TimeSpan? {
        guard typed != ["now"] else { return .zero }
        guard typed.first != "in" else {
            guard !typed.contains("at") else { return nil }
            return try TimeSpan.parse(typed.dropFirst().joined(separator: " "))
        }
        guard typed.first?.first == "+" else { return nil }
        return try TimeSpan.parse(String(typed.joined(separator: " ").dropFirst()))
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
