/// The end of a rule.
struct RecurrenceEnd: Sendable {
    /// The number of occurrences that remain.
    private var left = Int.max
    /// The last wall-clock second.
    private var wallMax = Int64.max
    /// The last second since 1970 UTC.
    private var secondMax = Int64.max

    /// True if the end is a number of occurrences.
    let isCounting: Bool

    init(_ recurrence: Recurrence, _ clock: RecurrenceClock) {
        isCounting = if case .count? = recurrence.rule?.end { true } else { false }
        switch recurrence.rule?.end {
        case .count(let count)?: left = count
        case .until(let stamp)?: end(at: stamp, recurrence, clock)
        default: break
        }
        if let limit = recurrence.rule?.limit { end(at: limit, recurrence, clock) }
    }

    private mutating func end(
        at stamp: CalendarStamp, _ recurrence: Recurrence, _ clock: RecurrenceClock
    ) {
        if case .utc(let moment) = stamp, recurrence.zone != nil {
            secondMax = moment.seconds
            return
        }
        wallMax = clock.wall(of: stamp)
        if case .day = stamp { wallMax += Int64(CivilTime.secondsOfDay) - 1 }
    }

    /// True if all occurrences have been counted.
    var isReached: Bool { left == 0 }

    /// True if a time is after the end.
    func isOver(second: Int64, wall: Int64) -> Bool { wall > wallMax || second > secondMax }

    /// Counts occurrences of the rule.
    mutating func count(_ number: Int = 1) { left = max(0, left - number) }
}
