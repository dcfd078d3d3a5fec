/// A span as people and calendars count it: days on the clock of the wall, and an exact part.
///
/// "1d" before a meeting is the same time on the day before, also when the clocks change in
/// between; "24h" before it is exactly 24 hours (RFC 5545 section 3.3.6: days and weeks are
/// nominal, hours and less are exact).
///
/// ```swift
/// let span = try TimeSpan.parse("1d12h")
/// span.iso == "P1DT12H"
/// span.before(start, in: zone)
/// ```
public struct TimeSpan: Hashable, Sendable {
    /// The most days of a span, a hundred years.
    public static let daysMax = 36_525
    /// The most exact seconds of a span, a hundred years.
    public static let secondsMax = daysMax * CivilTime.secondsOfDay
    /// No time at all.
    public static let zero = TimeSpan(days: 0, seconds: 0)

    /// Days on the clock of the wall, from 0 to ``daysMax``. A week is seven of them.
    public let days: Int
    /// Exact seconds, from 0 to ``secondsMax``.
    public let seconds: Int

    /// A span of so many days and seconds, each taken to the nearest end of its range when it is
    /// outside.
    public init(days: Int, seconds: Int) {
        self.days = days.clamped(to: 0...TimeSpan.daysMax)
        self.seconds = seconds.clamped(to: 0...TimeSpan.secondsMax)
    }
}

extension TimeSpan {
    /// The moment this long before `start`: so many days back on the clock of the wall, then the
    /// exact part. A wall time on the way that is skipped or occurs twice is taken as
    /// ``Zone/moment(of:)`` takes it.
    public func before(_ start: WallTime, in zone: Zone) -> Moment {
        zone.moment(of: start.adding(days: -days)).advanced(bySeconds: -Int64(seconds))
    }

    /// The moment this long after `start`: so many days on by the clock of the wall, then the
    /// exact part.
    public func after(_ start: WallTime, in zone: Zone) -> Moment {
        zone.moment(of: start.adding(days: days)).advanced(bySeconds: Int64(seconds))
    }

    /// The moment this long after another, exact also where the clock shows `start` twice.
    public func after(_ start: Moment, in zone: Zone) -> Moment {
        guard days > 0 else { return start.advanced(bySeconds: Int64(seconds)) }
        return after(zone.wallTime(at: start), in: zone)
            .advanced(byMilliseconds: start.milliseconds.dividedFloored(by: 1000).remainder)
    }
}

extension TimeSpan {
    /// The span as ISO 8601 writes it: "PT1H30M", "P1D", "P1DT12H", "P2W" where it is whole weeks,
    /// "PT0S" where it is nothing.
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

/// Coded as its ISO 8601 text.
extension TimeSpan: Codable {
    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try TimeSpan.parse(try container.decode(String.self))
        } catch let error as TimeTextError {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: error.message)
        }
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso)
    }
}
