/// Dates and times in the forms of RFC 3339 and ISO 8601 that programs write.
///
/// Read are a date (`2026-12-01`), a date and a time (`2026-12-01T18:00`, with or without seconds
/// and a fraction of them) and these with an offset (`Z`, `+02:00`, `+0200`, `+02`); a space or a
/// small letter may stand for `T`, a small `z` for `Z`, a space before the offset, and each part
/// may be in the basic form without separators (`20261201T180000Z`).
///
/// Not read are years outside of 1 to 9999, the hour 24, leap seconds, week dates and day-of-year
/// dates.
public enum ISO8601 {
    /// What a text says, with as much of it as it says.
    public enum Value: Hashable, Sendable {
        /// A point on the time line, and the offset from UTC with which it was written. Digits
        /// beyond the millisecond are cut off.
        case instant(Moment, offsetSeconds: Int)
        /// A date and a time of day without an offset. A fraction of a second is cut off.
        case wall(WallTime)
        /// A date alone.
        case date(CivilDate)
    }

    /// Reads a text that is a date or a time and nothing else.
    ///
    /// - Throws: ``TimeTextError`` with a sentence for people.
    public static func parse(_ text: String) throws(TimeTextError) -> Value {
        guard let value = try value(of: text) else { throw .notATime(text) }
        return value
    }

    /// What a text says; `nil` where it has another form.
    static func value(of text: String) throws(TimeTextError) -> Value? {
        guard text.utf8.count <= TimeTextError.textBytesMax else {
            throw .tooLong(bytes: text.utf8.count)
        }
        var cursor = TextCursor(text)
        guard let value = try value(from: &cursor), cursor.isAtEnd else { return nil }
        return value
    }

    /// Nil where the text has another form.
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

    /// Thousandths from the digits behind the point; nil where there are none.
    private static func fraction(from cursor: inout TextCursor) -> Int? {
        let digits = cursor.text { $0.isDigit }
        return digits.isEmpty ? nil : Int((digits + "00").prefix(3))
    }

    /// Seconds east of UTC; nil where there is no offset.
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

    /// The offset that is the whole of a text, nil where the text is something else.
    static func offsetSeconds(_ text: String) -> Int? {
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
            "\(text.quoted) is not a date with a time and without an offset: "
                + "write 2026-12-01T18:00.")
    }

    fileprivate static let offsetOutOfRange = Self(
        "The offset is out of range: write -23:59 to +23:59.")
}
