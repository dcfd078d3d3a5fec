/// An iterator over the occurrences of a ``Recurrence``, in order of time.
public struct Occurrences: IteratorProtocol, Sendable {
    /// An occurrence of the rule, and the earliest second at which a later one can begin.
    private struct Ahead {
        let occurrence: Occurrence
        let earliest: Int64

        /// True if it begins before all occurrences that follow it.
        var isReady: Bool { occurrence.seconds <= earliest }
    }

    private var clock: RecurrenceClock
    private var walk: RuleWalk?
    /// The number of occurrences of the rule that were left out one by one.
    public private(set) var leftOut = 0
    /// The number of steps of the rule without an occurrence so far.
    public private(set) var emptySteps = 0
    /// The maximum number of occurrences that are left out in a row; after that the rule ends.
    private static let leftOutMax = 10_000_000
    private var end: RecurrenceEnd
    private let exceptions: RecurrenceExceptions
    private let shifts: RecurrenceShifts
    private let isFloating: Bool
    /// The seconds that the calendar covers, in wall-clock time and in UTC. Nothing is outside of
    /// it.
    private let calendar = WallTime.range
    /// The next occurrence of the rule.
    private var ahead: Ahead?
    /// Other occurrences that are already known.
    private var waiting = WaitingOccurrences()
    /// The occurrence that was returned last.
    private var previous: Occurrence?

    init(_ recurrence: Recurrence, since: Moment? = nil) {
        clock = RecurrenceClock(recurrence.zone, isOfWholeDays: recurrence.isOfWholeDays)
        isFloating = recurrence.zone == nil
        let overrides = Self.lastOverrides(of: recurrence, &clock)
        exceptions = RecurrenceExceptions(recurrence.exceptions, overrides, &clock)
        shifts = RecurrenceShifts(overrides, &clock)
        end = RecurrenceEnd(recurrence, clock)
        let start = clock.wall(of: recurrence.start)
        if let rule = recurrence.rule, calendar.contains(start) {
            var walk = RuleWalk(rule, from: WallTime(secondsSince1970: start))
            if let since, !end.isCounting || walk.isEven,
                !overrides.contains(where: \.isOfFollowing)
            {
                end.count(walk.skip(before: Int(since.seconds) - Self.skipSlack))
            }
            self.walk = walk
        }
        if recurrence.rule == nil { add(recurrence.start) }
        for addition in recurrence.additions { add(addition) }
        for override in overrides {
            guard let start = override.start else { continue }
            let original = clock.wall(of: override.original)
            let named = clock.second(of: override.original)
            if let moved = occurrence(clock.wall(of: start), original: original, named: named) {
                waiting.insert(moved)
            }
        }
    }

    private mutating func add(_ stamp: CalendarStamp) {
        if let found = found(clock.wall(of: stamp)) { waiting.insert(found.occurrence) }
    }

    /// More seconds than any UTC offset or any skipped time has.
    private static let skipSlack = 2 * CivilTime.secondsOfDay

    /// The overrides without repetitions: if several name the same occurrence, the last one counts.
    private static func lastOverrides(
        of recurrence: Recurrence, _ clock: inout RecurrenceClock
    ) -> [Recurrence.Override] {
        guard recurrence.overrides.count > 1 else { return recurrence.overrides }
        var last: [Int64: Recurrence.Override] = [:]
        for override in recurrence.overrides {
            last[clock.second(of: override.original)] = override
        }
        return Array(last.values)
    }

    /// The next occurrence; `nil` if there is none.
    public mutating func next() -> Occurrence? {
        while let occurrence = nextFound() {
            // The rule and an addition may name the same occurrence; it is returned once. Two
            // occurrences that were moved to the same moment stay two.
            if let previous, previous.namedSeconds == occurrence.namedSeconds,
                previous.seconds == occurrence.seconds
            {
                continue
            }
            previous = occurrence
            return occurrence
        }
        return nil
    }

    private mutating func nextFound() -> Occurrence? {
        while true {
            guard let candidate = ahead ?? nextByRule() else { return waiting.popFirst() }
            ahead = nil
            if let first = waiting.first {
                let isFirst =
                    candidate.isReady
                    ? !candidate.occurrence.comes(before: first)
                    : first.seconds < candidate.earliest
                if isFirst {
                    ahead = candidate
                    return waiting.popFirst()
                }
            }
            if candidate.isReady { return candidate.occurrence }
            waiting.insert(candidate.occurrence)
        }
    }

    /// Takes the next time that the rule gives, and counts the steps without one.
    private mutating func nextOfWalk() -> Int? {
        let known = walk?.emptySteps ?? 0
        defer { emptySteps += (walk?.emptySteps ?? 0) - known }
        return walk?.next()
    }

    private mutating func nextByRule() -> Ahead? {
        let leftOutMax = leftOut + Self.leftOutMax
        while !end.isReached, leftOut < leftOutMax, let wall = nextOfWalk() {
            let wall = Int64(wall)
            let reading = clock.reading(of: wall)
            let following = reading.second - Self.slack(wall, shown: reading.shown)
            guard !end.isOver(second: following, wall: wall), !shifts.endAll(at: following) else {
                break
            }
            guard !end.isOver(second: reading.second, wall: wall) else { continue }
            end.count()
            if let found = found(wall, reading) {
                guard found.earliest <= calendar.upperBound else { break }
                return found
            }
            leftOut += 1
            leaveDay(of: wall)
        }
        walk = nil
        return nil
    }

    /// Skips the rest of a day at once if the whole day is left out and the offset does not change
    /// during that day.
    private mutating func leaveDay(of wall: Int64) {
        let mayLeap = !end.isCounting || walk?.countsLeaps == true
        guard mayLeap, exceptions.containsDay(of: wall) else { return }
        let next = (RecurrenceClock.day(of: wall) + 1) * Int64(CivilTime.secondsOfDay)
        if clock.isEven(through: wall...next) { end.count(walk?.leap(before: Int(next)) ?? 0) }
    }

    /// The seconds by which a later occurrence may begin before this one: an occurrence at a
    /// skipped time begins later than its named time.
    private static func slack(_ wall: Int64, shown: Int64) -> Int64 {
        wall == shown ? 0 : 86_400
    }

    /// The occurrence of the rule at a wall-clock time; `nil` if it is left out.
    private mutating func found(_ wall: Int64) -> Ahead? {
        found(wall, clock.reading(of: wall))
    }

    private mutating func found(
        _ wall: Int64, _ reading: (second: Int64, shown: Int64)
    ) -> Ahead? {
        guard !exceptions.contains(second: reading.second, shown: reading.shown),
            let shift = shifts.amount(at: reading.second),
            let occurrence = occurrence(wall + shift, original: wall, named: reading.second)
        else { return nil }
        let slack = max(
            Self.slack(wall, shown: reading.shown),
            Self.slack(wall + shift, shown: occurrence.wallSeconds))
        return Ahead(
            occurrence: occurrence, earliest: shifts.earliest(from: reading.second) - slack)
    }

    /// The occurrence that begins at a wall-clock time; `nil` if the calendar does not cover it.
    private mutating func occurrence(
        _ wall: Int64, original: Int64, named: Int64
    ) -> Occurrence? {
        guard calendar.contains(wall) else { return nil }
        let (second, shown) = clock.reading(of: wall)
        guard calendar.contains(second), calendar.contains(shown) else { return nil }
        return Occurrence(
            wallSeconds: shown, seconds: second, originalSeconds: original, namedSeconds: named,
            isFloating: isFloating)
    }
}
