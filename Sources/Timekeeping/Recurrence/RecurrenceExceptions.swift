/// The occurrences that are left out of a recurrence.
struct RecurrenceExceptions: Sendable {
    private var seconds: Set<Int64> = []
    /// Day numbers since 1970 in wall-clock time.
    private var days: Set<Int64> = []

    init(
        _ exceptions: [CalendarStamp], _ overrides: [Recurrence.Override],
        _ clock: inout RecurrenceClock
    ) {
        for exception in exceptions {
            if case .day = exception {
                days.insert(RecurrenceClock.day(of: clock.wall(of: exception)))
            } else {
                seconds.insert(clock.second(of: exception))
            }
        }
        // Overridden occurrences are computed separately.
        for override in overrides {
            seconds.insert(clock.second(of: override.original))
        }
    }

    /// True if an occurrence is left out, by its moment or by its wall-clock day.
    func contains(second: Int64, shown: Int64) -> Bool {
        seconds.contains(second) || containsDay(of: shown)
    }

    /// True if all occurrences on the day of a wall-clock time are left out.
    func containsDay(of shown: Int64) -> Bool {
        !days.isEmpty && days.contains(RecurrenceClock.day(of: shown))
    }
}

/// The shifts of occurrences against the rule, each from some occurrence on.
struct RecurrenceShifts: Sendable {
    private struct Shift {
        /// The second since 1970 UTC after which the shift applies.
        let after: Int64
        /// The shift in wall-clock seconds; `nil` if there are no more occurrences.
        let amount: Int64?
        /// The smallest of this shift and all later ones.
        var least: Int64
    }

    /// The shifts in order of time.
    private var shifts: [Shift]

    /// The maximum difference in seconds between a shift in wall-clock time and the same shift in
    /// elapsed time; 0 if the offset never changes.
    private let slackSeconds: Int64

    init(_ overrides: [Recurrence.Override], _ clock: inout RecurrenceClock) {
        slackSeconds = clock.isNeverSet ? 0 : 2 * 86_400
        let following = overrides.filter(\.isOfFollowing)
        guard !following.isEmpty else {
            shifts = []
            return
        }
        shifts = following.map { [clock] override in
            var clock = clock
            let amount = override.start.map {
                clock.wall(of: $0) - clock.wall(of: override.original)
            }
            return Shift(
                after: clock.second(of: override.original), amount: amount, least: amount ?? .max)
        }.sorted { $0.after < $1.after }
        for place in shifts.indices.dropLast().reversed() {
            shifts[place].least = min(shifts[place].least, shifts[place + 1].least)
        }
    }

    /// The shift of an occurrence at a second since 1970 UTC; `nil` if there are no more
    /// occurrences.
    func amount(at second: Int64) -> Int64? {
        guard let shift = shifts.last(where: { $0.after < second }) else { return 0 }
        return shift.amount
    }

    /// True if there is no occurrence at a second since 1970 UTC or later.
    func endAll(at second: Int64) -> Bool {
        guard let current = shifts.lastIndex(where: { $0.after < second }) else { return false }
        return shifts[current...].allSatisfy { $0.amount == nil }
    }

    /// The earliest second at which an occurrence can begin whose time according to the rule is
    /// `second` or later.
    func earliest(from second: Int64) -> Int64 {
        guard !shifts.isEmpty else { return second }
        let current = shifts.lastIndex { $0.after < second }
        let least = min(current == nil ? 0 : .max, shifts[current ?? 0].least)
        return least == 0 ? second : second.addingSaturated(least) - slackSeconds
    }
}
