import Synchronization

/// Measures how long transactions that write take, until they are durable.
public struct CommitMeter: Sendable {
    let uptime: @Sendable () -> Duration
    let record: @Sendable (_ took: Duration) -> Void

    /// A meter.
    ///
    /// - Parameters:
    ///   - uptime: the time since some fixed start, on a clock that nobody sets.
    ///   - record: hears how long each transaction took; it must not take long itself.
    public init(
        uptime: @escaping @Sendable () -> Duration,
        record: @escaping @Sendable (_ took: Duration) -> Void
    ) {
        self.uptime = uptime
        self.record = record
    }
}

extension Store {
    /// Measures the transactions from now on.
    public func measureCommits(by meter: CommitMeter) {
        commits.meter.withLock { $0 = meter }
    }
}
