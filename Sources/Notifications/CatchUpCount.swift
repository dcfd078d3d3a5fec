import Timekeeping

/// Counts what becomes of deliveries that fell due while nothing could be sent: no daemon ran, the
/// machine slept, or the clock was set on past them.
struct CatchUpCount {
    /// What became of them.
    struct Result: Equatable {
        var sent = 0
        var expired = 0
    }

    /// What was due by then is late.
    private var through: Moment?
    private var result = Result()

    /// From here on counts what was due by now. What is being counted already counts on.
    mutating func begin(through now: Moment) {
        through = now
    }

    /// The clock was set back: what falls due from now on is not late.
    mutating func turnBack(to now: Moment) {
        through = through.map { min($0, now) }
    }

    /// One that was due then was sent.
    ///
    /// - Returns: whether it was late for that reason.
    mutating func noteSent(due: Moment) -> Bool {
        guard let through, due <= through else { return false }
        result.sent += 1
        return true
    }

    /// One that was due then was closed, because its time had passed.
    ///
    /// - Returns: whether it was late for that reason.
    mutating func noteExpired(due: Moment) -> Bool {
        guard let through, due <= through else { return false }
        result.expired += 1
        return true
    }

    /// All that was due has been looked at.
    ///
    /// - Returns: what became of it; `nil` where there was nothing.
    mutating func end() -> Result? {
        defer { self = CatchUpCount() }
        return result == Result() ? nil : result
    }
}
