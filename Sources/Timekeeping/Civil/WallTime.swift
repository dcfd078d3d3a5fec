/// A date and a time of day as a clock on the wall shows them, without a time zone.
///
/// ```swift
/// let start = try WallTime.parse("2026-12-01T18:00")
/// start.adding(days: 1).description == "2026-12-02T18:00:00"
/// ```
///
/// Arithmetic follows the calendar, in which each day has 24 hours, and stops at the ends of the
/// range of ``CivilDate``. A ``Zone`` converts a wall-clock time to a moment.
public struct WallTime: Hashable, Sendable {
    /// The day.
    public let date: CivilDate
    /// The time of day.
    public let time: CivilTime

    /// Creates a wall-clock time from a day and a time of day.
    public init(date: CivilDate, time: CivilTime) {
        self.date = date
        self.time = time
    }

    /// Parses a text without an offset, for example "2026-12-01T18:00" or "2026-12-01 18:00:00".
    ///
    /// - Throws: ``TimeTextError`` if the text is anything else, such as a date without a time.
    public static func parse(_ text: String) throws(TimeTextError) -> WallTime {
        guard case .wall(let wall) = try ISO8601.parse(text) else { throw .notAWallTime(text) }
        return wall
    }

    /// The same time of day `days` days later, or earlier if negative.
    public func adding(days: Int) -> WallTime {
        WallTime(date: date.adding(days: days), time: time)
    }

    /// The wall-clock time `seconds` seconds later, or earlier if negative; clock changes are
    /// ignored.
    public func adding(seconds: Int) -> WallTime {
        WallTime(secondsSince1970: secondsSince1970.addingSaturated(Int64(seconds)))
    }
}

extension WallTime {
    /// Seconds since 1970-01-01T00:00:00 on the same clock.
    public var secondsSince1970: Int64 {
        Int64(date.daysSince1970 * CivilTime.secondsOfDay + time.secondsSinceMidnight)
    }

    /// The wall-clock time `secondsSince1970` seconds after 1970-01-01T00:00:00 on the same clock;
    /// the first or the last second of the calendar if that is out of range.
    public init(secondsSince1970: Int64) {
        let (days, seconds) = secondsSince1970.clamped(to: WallTime.range)
            .dividedFloored(by: Int64(CivilTime.secondsOfDay))
        date = CivilDate(dayNumber: Int(days))
        time = CivilTime(secondOfDay: Int(seconds))
    }
}

extension WallTime {
    /// The seconds since 1970 of all times from the first to the last second of the calendar.
    static let range: ClosedRange<Int64> = {
        let secondsOfDay = Int64(CivilTime.secondsOfDay)
        let first = Int64(CivilDate.dayNumbers.lowerBound) * secondsOfDay
        return first...Int64(CivilDate.dayNumbers.upperBound + 1) * secondsOfDay - 1
    }()
}

extension WallTime: Comparable {
    /// Earlier times on the same clock come first.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        (left.date, left.time) < (right.date, right.time)
    }
}

extension WallTime: CustomStringConvertible {
    /// The ISO 8601 form, for example "2026-12-01T18:00:00".
    public var description: String {
        var text = DigitText()
        text.append(self)
        return text.string
    }
}

/// Encodes the wall-clock time as its text.
extension WallTime: Codable {
    /// Parses the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try WallTime.parse(try container.decode(String.self))
        } catch let error as TimeTextError {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: error.message)
        }
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
