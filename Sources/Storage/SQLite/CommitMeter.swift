import Synchronization

/// Measures the duration of write transactions until they are durable.
public struct CommitMeter: Sendable {
    let uptime: @Sendable () -> Duration
    let record: @Sendable (_ took: Duration) -> Void

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - uptime: the time since some fixed point, from a monotonic clock.
    ///   - record: receives the duration of each transaction; it must return quickly.
    public init(
        uptime: @escaping @Sendable () -> Duration,
        record: @escaping @Sendable (_ took: Duration) -> Void
    ) {
        self.uptime = uptime
        self.record = record
    }
}

extension Store {
    /// Sets the meter for transactions from now on.
    public func measureCommits(by meter: CommitMeter) {
        commits.meter.withLock { $0 = meter }
    }
}
