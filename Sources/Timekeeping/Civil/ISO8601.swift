/// A parser for the RFC 3339 and ISO 8601 forms of dates and times that programs write.
///
/// It accepts a date (`2026-12-01`), a date and a time (`2026-12-01T18:00`, with or without seconds
/// and a fraction of a second), and a date and a time with an offset (`Z`, `+02:00`, `+0200`,
/// `+02`). A space or a lower-case letter may replace `T`, a lower-case `z` may replace `Z`, and a
/// space may precede the offset. Each part may have the basic form without separators
/// (`20261201T180000Z`).
///
/// It rejects years outside of 1 to 9999, the hour 24, leap seconds, week dates and day-of-year
/// dates.
public enum ISO8601 {
    /// A parsed text, with as much information as the text contains.
    public enum Value: Hashable, Sendable {
        /// A moment, and the offset from UTC that was written with it. Digits beyond the
        /// millisecond are dropped.
        case instant(Moment, offsetSeconds: Int)
        /// A date and a time of day without an offset. A fraction of a second is dropped.
        case wall(WallTime)
        /// A date without a time.
        case date(CivilDate)
    }

    /// Parses a text that is a date or a time and nothing else.
    ///
    /// - Throws: ``TimeTextError`` with a sentence for people.
    public static func parse(_ text: String) throws(TimeTextError) -> Value {
        guard let value = try value(of: text) else { throw .notATime(text) }
        return value
    }

    /// The value of a text; `nil` if the text has another form.
    static func value(of text: String) throws(TimeTextError) -> Value? {
        guard text.utf8.count <= TimeTextError.textBytesMax else {
            throw .tooLong(bytes: text.utf8.count)
        }
        var cursor = TextCursor(text)
        guard let value = try value(from: &cursor), cursor.isAtEnd else { return nil }
        return value
    }

    /// Parses from `cursor`; nil if the text has another form.
    private static func value(from cursor: inout TextCursor) throws(TimeTextError) -> Value? {
        guard let date = try date(from: &cursor) else { return nil }
        guard !cursor.isAtEnd else { return .date(date) }
        guard let separator = cursor.take(anyOf: "Tt "),
            let (time, milliseconds) = try time(from: &cursor)
        else { return nil }
        let wall = WallTime(date: date, time: time)
        guard !cursor.isAtEnd else { return .wall(wall) }
        if separator == UInt8(ascii: " ") { _ = cursor.take(" ") }
        guard let offset = try offset(from: &cursor) else { return nil }
        let moment = Moment(seconds: wall.secondsSince1970 - Int64(offset))
        return .instant(
            moment.advanced(byMilliseconds: Int64(milliseconds)), offsetSeconds: offset)
    }

    private static func date(from cursor: inout TextCursor) throws(TimeTextError) -> CivilDate? {
        guard let year = cursor.number(digits: 4) else { return nil }
        let extended = cursor.take("-")
        guard let month = cursor.number(digits: 2),
            !extended || cursor.take("-"),
            let day = cursor.number(digits: 2)
        else { return nil }
        return try .of(year: year, month: month, day: day)
    }

    private static func time(
        from cursor: inout TextCursor
    ) throws(TimeTextError) -> (CivilTime, milliseconds: Int)? {
        guard let hour = cursor.number(digits: 2) else { return nil }
        let extended = cursor.take(":")
        guard let minute = cursor.number(digits: 2) else { return nil }
        var second = 0
        var milliseconds = 0
        if extended ? cursor.take(":") : cursor.next?.isDigit == true {
            guard let digits = cursor.number(digits: 2) else { return nil }
            second = digits
            if cursor.take(anyOf: ".,") != nil {
                guard let fraction = fraction(from: &cursor) else { return nil }
                milliseconds = fraction
            }
        }
        let time = try TimeTextError.wrapping { () throws(CivilError) in
            try CivilTime(hour: hour, minute: minute, second: second)
        }
        return (time, milliseconds)
    }

    /// Milliseconds from the digits after the decimal point; nil if there are no digits.
    private static func fraction(from cursor: inout TextCursor) -> Int? {
        let digits = cursor.text { $0.isDigit }
        return digits.isEmpty ? nil : Int((digits + "00").prefix(3))
    }

    /// The offset in seconds east of UTC; nil if there is no offset.
    private static func offset(from cursor: inout TextCursor) throws(TimeTextError) -> Int? {
        guard cursor.take(anyOf: "Zz") == nil else { return 0 }
        guard let sign = cursor.take(anyOf: "+-"), let hours = cursor.number(digits: 2) else {
            return nil
        }
        let extended = cursor.take(":")
        let written = cursor.number(digits: 2)
        guard !extended || written != nil else { return nil }
        let minutes = written ?? 0
        guard hours <= 23, minutes <= 59 else { throw .offsetOutOfRange }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }

    /// The nearest offset towards zero that can be written: whole minutes, less than a day.
    static func shownOffset(seconds: Int) -> Int {
        let minutesMax = 24 * 60 - 1
        return (seconds / 60).clamped(to: -minutesMax...minutesMax) * 60
    }

    /// The offset in seconds if the text is an offset and nothing else; nil otherwise.
    public static func offsetSeconds(_ text: String) -> Int? {
        var cursor = TextCursor(text)
        guard let seconds = try? offset(from: &cursor), cursor.isAtEnd else { return nil }
        return seconds
    }
}

extension TimeTextError {
    fileprivate static func notATime(_ text: String) -> Self {
        .init(
            "\(text.quoted) is not a date or a time: write 2026-12-01, 2026-12-01T18:00 or "
                + "2026-12-01T18:00:00+02:00.")
    }

    static func notAWallTime(_ text: String) -> Self {
        .init(
            "\(text.quoted) is not a date and time without an offset: "
                + "write 2026-12-01T18:00.")
    }

    fileprivate static let offsetOutOfRange = Self(
        "The offset is out of range: write -23:59 to +23:59.")
}
