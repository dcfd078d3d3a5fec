/// A setting of the clocks in a time zone, called a local time type in RFC 8536: winter time,
/// summer time, or a setting of earlier law.
public struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC; negative to the west.
    public let offsetSeconds: Int
    /// True if the time zone calls it daylight saving time. Ireland uses that name for its winter
    /// time.
    public let isDaylight: Bool
    /// The abbreviation that people use, for example "EET"; if there is none, the offset, for
    /// example "+03".
    public let abbreviation: String

    /// The offsets that RFC 8536 section 3.2 allows.
    static let offsetSecondsRange = -89_999...93_599
}

/// A moment at which the clocks of a time zone change.
public struct ZoneTransition: Hashable, Sendable {
    /// The first moment of the new setting.
    public let moment: Moment
    /// The setting before that moment.
    public let before: LocalTimeType
    /// The setting from that moment on.
    public let after: LocalTimeType
}

/// A period in which the clocks of a time zone do not change, in seconds since 1970 UTC: from
/// `start` up to, but not including, `end`. The limits of `Int64` stand for "always".
struct Stretch {
    let start: Int64
    let end: Int64
    let type: LocalTimeType
}
