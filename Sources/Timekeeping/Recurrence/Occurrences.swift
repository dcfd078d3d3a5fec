/// The occurrences of a ``Recurrence``, in the order of time, laid out one by one.
public struct Occurrences: IteratorProtocol, Sendable {
    /// An occurrence by the rule, and before which second none comes any more.
    private struct Ahead {
        let occurrence: Occurrence
        let earliest: Int64

        /// Whether it comes before all that follow it.
        var isReady: Bool { occurrence.seconds <= earliest }
    }

    private var clock: RecurrenceClock
    private var walk: RuleWalk?
    /// How many of the rule were left out one by one.
    public private(set) var leftOut = 0
    /// After so many of them in a row nothing more comes.
    private static let leftOutMax = 10_000_000
    private var end: RecurrenceEnd
    private let exceptions: RecurrenceExceptions
    private let shifts: RecurrenceShifts
    private let isFloating: Bool
    /// The seconds that the calendar has, on the wall and in UTC: nothing is outside of it.
    private let calendar = WallTime.range
    /// The next one by the rule.
    private var ahead: Ahead?
    /// Others that are known.
    private var waiting = WaitingOccurrences()
    /// The last one that was returned.
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

    /// More than clocks differ from UTC and than they skip, in seconds.
    private static let skipSlack = 2 * CivilTime.secondsOfDay

    /// What names the same occurrence twice is meant once, as it was said last.
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

    /// The next one; `nil` when there is none.
    public mutating func next() -> Occurrence? {
        while let occurrence = nextFound() {
            // The rule and what is added to it may name one twice. Two that were moved onto one
            // moment are two.
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

    private mutating func nextByRule() -> Ahead? {
        let leftOutMax = leftOut + Self.leftOutMax
        while !end.isReached, leftOut < leftOutMax, let wall = walk?.next() {
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

    /// Leaves out at once what a day has that is left out as a whole, where clocks go on evenly.
    private mutating func leaveDay(of wall: Int64) {
        let mayLeap = !end.isCounting || walk?.countsLeaps == true
        guard mayLeap, exceptions.containsDay(of: wall) else { return }
        let next = (RecurrenceClock.day(of: wall) + 1) * Int64(CivilTime.secondsOfDay)
        if clock.isEven(through: wall...next) { end.count(walk?.leap(before: Int(next)) ?? 0) }
    }

    /// By how much others may come before one that is named before them: what is skipped comes
    /// later than it is named.
    private static func slack(_ wall: Int64, shown: Int64) -> Int64 {
        wall == shown ? 0 : 86_400
    }

    /// What is at a time on the wall by the rule; `nil` where it is left out.
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

    /// What begins at a time on the wall; `nil` where the calendar does not have it.
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
