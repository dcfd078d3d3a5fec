/// One way in which the clocks of a zone are set, what RFC 8536 calls a local time type: winter
/// time, summer time, or what was law before.
public struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC; negative to the west.
    public let offsetSeconds: Int
    /// Whether the zone calls it daylight saving time. Ireland does so in winter.
    public let isDaylight: Bool
    /// What people call it, as "EET", or its offset where they have no name, as "+03".
    public let abbreviation: String

    /// RFC 8536 section 3.2 has offsets lie in this range.
    static let offsetSecondsRange = -89_999...93_599
}

/// A moment at which the clocks of a zone are set anew.
public struct ZoneTransition: Hashable, Sendable {
    /// The first moment of the new setting.
    public let moment: Moment
    /// How the clocks were set until then.
    public let before: LocalTimeType
    /// How they are set from then on.
    public let after: LocalTimeType
}

/// A stretch of the time line in which the clocks of a zone are not touched, in seconds since 1970
/// UTC: from `start` up to, but not including, `end`. The ends of `Int64` stand for "always".
struct Stretch {
    let start: Int64
    let end: Int64
    let type: LocalTimeType
}
