/// Something that recurs: a start, a rule, and what is added to it, left out of it and moved.
///
/// ```swift
/// let meetings = try Recurrence(
///     start: .wall(WallTime.parse("2026-12-01T18:00")), in: zone,
///     rule: RecurrenceRule("FREQ=WEEKLY"))
/// for occurrence in meetings.prefix(20) { print(occurrence.wall) }
/// ```
///
/// Occurrences come in the order of time, each once, as many as are asked for: most rules have no
/// end. One that is moved onto the time of another is one beside it. A time that comes twice on the
/// clocks means the first, and one that is skipped is read with the offset from before the gap
/// (RFC 5545, 3.3.5).
public struct Recurrence: Hashable, Sendable {
    /// One occurrence that is not as the rule says, or all from one on (RFC 5545, 3.8.4.4).
    public struct Override: Hashable, Sendable {
        /// When it would begin by the rule (RECURRENCE-ID).
        public let original: CalendarStamp
        /// When it begins; `nil` for one that is off.
        public let start: CalendarStamp?
        /// Whether those after it are as much earlier or later, or off as well.
        public let isOfFollowing: Bool

        /// Describes one.
        public init(
            _ original: CalendarStamp, start: CalendarStamp?, isOfFollowing: Bool = false
        ) {
            self.original = original
            self.start = start
            self.isOfFollowing = isOfFollowing
        }
    }

    /// When it begins first; a day recurs by whole days.
    public let start: CalendarStamp
    /// By whose clocks; `nil` for the clocks of whoever reads it.
    public let zone: Zone?
    /// The rule; without it the start and what is added are all.
    public let rule: RecurrenceRule?
    /// What is added (RDATE).
    public var additions: [CalendarStamp] = []
    /// What is left out (EXDATE); a day leaves out all that begins on it.
    public var exceptions: [CalendarStamp] = []
    /// What is otherwise than by the rule.
    public var overrides: [Override] = []

    /// Something that begins at `start`. Whole days are by nobody's clocks, and a start in UTC is
    /// read by the clocks of the zone, or of UTC where there is none.
    ///
    /// - Throws: ``RecurrenceFault`` for a rule by which a whole day would recur within the day.
    public init(
        start: CalendarStamp, in zone: Zone?, rule: RecurrenceRule?
    ) throws(RecurrenceFault) {
        var rule = rule
        if case .day = start {
            guard rule.map({ $0.frequency >= .daily }) ?? true else {
                throw RecurrenceFault("FREQ", "a whole day recurs by steps of a day or longer")
            }
            // They mean nothing there, and programs write them all the same.
            rule?.hours = []
            rule?.minutes = []
            rule?.seconds = []
            self.zone = nil
        } else if case .utc = start {
            self.zone = zone ?? .utc
        } else {
            self.zone = zone
        }
        self.start = start
        self.rule = rule
    }

    /// Whether it recurs by whole days.
    public var isOfWholeDays: Bool {
        if case .day = start { true } else { false }
    }
}

extension Recurrence: Sequence {
    /// Begins with the first.
    public func makeIterator() -> Occurrences { Occurrences(self) }

    /// Those that begin at a moment or later, and perhaps some before it: what began decades ago
    /// is not laid out from there, unless its rule counts days that it picks.
    public func occurrences(since moment: Moment) -> Occurrences {
        Occurrences(self, since: moment)
    }
}

/// One time at which something that recurs happens.
public struct Occurrence: Hashable, Sendable {
    /// What its clocks show when it begins; midnight for a whole day.
    public var wall: WallTime { WallTime(secondsSince1970: wallSeconds) }
    /// When it begins; `nil` where that depends on whose clocks are asked.
    public var moment: Moment? { isFloating ? nil : Moment(seconds: seconds) }
    /// What the clocks would show at its start by the rule, whatever became of it: that names it.
    public var original: WallTime { WallTime(secondsSince1970: originalSeconds) }

    let wallSeconds: Int64
    /// Since 1970 UTC; of what floats, the same as on the wall.
    let seconds: Int64
    let originalSeconds: Int64
    /// When it would begin by the rule, since 1970 UTC.
    let namedSeconds: Int64
    let isFloating: Bool

    /// Whether it has its turn before another one: of two at once, the one that is so by the rule.
    func comes(before other: Occurrence) -> Bool {
        (seconds, namedSeconds) < (other.seconds, other.namedSeconds)
    }
}
