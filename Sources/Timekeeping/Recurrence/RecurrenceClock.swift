/// Turns times on the wall of a zone into moments, fast where one follows the other.
struct RecurrenceClock: Sendable {
    private let zone: Zone?
    /// Whether only days count.
    private let isOfWholeDays: Bool
    private var offset: Int64 = 0
    /// The times on the wall, in seconds since 1970, that have this offset and no other.
    private var plain: Range<Int64> = .min ..< .max

    /// A day before and after the clocks are set, all are looked at one by one.
    private static let marginSeconds: Int64 = 86_400

    /// - Parameters:
    ///   - zone: whose clocks; `nil` for those of whoever reads it, where moments are as on the
    ///     wall.
    ///   - isOfWholeDays: whether the time of day means nothing.
    init(_ zone: Zone?, isOfWholeDays: Bool) {
        self.zone = zone
        self.isOfWholeDays = isOfWholeDays
        if let zone { look(around: 0, in: zone) }
    }

    /// The second since 1970 UTC that is meant by a time on the wall, and what the wall shows then:
    /// another time where the one that is meant is skipped.
    mutating func reading(of wall: Int64) -> (second: Int64, shown: Int64) {
        if plain.contains(wall) { return (wall - offset, wall) }
        guard let zone else { return (wall, wall) }
        let second = zone.moment(of: WallTime(secondsSince1970: wall)).seconds
        look(around: second, in: zone)
        return (second, second + offset)
    }

    /// Whether the clocks go on evenly from the moment at which they first show one time until they
    /// show another one.
    mutating func isEven(through times: ClosedRange<Int64>) -> Bool {
        let (second, shown) = reading(of: times.lowerBound)
        guard let zone else { return true }
        let stretch = zone.stretch(at: second)
        return shown == times.lowerBound
            && second + times.upperBound - times.lowerBound < stretch.end
    }

    /// Whether clocks stay as they are for ever.
    var isNeverSet: Bool { plain == .min ..< .max }

    /// What the wall shows at a second since 1970 UTC, which the calendar may not have.
    func wall(at second: Int64) -> Int64 {
        guard let zone else { return second }
        return second.addingSaturated(Int64(zone.offsetSeconds(at: Moment(seconds: second))))
    }

    /// The time on the wall that a stamp means.
    func wall(of stamp: CalendarStamp) -> Int64 {
        let seconds =
            switch stamp {
            case .day(let date): Int64(date.daysSince1970 * CivilTime.secondsOfDay)
            case .wall(let wall): wall.secondsSince1970
            case .utc(let moment): wall(at: moment.seconds)
            }
        return isOfWholeDays ? Self.day(of: seconds) * Int64(CivilTime.secondsOfDay) : seconds
    }

    /// The second since 1970 UTC that a stamp means.
    mutating func second(of stamp: CalendarStamp) -> Int64 {
        if case .utc(let moment) = stamp, zone != nil { return moment.seconds }
        return reading(of: wall(of: stamp)).second
    }

    /// The number since 1970 of the day of a time on the wall.
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
