import Timekeeping

/// Counts the late deliveries: those that fell due while nothing could be sent because no daemon
/// ran, the machine slept, or the clock was set forward past their due time.
struct CatchUpCount {
    /// The number of late deliveries that were sent, and the number that expired.
    struct Result: Equatable {
        var sent = 0
        var expired = 0
    }

    /// Deliveries due at or before this moment count as late; `nil` while nothing is counted.
    private var through: Moment?
    private var result = Result()

    /// Starts counting deliveries that are due by `now`. A count already in progress continues.
    mutating func begin(through now: Moment) {
        through = now
    }

    /// Handles a clock that was set back: deliveries that fall due from `now` on are not late.
    mutating func turnBack(to now: Moment) {
        through = through.map { min($0, now) }
    }

    /// Records that a delivery due at this moment was sent.
    ///
    /// - Returns: whether it counts as late.
    mutating func noteSent(due: Moment) -> Bool {
        guard let through, due <= through else { return false }
        result.sent += 1
        return true
    }

    /// Records that a delivery due at this moment expired: its deadline passed before it was sent.
    ///
    /// - Returns: whether it counts as late.
    mutating func noteExpired(due: Moment) -> Bool {
        guard let through, due <= through else { return false }
        result.expired += 1
        return true
    }

    /// Ends the count. Called when no due delivery is left.
    ///
    /// - Returns: the result; `nil` if no delivery was late.
    mutating func end() -> Result? {
        defer { self = CatchUpCount() }
        return result == Result() ? nil : result
    }
}
