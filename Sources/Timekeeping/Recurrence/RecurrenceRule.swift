/// When something recurs, as calendar objects say it (RFC 5545, 3.3.10).
///
/// ```swift
/// let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=-1FR;COUNT=10")
/// Recurrence(start: start, in: zone, rule: rule)
/// ```
///
/// What a rule leaves open comes from the start of what recurs: "FREQ=MONTHLY" from the 31st is the
/// 31st of each month that has one. Lists are in ascending order, each value once.
public struct RecurrenceRule: Hashable, Sendable {
    /// In what steps it goes on, the shortest first.
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

    /// When it is over.
    public enum End: Hashable, Sendable {
        /// Never.
        case never
        /// After so many occurrences, at least one, the start included.
        case count(Int)
        /// After the last occurrence that is not later than this. A time on the wall is one by the
        /// clocks of what recurs, and a day counts to its end.
        case until(CalendarStamp)
    }

    /// A day of the week: each, or by its place in the month or the year.
    public struct Day: Hashable, Sendable {
        /// 1 for the first, -1 for the last; 0 for each.
        public let place: Int
        /// The day of the week.
        public let weekday: Weekday

        /// Names a day.
        public init(_ weekday: Weekday, place: Int = 0) {
            self.place = place
            self.weekday = weekday
        }
    }

    /// In what steps it goes on.
    public internal(set) var frequency: Frequency
    /// How many of these steps are one, from 1 to ``intervalMax``.
    public internal(set) var interval = 1
    /// When it is over.
    public var end = End.never
    /// With which day weeks begin.
    public internal(set) var weekStart = Weekday.monday
    /// From 0 to 59.
    public internal(set) var seconds: [Int] = []
    /// From 0 to 59.
    public internal(set) var minutes: [Int] = []
    /// From 0 to 23.
    public internal(set) var hours: [Int] = []
    /// The days of the week.
    public internal(set) var days: [Day] = []
    /// From 1 to 31, or from -1, the last, to -31.
    public internal(set) var monthDays: [Int] = []
    /// From 1 to 366, or from -1, the last, to -366.
    public internal(set) var yearDays: [Int] = []
    /// From 1 to 53, or from -1, the last, to -53: the first week is the first with four days of
    /// the year.
    public internal(set) var weekNumbers: [Int] = []
    /// From 1 to 12.
    public internal(set) var months: [Int] = []
    /// Which occurrences of each step are meant: from 1 to 366, or from -1, the last, to -366.
    public internal(set) var positions: [Int] = []

    /// The longest step that there is of one kind.
    public static let intervalMax = 100_000_000

    /// A rule without end, all else left open.
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
    /// The letters of RFC 5545 for the days, Monday first.
    static let recurrenceNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// As RFC 5545 has it: "MO".
    var recurrenceName: String { Self.recurrenceNames[rawValue - 1] }
}
