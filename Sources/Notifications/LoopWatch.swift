public import Ledger
import Synchronization

/// Hears from the loops of a daemon that they turn, and tells which of them do not.
///
/// ```swift
/// while !Task.isCancelled {
///     watch.expect("deliveries", within: .seconds(60))
///     …
/// }
/// ```
public final class LoopWatch: Sendable {
    private let health = Mutex(LoopHealth())
    /// The time since some fixed start, on a clock that nobody sets.
    public let uptime: @Sendable () -> Duration

    /// A watch over no loop yet.
    ///
    /// - Parameter uptime: the time since some fixed start, on a clock that nobody sets and that
    ///   stands still while the machine sleeps.
    public init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    /// A loop turns, and will again within this time.
    public func expect(_ loop: String, within time: Duration) {
        let end = uptime() + time
        health.withLock { $0.expect(loop, by: end) }
    }

    /// A loop has ended.
    public func forget(_ loop: String) {
        health.withLock { $0.forget(loop) }
    }

    /// The loops that are stuck, by name.
    public var stuck: [LoopHealth.StuckLoop] {
        let now = uptime()
        return health.withLock { $0.stuck(at: now) }
    }
}
