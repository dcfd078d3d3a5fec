/// A recurrence rule of calendar objects (RFC 5545, 3.3.10).
///
/// ```swift
/// let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=-1FR;COUNT=10")
/// Recurrence(start: start, in: zone, rule: rule)
/// ```
///
/// Parts that a rule leaves open are taken from the start: "FREQ=MONTHLY" from the 31st is the 31st
/// of each month that has one. Lists are in ascending order, without repetitions.
public struct RecurrenceRule: Hashable, Sendable {
    /// The step of a rule, the shortest first.
    public enum Frequency: String, CaseIterable, Sendable {
        /// Second by second.
        case secondly = "SECONDLY"
        /// Minute by minute.
        case minutely = "MINUTELY"
        /// Hour by hour.
        case hourly = "HOURLY"
        /// Day by day.
        case daily = "DAILY"
        /// Week by week.
        case weekly = "WEEKLY"
        /// Month by month.
        case monthly = "MONTHLY"
        /// Year by year.
        case yearly = "YEARLY"
    }

    /// The end of a rule.
    public enum End: Hashable, Sendable {
        /// Never.
        case never
        /// After this number of occurrences, at least one, including the start.
        case count(Int)
        /// After the last occurrence that is not later than this. A wall-clock time is in the time
        /// zone of the event, and a date counts to its end.
        case until(CalendarStamp)
    }

    /// A weekday: every one, or one by its place in the month or the year.
    public struct Day: Hashable, Sendable {
        /// 1 for the first, -1 for the last; 0 for each.
        public let place: Int
        /// The day of the week.
        public let weekday: Weekday

        /// Creates a weekday.
        public init(_ weekday: Weekday, place: Int = 0) {
            self.place = place
            self.weekday = weekday
        }
    }

    /// The step of the rule.
    public internal(set) var frequency: Frequency
    /// The number of these steps between occurrences, from 1 to ``intervalMax``.
    public internal(set) var interval = 1
    /// The end of the rule.
    public var end = End.never
    /// The last time at which an occurrence may be, beside the number of occurrences in ``end``.
    /// Only rules of calendar files that state both, which RFC 5545 forbids, have one.
    public var limit: CalendarStamp?
    /// The first day of the week.
    public internal(set) var weekStart = Weekday.monday
    /// From 0 to 59.
    public internal(set) var seconds: [Int] = []
    /// From 0 to 59.
    public internal(set) var minutes: [Int] = []
    /// From 0 to 23.
    public internal(set) var hours: [Int] = []
    /// The weekdays.
    public internal(set) var days: [Day] = []
    /// From 1 to 31, or from -1 (the last day) to -31.
    public internal(set) var monthDays: [Int] = []
    /// From 1 to 366, or from -1 (the last day) to -366.
    public internal(set) var yearDays: [Int] = []
    /// From 1 to 53, or from -1 (the last week) to -53. The first week is the first one with at
    /// least four days in the year.
    public internal(set) var weekNumbers: [Int] = []
    /// From 1 to 12.
    public internal(set) var months: [Int] = []
    /// The positions of the selected occurrences within each step: from 1 to 366, or from -1 (the
    /// last) to -366.
    public internal(set) var positions: [Int] = []

    /// The maximum of ``interval``.
    public static let intervalMax = 100_000_000

    /// True if the rule names times of day, and so may have several occurrences a day.
    public var namesTimes: Bool {
        let isShort = [.secondly, .minutely, .hourly].contains(frequency)
        return isShort || ![hours, minutes, seconds].allSatisfy(\.isEmpty)
    }

    /// Creates a rule without an end, with all other parts left open.
    public init(_ frequency: Frequency) {
        self.frequency = frequency
    }
}

extension RecurrenceRule.Frequency: Comparable {
    /// Shorter steps come first.
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .secondly: 0
        case .minutely: 1
        case .hourly: 2
        case .daily: 3
        case .weekly: 4
        case .monthly: 5
        case .yearly: 6
        }
    }
}

extension Weekday {
    /// The abbreviations of the weekdays in RFC 5545, Monday first.
    static let recurrenceNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// The abbreviation in RFC 5545, for example "MO".
    var recurrenceName: String { Self.recurrenceNames[rawValue - 1] }
}

/// An error in a recurrence rule.
public struct RecurrenceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the wrong part, such as `BYDAY`; empty if the error does not belong to a single
    /// part.
    public let part: String
    /// The reason, in words that follow the name of the part.
    public let reason: String

    init(_ part: String, _ reason: String) {
        self.part = part
        self.reason = reason
    }

    /// The error for a rule in words that leaves out a single date.
    public static let singleDate = RecurrenceFault(
        "",
        "a rule leaves out days of the week, but no single dates: write it without \"except\", "
            + "and cancel these dates later")

    /// A sentence that says what is wrong and what to do.
    public var description: String { part.isEmpty ? reason : "\(part): \(reason)" }
}
