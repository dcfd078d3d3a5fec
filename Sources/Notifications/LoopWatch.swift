public import Ledger
import Synchronization

/// Tracks the liveness of a daemon's loops, and reports the ones that are stuck.
///
/// ```swift
/// while !Task.isCancelled {
///     watch.expect("deliveries", within: .seconds(60))
///     …
/// }
/// ```
public final class LoopWatch: Sendable {
    private let health = Mutex(LoopHealth())
    /// The time since a fixed start, on a monotonic clock.
    public let uptime: @Sendable () -> Duration

    /// Creates a watch without loops.
    ///
    /// - Parameter uptime: the time since a fixed start, on a monotonic clock that stops while the
    ///   machine sleeps.
    public init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    /// Notes that a loop is alive and will report again within this time.
    public func expect(_ loop: String, within time: Duration) {
        let end = uptime() + time
        health.withLock { $0.expect(loop, by: end) }
    }

    /// Notes that a loop has ended.
    public func forget(_ loop: String) {
        health.withLock { $0.forget(loop) }
    }

    /// The loops that are stuck, by name.
    public var stuck: [LoopHealth.StuckLoop] {
        let now = uptime()
        return health.withLock { $0.stuck(at: now) }
    }
}
