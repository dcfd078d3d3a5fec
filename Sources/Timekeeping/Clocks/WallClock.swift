/// A source of the time of day, passed in wherever time counts, so that tests and rehearsals can
/// let a week pass at once.
public protocol WallClock: Sendable {
    /// The time now.
    var now: Moment { get }
    /// Returns when the clock has reached `deadline`, or throws when the task was cancelled.
    func sleep(until deadline: Moment) async throws(CancellationError)
}

/// A clock that stands still: for one command on a time that was given.
public struct FixedClock: WallClock {
    /// The time that it shows.
    public let now: Moment

    /// A clock that shows this time for ever.
    public init(_ now: Moment) {
        self.now = now
    }

    /// Returns at once: what is awaited on a clock that stands still would never come.
    public func sleep(until deadline: Moment) async throws(CancellationError) {}
}
