/// What is left out of a recurrence.
struct RecurrenceExceptions: Sendable {
    private var seconds: Set<Int64> = []
    /// Numbers of days since 1970, on the wall.
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
        // What is otherwise than by the rule is laid out by itself.
        for override in overrides {
            seconds.insert(clock.second(of: override.original))
        }
    }

    /// Whether what begins then is left out: by its moment, or by the day that the wall shows.
    func contains(second: Int64, shown: Int64) -> Bool {
        seconds.contains(second) || containsDay(of: shown)
    }

    /// Whether all is left out that the wall shows on the day of a time.
    func containsDay(of shown: Int64) -> Bool {
        !days.isEmpty && days.contains(RecurrenceClock.day(of: shown))
    }
}

/// By how much occurrences are earlier or later than by the rule, from some of them on.
struct RecurrenceShifts: Sendable {
    private struct Shift {
        /// The second since 1970 UTC behind which it holds.
        let after: Int64
        /// Seconds on the wall; `nil` where nothing comes any more.
        let amount: Int64?
        /// The least of it and of all that follow.
        var least: Int64
    }

    /// The first one first.
    private var shifts: [Shift]

    /// What may lie between a shift on the wall and the same on the time line, in seconds: nothing
    /// where clocks are never set.
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

    /// What holds for an occurrence at a second since 1970 UTC; `nil` where nothing comes any more.
    func amount(at second: Int64) -> Int64? {
        guard let shift = shifts.last(where: { $0.after < second }) else { return 0 }
        return shift.amount
    }

    /// Whether nothing comes at a second since 1970 UTC, nor after it.
    func endAll(at second: Int64) -> Bool {
        guard let current = shifts.lastIndex(where: { $0.after < second }) else { return false }
        return shifts[current...].allSatisfy { $0.amount == nil }
    }

    /// Before which second nothing begins that comes at `second` or later by the rule.
    func earliest(from second: Int64) -> Int64 {
        guard !shifts.isEmpty else { return second }
        let current = shifts.lastIndex { $0.after < second }
        let least = min(current == nil ? 0 : .max, shifts[current ?? 0].least)
        return least == 0 ? second : second.addingSaturated(least) - slackSeconds
    }
}
