/// A converter from wall-clock times of a zone to moments. It is fast for consecutive times.
struct RecurrenceClock: Sendable {
    private let zone: Zone?
    /// True if only days count.
    private let isOfWholeDays: Bool
    private var offset: Int64 = 0
    /// The wall-clock times, in seconds since 1970, that have this offset and no other.
    private var plain: Range<Int64> = .min ..< .max

    /// The margin around a clock change within which every time is looked up, in seconds: one day.
    private static let marginSeconds: Int64 = 86_400

    /// - Parameters:
    ///   - zone: the time zone; `nil` for the time zone of the reader, in which moments equal
    ///     wall-clock times.
    ///   - isOfWholeDays: true if the time of day has no meaning.
    init(_ zone: Zone?, isOfWholeDays: Bool) {
        self.zone = zone
        self.isOfWholeDays = isOfWholeDays
        if let zone { look(around: 0, in: zone) }
    }

    /// The second since 1970 UTC of a wall-clock time, and the wall-clock time at that second,
    /// which is a different one if the given time is skipped.
    mutating func reading(of wall: Int64) -> (second: Int64, shown: Int64) {
        if plain.contains(wall) { return (wall - offset, wall) }
        guard let zone else { return (wall, wall) }
        let second = zone.moment(of: WallTime(secondsSince1970: wall)).seconds
        look(around: second, in: zone)
        return (second, second + offset)
    }

    /// True if the offset does not change from the moment of the first wall-clock time up to the
    /// second one.
    mutating func isEven(through times: ClosedRange<Int64>) -> Bool {
        let (second, shown) = reading(of: times.lowerBound)
        guard let zone else { return true }
        let stretch = zone.stretch(at: second)
        return shown == times.lowerBound
            && second + times.upperBound - times.lowerBound < stretch.end
    }

    /// True if the offset never changes.
    var isNeverSet: Bool { plain == .min ..< .max }

    /// The wall-clock time at a second since 1970 UTC, which may be outside of the calendar.
    func wall(at second: Int64) -> Int64 {
        guard let zone else { return second }
        return second.addingSaturated(Int64(zone.offsetSeconds(at: Moment(seconds: second))))
    }

    /// The wall-clock time of a stamp.
    func wall(of stamp: CalendarStamp) -> Int64 {
        let seconds =
            switch stamp {
            case .day(let date): Int64(date.daysSince1970 * CivilTime.secondsOfDay)
            case .wall(let wall): wall.secondsSince1970
            case .utc(let moment): wall(at: moment.seconds)
            }
        return isOfWholeDays ? Self.day(of: seconds) * Int64(CivilTime.secondsOfDay) : seconds
    }

    /// The second since 1970 UTC of a stamp.
    mutating func second(of stamp: CalendarStamp) -> Int64 {
        if case .utc(let moment) = stamp, zone != nil { return moment.seconds }
        return reading(of: wall(of: stamp)).second
    }

    /// The day number since 1970 of a wall-clock time.
    static func day(of wall: Int64) -> Int64 {
        wall.dividedFloored(by: Int64(CivilTime.secondsOfDay)).quotient
    }

    private mutating func look(around second: Int64, in zone: Zone) {
        let stretch = zone.stretch(at: second)
        offset = Int64(stretch.type.offsetSeconds)
        let lower = stretch.start == .min ? .min : stretch.start + offset + Self.marginSeconds
        let upper = stretch.end == .max ? .max : stretch.end + offset - Self.marginSeconds
        plain = lower..<max(lower, upper)
    }
}
