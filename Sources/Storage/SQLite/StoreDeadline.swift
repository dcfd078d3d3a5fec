import GRDB
import Synchronization
public import Timekeeping

/// The maximum duration of a call to a store, for programs that run all day and must not wait for a
/// call forever.
///
/// ```swift
/// try await StoreDeadline.$current.withValue(StoreDeadline(seconds: 30, clock: clock)) {
///     try await engine.run(watch: watch)
/// }
/// ```
/// A call that takes longer is interrupted at the next point where SQLite can be interrupted, and
/// fails with ``StoreError/late(path:)``; so do all other calls in progress. Their writes are
/// rolled back. This does not help if the disk itself does not respond; the watchdog then finds
/// that the program is stuck.
public struct StoreDeadline: Sendable {
    /// The deadline for each call of this task and its children; `nil` for no limit.
    @TaskLocal public static var current: StoreDeadline?

    private let seconds: Int64
    private let clock: any WallClock

    /// Creates a deadline.
    ///
    /// - Parameters:
    ///   - seconds: the maximum duration of a call. It must be more than ``Store/busySecondsMax``,
    ///     or a call that waits for other processes never gets its turn.
    ///   - clock: the clock that measures the duration.
    public init(seconds: Int64, clock: any WallClock) {
        self.seconds = seconds
        self.clock = clock
    }

    /// Runs the call, and interrupts the pool each time the maximum duration has passed.
    func limit<Value: Sendable>(
        _ pool: InterruptiblePool, _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The threads of the caller may all be blocked by such calls.
            group.addTask(executorPreference: globalConcurrentExecutor) {
                var wait = seconds
                while true {
                    try await clock.sleep(until: clock.now.advanced(bySeconds: wait))
                    wait = pool.interrupt(at: clock.now) ? seconds : InterruptiblePool.pauseSeconds
                }
            }
            defer { group.cancelAll() }
            return try await call()
        }
    }
}

/// A pool whose calls in progress can be interrupted, by any caller that waits for one.
///
/// An interrupted transaction is rolled back, and an interruption may hit the rollback, too. GRDB
/// then tries once more; a third interruption would leave the transaction open, which ends the
/// program. So there is at most one interruption a second, however many calls are late: it ends
/// them all.
final class InterruptiblePool: Sendable {
    static let pauseSeconds: Int64 = 1

    private let pool: DatabasePool
    private let last = Mutex<Moment?>(nil)

    init(_ pool: DatabasePool) {
        self.pool = pool
    }

    /// Interrupts all calls in progress, unless that was done less than ``pauseSeconds`` ago.
    ///
    /// - Parameter now: the current time.
    /// - Returns: true if the pool was interrupted.
    func interrupt(at now: Moment) -> Bool {
        let isDue = isDue(at: now)
        if isDue { pool.interrupt() }
        return isDue
    }

    /// Whether enough time has passed since the last interruption. Records `now` as the last
    /// interruption if so.
    func isDue(at now: Moment) -> Bool {
        last.withLock { last in
            // If the clock was set back, the time of the last interruption means nothing.
            if let last, last <= now, now < last.advanced(bySeconds: Self.pauseSeconds) {
                return false
            }
            last = now
            return true
        }
    }
}
