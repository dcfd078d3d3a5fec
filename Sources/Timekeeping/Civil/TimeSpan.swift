/// A length of time as people and calendars count it: wall-clock days plus an exact part.
///
/// "1d" before a meeting is the same wall-clock time on the day before, even if the clocks change
/// in between; "24h" before it is exactly 24 hours (RFC 5545 section 3.3.6: days and weeks are
/// nominal, hours and smaller units are exact).
///
/// ```swift
/// let span = try TimeSpan.parse("1d12h")
/// span.iso == "P1DT12H"
/// span.before(start, in: zone)
/// ```
public struct TimeSpan: Hashable, Sendable {
    /// The maximum number of days: a hundred years.
    public static let daysMax = 36_525
    /// The maximum number of exact seconds: a hundred years.
    public static let secondsMax = daysMax * CivilTime.secondsOfDay
    /// A length of zero.
    public static let zero = TimeSpan(days: 0, seconds: 0)

    /// Wall-clock days, from 0 to ``daysMax``. A week is seven days.
    public let days: Int
    /// Exact seconds, from 0 to ``secondsMax``.
    public let seconds: Int

    /// Creates a length of time. Values outside of their range are clamped to it.
    public init(days: Int, seconds: Int) {
        self.days = days.clamped(to: 0...TimeSpan.daysMax)
        self.seconds = seconds.clamped(to: 0...TimeSpan.secondsMax)
    }
}

extension TimeSpan {
    /// The moment this long before `start`: first the days back on the wall clock, then the exact
    /// part. If the wall-clock time in between is skipped or occurs twice, ``Zone/moment(of:)``
    /// decides its moment.
    public func before(_ start: WallTime, in zone: Zone) -> Moment {
        zone.moment(of: start.adding(days: -days)).advanced(bySeconds: -Int64(seconds))
    }

    /// The moment this long after `start`: first the days forward on the wall clock, then the exact
    /// part.
    public func after(_ start: WallTime, in zone: Zone) -> Moment {
        zone.moment(of: start.adding(days: days)).advanced(bySeconds: Int64(seconds))
    }

    /// The moment this long after another; exact even if the wall clock shows the time of `start`
    /// twice.
    public func after(_ start: Moment, in zone: Zone) -> Moment {
        guard days > 0 else { return start.advanced(bySeconds: Int64(seconds)) }
        return after(zone.wallTime(at: start), in: zone)
            .advanced(byMilliseconds: start.milliseconds.dividedFloored(by: 1000).remainder)
    }
}

extension TimeSpan {
    /// The ISO 8601 form: "PT1H30M", "P1D", "P1DT12H", "P2W" for whole weeks, "PT0S" for zero.
    public var iso: String {
        guard self != .zero else { return "PT0S" }
        guard days == 0 || days % 7 != 0 || seconds > 0 else { return "P\(days / 7)W" }
        let parts = [(seconds / 3600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
        let exact = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return (days > 0 ? "P\(days)D" : "P") + (exact.isEmpty ? "" : "T" + exact)
    }
}

extension TimeSpan: CustomStringConvertible {
    /// The same as ``iso``.
    public var description: String { iso }
}

/// Encodes the length of time as its ISO 8601 text.
extension TimeSpan: Codable {
    /// Parses the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try TimeSpan.parse(try container.decode(String.self))
        } catch let error as TimeTextError {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: error.message)
        }
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso)
    }
}
