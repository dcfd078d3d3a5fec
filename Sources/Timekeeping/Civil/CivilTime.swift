/// A time of day on a 24-hour clock, without a time zone.
public struct CivilTime: Hashable, Sendable {
    /// The number of seconds in a day.
    public static let secondsOfDay = 86_400
    /// 00:00, the start of a day.
    public static let midnight = CivilTime(secondOfDay: 0)
    /// 12:00.
    public static let noon = CivilTime(secondOfDay: 43_200)

    /// 23:59, which stands for the end of a day.
    public static let lastMinute = CivilTime(secondOfDay: 86_340)

    /// Seconds from 00:00, in `0..<secondsOfDay`.
    public let secondsSinceMidnight: Int

    /// Creates the time with these numbers.
    ///
    /// - Throws: ``CivilError``, which names the first number that is out of range.
    public init(hour: Int, minute: Int, second: Int = 0) throws(CivilError) {
        guard (0...23).contains(hour) else { throw .hourOutOfRange(hour) }
        guard (0...59).contains(minute) else { throw .minuteOutOfRange(minute) }
        guard (0...59).contains(second) else { throw .secondOutOfRange(second) }
        secondsSinceMidnight = hour * 3600 + minute * 60 + second
    }

    /// The time `seconds` seconds after 00:00; nil if that is not within the same day.
    public init?(secondsSinceMidnight seconds: Int) {
        guard (0..<CivilTime.secondsOfDay).contains(seconds) else { return nil }
        self.init(secondOfDay: seconds)
    }

    /// Creates a time from seconds that are already in `0..<secondsOfDay`.
    init(secondOfDay: Int) {
        secondsSinceMidnight = secondOfDay
    }

    /// True for ``lastMinute`` and its seconds.
    public var isLastMinute: Bool { self >= Self.lastMinute }
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
    /// The time with seconds, for example "18:00:00".
    public var description: String {
        var text = DigitText()
        text.append(self)
        return text.string
    }

    /// The time for people, for example "18:00"; with seconds only if they are not 0.
    public var shortText: String {
        var text = DigitText()
        text.append(hour, width: 2)
        text.append(":")
        text.append(minute, width: 2)
        return second == 0 ? text.string : description
    }
}
