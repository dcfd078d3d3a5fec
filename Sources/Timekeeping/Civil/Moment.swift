/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// ```swift
/// let start = try Moment.parse("2026-12-01T18:00:00+02:00")
/// start.utcText == "2026-12-01T16:00:00.000Z"
/// start.advanced(bySeconds: -3600) < start
/// ```
///
/// Arithmetic stops at the ends of `Int64` and never traps.
public struct Moment: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// The earliest possible moment.
    public static let earliest = Moment(milliseconds: .min)

    /// The moment `milliseconds` milliseconds after the start of 1970, UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The moment `seconds` seconds after the start of 1970, UTC; the nearest possible moment if
    /// that is too far away to count in milliseconds.
    public init(seconds: Int64) {
        milliseconds = seconds.multipliedSaturated(by: 1000)
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 { milliseconds.dividedFloored(by: 1000).quotient }

    /// The moment `span` milliseconds later, or earlier if negative.
    public func advanced(byMilliseconds span: Int64) -> Moment {
        Moment(milliseconds: milliseconds.addingSaturated(span))
    }

    /// The moment `span` seconds later, or earlier if negative.
    public func advanced(bySeconds span: Int64) -> Moment {
        advanced(byMilliseconds: span.multipliedSaturated(by: 1000))
    }

    /// The milliseconds from `other` to this moment; negative if this moment is earlier.
    public func milliseconds(since other: Moment) -> Int64 {
        milliseconds.subtractingSaturated(other.milliseconds)
    }

    /// Earlier moments come first.
    public static func < (left: Moment, right: Moment) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// Encodes the moment as one number: its milliseconds.
extension Moment: Codable {
    /// Reads the milliseconds.
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Moment: CustomStringConvertible {
    /// The same as ``utcText``.
    public var description: String { utcText }
}
