/// Up to when a rule goes on.
struct RecurrenceEnd: Sendable {
    /// How many more occurrences it has.
    private var left = Int.max
    /// The last second on the wall.
    private var wallMax = Int64.max
    /// The last second since 1970 UTC.
    private var secondMax = Int64.max

    init(_ recurrence: Recurrence, _ clock: RecurrenceClock) {
        switch recurrence.rule?.end {
        case .count(let count)?: left = count
        case .until(.utc(let moment))? where recurrence.zone != nil: secondMax = moment.seconds
        case .until(let stamp)?:
            wallMax = clock.wall(of: stamp)
            if case .day = stamp { wallMax += Int64(CivilTime.secondsOfDay) - 1 }
        default: break
        }
    }

    /// Whether all have been counted.
    var isReached: Bool { left == 0 }

    /// Counts an occurrence of the rule.
    ///
    /// - Returns: whether it is one; nothing comes after one that is not.
    mutating func takes(second: Int64, wall: Int64) -> Bool {
        guard left > 0, wall <= wallMax, second <= secondMax else { return false }
        left -= 1
        return true
    }
}
