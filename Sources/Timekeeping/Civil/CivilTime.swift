/// A time of day on a clock of 24 hours, without a zone.
public struct CivilTime: Hashable, Sendable {
    /// Seconds in a day of the clock.
    public static let secondsOfDay = 86_400
    /// 00:00, where a day begins.
    public static let midnight = CivilTime(secondOfDay: 0)
    /// 12:00.
    public static let noon = CivilTime(secondOfDay: 43_200)

    /// Seconds from 00:00, in `0..<secondsOfDay`.
    public let secondsSinceMidnight: Int

    /// The time with these numbers.
    ///
    /// - Throws: ``CivilError`` naming the first number that is out of range.
    public init(hour: Int, minute: Int, second: Int = 0) throws(CivilError) {
        guard (0...23).contains(hour) else { throw .hourOutOfRange(hour) }
        guard (0...59).contains(minute) else { throw .minuteOutOfRange(minute) }
        guard (0...59).contains(second) else { throw .secondOutOfRange(second) }
        secondsSinceMidnight = hour * 3600 + minute * 60 + second
    }

    /// The time so many seconds after 00:00, or nil unless that is in the same day.
    public init?(secondsSinceMidnight seconds: Int) {
        guard (0..<CivilTime.secondsOfDay).contains(seconds) else { return nil }
        self.init(secondOfDay: seconds)
    }

    /// For seconds that are a remainder of ``secondsOfDay``.
    init(secondOfDay: Int) {
        secondsSinceMidnight = secondOfDay
    }

    /// From 0 to 23.
    public var hour: Int { secondsSinceMidnight / 3600 }
    /// From 0 to 59.
    public var minute: Int { secondsSinceMidnight / 60 % 60 }
    /// From 0 to 59.
    public var second: Int { secondsSinceMidnight % 60 }
}

extension CivilTime: Comparable {
    /// Earlier times come first.
    public static func < (left: CivilTime, right: CivilTime) -> Bool {
        left.secondsSinceMidnight < right.secondsSinceMidnight
    }
}

extension CivilTime: CustomStringConvertible {
    /// As "18:00:00".
    public var description: String {
        var text = DigitText()
        text.append(self)
        return text.string
    }

    /// As "18:00", with the seconds only where there are some.
    public var shortText: String {
        var text = DigitText()
        text.append(hour, width: 2)
        text.append(":")
        text.append(minute, width: 2)
        return second == 0 ? text.string : description
    }
}
