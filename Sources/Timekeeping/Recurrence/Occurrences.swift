/// The occurrences of a ``Recurrence``, in the order of time, laid out one by one.
public struct Occurrences: IteratorProtocol, Sendable {
    /// An occurrence by the rule, and before which second none comes any more.
    private struct Ahead {
        let occurrence: Occurrence
        let earliest: Int64
    }

    private var clock: RecurrenceClock
    private var walk: RuleWalk?
    private var end: RecurrenceEnd
    private let exceptions: RecurrenceExceptions
    private let shifts: RecurrenceShifts
    private let isFloating: Bool
    /// The next one by the rule.
    private var ahead: Ahead?
    /// Others that are known, the first one last.
    private var waiting: [Occurrence] = []
    /// When the last one began that was returned.
    private var previous: Int64?

    init(_ recurrence: Recurrence) {
        clock = RecurrenceClock(recurrence.zone, isOfWholeDays: recurrence.isOfWholeDays)
        isFloating = recurrence.zone == nil
        exceptions = RecurrenceExceptions(recurrence, &clock)
        shifts = RecurrenceShifts(recurrence, &clock)
        end = RecurrenceEnd(recurrence, clock)
        let start = clock.wall(of: recurrence.start)
        walk = recurrence.rule.map { RuleWalk($0, from: WallTime(secondsSince1970: start)) }
        let single = recurrence.rule == nil ? [recurrence.start] : []
        for stamp in recurrence.additions + single {
            if let found = found(clock.wall(of: stamp)) { waiting.append(found.occurrence) }
        }
        for override in recurrence.overrides {
            guard let start = override.start else { continue }
            waiting.append(
                occurrence(clock.wall(of: start), original: clock.wall(of: override.original)))
        }
        waiting.sort { $0.seconds > $1.seconds }
    }

    /// The next one; `nil` when there is none.
    public mutating func next() -> Occurrence? {
        while let occurrence = nextFound() {
            // A moment may be named twice.
            guard occurrence.seconds != previous else { continue }
            previous = occurrence.seconds
            return occurrence
        }
        return nil
    }

    private mutating func nextFound() -> Occurrence? {
        while true {
            if ahead == nil { ahead = nextByRule() }
            guard let candidate = ahead else { return waiting.popLast() }
            if let first = waiting.last, first.seconds <= candidate.earliest {
                return waiting.popLast()
            }
            ahead = nil
            put(candidate.occurrence)
        }
    }

    private mutating func nextByRule() -> Ahead? {
        while !end.isReached, let wall = walk?.next() {
            let second = clock.reading(of: Int64(wall)).second
            guard end.takes(second: second, wall: Int64(wall)), !shifts.endAll(at: second) else {
                break
            }
            if let found = found(Int64(wall)) { return found }
        }
        walk = nil
        return nil
    }

    /// What is at a time on the wall by the rule; `nil` where it is left out.
    private mutating func found(_ wall: Int64) -> Ahead? {
        let second = clock.reading(of: wall).second
        guard !exceptions.contains(second: second, wall: wall),
            let shift = shifts.amount(at: second)
        else { return nil }
        let occurrence = occurrence(wall + shift, original: wall)
        // What is skipped comes later than it is named, and others may come before it.
        let isSkipped = occurrence.wallSeconds != wall + shift
        return Ahead(
            occurrence: occurrence,
            earliest: shifts.earliest(from: second) - (isSkipped ? 86_400 : 0))
    }

    private mutating func occurrence(_ wall: Int64, original: Int64) -> Occurrence {
        let (second, shown) = clock.reading(of: wall)
        return Occurrence(
            wallSeconds: shown, seconds: second, originalSeconds: original, isFloating: isFloating)
    }

    private mutating func put(_ occurrence: Occurrence) {
        let place = waiting.lastIndex { $0.seconds > occurrence.seconds }
        waiting.insert(occurrence, at: place.map { $0 + 1 } ?? 0)
    }
}
