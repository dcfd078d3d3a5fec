/// A recurring event: a start, a rule, and the additions, exceptions and changes to it.
///
/// ```swift
/// let meetings = try Recurrence(
///     start: .wall(WallTime.parse("2026-12-01T18:00")), in: zone,
///     rule: RecurrenceRule("FREQ=WEEKLY"))
/// for occurrence in meetings.prefix(20) { print(occurrence.wall) }
/// ```
///
/// Occurrences come in order of time, each once, and as many as the caller asks for: most rules
/// have no end. An occurrence that is moved to the time of another one is returned beside it. A
/// wall-clock time that occurs twice means the first one, and a skipped time is read with the
/// offset from before the gap (RFC 5545, 3.3.5).
public struct Recurrence: Hashable, Sendable {
    /// An occurrence that differs from the rule, or all occurrences from one on (RFC 5545,
    /// 3.8.4.4).
    public struct Override: Hashable, Sendable {
        /// The start according to the rule (RECURRENCE-ID).
        public let original: CalendarStamp
        /// The new start; `nil` if the occurrence is cancelled.
        public let start: CalendarStamp?
        /// True if all later occurrences are moved by the same amount, or cancelled as well.
        public let isOfFollowing: Bool

        /// Creates an override.
        public init(
            _ original: CalendarStamp, start: CalendarStamp?, isOfFollowing: Bool = false
        ) {
            self.original = original
            self.start = start
            self.isOfFollowing = isOfFollowing
        }
    }

    /// The first start; for a date, the event recurs by whole days.
    public let start: CalendarStamp
    /// The time zone; `nil` for the time zone of the reader.
    public let zone: Zone?
    /// The rule; without a rule, the start and the additions are the only occurrences.
    public let rule: RecurrenceRule?
    /// Additional occurrences (RDATE).
    public var additions: [CalendarStamp] = []
    /// Occurrences that are left out (EXDATE); a date leaves out all occurrences that begin on it.
    public var exceptions: [CalendarStamp] = []
    /// Occurrences that differ from the rule.
    public var overrides: [Override] = []

    /// Creates a recurring event that begins at `start`. Whole days have no time zone. A start in
    /// UTC is read in `zone`, or in UTC if `zone` is nil.
    ///
    /// - Throws: ``RecurrenceFault`` if the rule would repeat a whole day within the same day.
    public init(
        start: CalendarStamp, in zone: Zone?, rule: RecurrenceRule?
    ) throws(RecurrenceFault) {
        var rule = rule
        if case .day = start {
            guard rule.map({ $0.frequency >= .daily }) ?? true else {
                throw RecurrenceFault(
                    "FREQ", "a whole-day event repeats by days, weeks, months or years")
            }
            rule = rule?.withoutTimes
            self.zone = nil
        } else if case .utc = start {
            self.zone = zone ?? .utc
        } else {
            self.zone = zone
        }
        self.start = start
        self.rule = rule
    }

    /// True if it recurs by whole days.
    public var isOfWholeDays: Bool {
        if case .day = start { true } else { false }
    }
}

extension Recurrence: Sequence {
    /// An iterator that begins with the first occurrence.
    public func makeIterator() -> Occurrences { Occurrences(self) }

    /// The occurrences that begin at a moment or later, possibly preceded by some earlier ones.
    /// Occurrences of past decades are skipped without being computed, unless the rule has a count
    /// and its steps differ in the number of occurrences, or an override applies to all following
    /// ones.
    public func occurrences(since moment: Moment) -> Occurrences {
        Occurrences(self, since: moment)
    }
}

/// One occurrence of a recurring event.
public struct Occurrence: Hashable, Sendable {
    /// The wall-clock time of the start; midnight for a whole day.
    public var wall: WallTime { WallTime(secondsSince1970: wallSeconds) }
    /// The moment of the start; `nil` if it depends on the reader's time zone.
    public var moment: Moment? { isFloating ? nil : Moment(seconds: seconds) }
    /// The wall-clock time of the start according to the rule, whatever changed since. It
    /// identifies the occurrence.
    public var original: WallTime { WallTime(secondsSince1970: originalSeconds) }

    let wallSeconds: Int64
    /// Seconds since 1970 UTC; for floating times, the wall-clock seconds.
    let seconds: Int64
    let originalSeconds: Int64
    /// The start according to the rule, in seconds since 1970 UTC.
    let namedSeconds: Int64
    let isFloating: Bool

    /// True if it comes before another occurrence. Of two at the same time, the one with the
    /// earlier start according to the rule comes first.
    func comes(before other: Occurrence) -> Bool {
        (seconds, namedSeconds) < (other.seconds, other.namedSeconds)
    }
}
