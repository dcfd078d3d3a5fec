/// A point on the time line: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not
/// counted.
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

    /// The first moment there is.
    public static let earliest = Moment(milliseconds: .min)

    /// The moment so many milliseconds after the start of 1970, UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The moment so many seconds after the start of 1970, UTC; the nearest moment there is when
    /// that is too far away for milliseconds.
    public init(seconds: Int64) {
        milliseconds = seconds.multipliedSaturated(by: 1000)
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 { milliseconds.dividedFloored(by: 1000).quotient }

    /// The moment so many milliseconds later, or earlier when negative.
    public func advanced(byMilliseconds span: Int64) -> Moment {
        Moment(milliseconds: milliseconds.addingSaturated(span))
    }

    /// The moment so many seconds later, or earlier when negative.
    public func advanced(bySeconds span: Int64) -> Moment {
        advanced(byMilliseconds: span.multipliedSaturated(by: 1000))
    }

    /// How many milliseconds after `other` this moment is; negative when it is before it.
    public func milliseconds(since other: Moment) -> Int64 {
        milliseconds.subtractingSaturated(other.milliseconds)
    }

    /// Earlier moments come first.
    public static func < (left: Moment, right: Moment) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// Coded as one number, the milliseconds.
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
