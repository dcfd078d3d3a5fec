/// A date or a time in the form of calendar objects (RFC 5545, 3.3.4 and 3.3.5): `19970902` is a
/// date, `19970902T090000` a wall-clock time, `19970902T130000Z` a time in UTC.
public enum CalendarStamp: Hashable, Sendable {
    /// A whole day.
    case day(CivilDate)
    /// A wall-clock time. Its time zone is given elsewhere.
    case wall(WallTime)
    /// A moment.
    case utc(Moment)

    /// Parses a stamp in upper or lower case; a leap second is read as the second before it. `nil`
    /// if the text has another form, or the date does not exist.
    public init?(_ text: some StringProtocol) {
        var cursor = TextCursor(text)
        guard let year = cursor.number(digits: 4), let month = cursor.number(digits: 2),
            let day = cursor.number(digits: 2),
            let date = try? CivilDate(year: year, month: month, day: day)
        else { return nil }
        guard !cursor.isAtEnd else {
            self = .day(date)
            return
        }
        guard cursor.take(anyOf: "Tt") != nil, let time = Self.time(&cursor) else { return nil }
        let wall = WallTime(date: date, time: time)
        let isUTC = cursor.take(anyOf: "Zz") != nil
        guard cursor.isAtEnd else { return nil }
        self = isUTC ? .utc(Moment(seconds: wall.secondsSince1970)) : .wall(wall)
    }

    private static func time(_ cursor: inout TextCursor) -> CivilTime? {
        guard let hour = cursor.number(digits: 2), let minute = cursor.number(digits: 2),
            let second = cursor.number(digits: 2)
        else { return nil }
        return try? CivilTime(hour: hour, minute: minute, second: second == 60 ? 59 : second)
    }
}

extension CalendarStamp: CustomStringConvertible {
    /// The stamp in the form of calendar objects.
    public var description: String {
        var text = DigitText()
        switch self {
        case .day(let date): text.append(basic: date)
        case .wall(let wall): text.append(basic: wall)
        case .utc(let moment):
            text.append(basic: WallTime(secondsSince1970: moment.seconds))
            text.append("Z")
        }
        return text.string
    }
}

extension DigitText {
    /// Appends a date in basic form, for example "19970902".
    mutating func append(basic date: CivilDate) {
        append(date.year, width: 4)
        append(date.month, width: 2)
        append(date.day, width: 2)
    }

    /// Appends a wall-clock time in basic form, for example "19970902T090000".
    mutating func append(basic wall: WallTime) {
        append(basic: wall.date)
        append("T")
        append(wall.time.hour, width: 2)
        append(wall.time.minute, width: 2)
        append(wall.time.second, width: 2)
    }
}
