import GRDB
import Synchronization
public import Timekeeping

/// How long a call to a store may take: a program that works all day must not wait for one for
/// ever.
///
/// ```swift
/// try await StoreDeadline.$current.withValue(StoreDeadline(seconds: 30, clock: clock)) {
///     try await engine.run(watch: watch)
/// }
/// ```
/// A call that takes longer is interrupted wherever SQLite can be, and fails with
/// ``StoreError/late(path:)``; so do all others that are under way. What it was to write has not
/// happened. A disk that does not answer is beyond that: who is watched is found stuck.
public struct StoreDeadline: Sendable {
    /// The deadline of each call that this task and its children make; `nil` where they may take
    /// as long as they need.
    @TaskLocal public static var current: StoreDeadline?

    private let seconds: Int64
    private let clock: any WallClock

    /// A deadline.
    ///
    /// - Parameters:
    ///   - seconds: how long a call may take; more than ``Store/busySecondsMax``, or who waits for
    ///     other processes never gets their turn.
    ///   - clock: the clock by which it is measured.
    public init(seconds: Int64, clock: any WallClock) {
        self.seconds = seconds
        self.clock = clock
    }

    /// Runs the call, and interrupts the pool each time that it has taken so long once more.
    func limit<Value: Sendable>(
        _ pool: InterruptiblePool, _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
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

/// A pool whose calls can be ended, by all who wait for one.
///
/// What was interrupted is rolled back, and an interruption can meet that, too. GRDB tries once
/// more then; a third interruption would leave the transaction open, which ends the program. So
/// there is one a second at most, however many calls are late at once: it ends them all.
final class InterruptiblePool: Sendable {
    static let pauseSeconds: Int64 = 1

    private let pool: DatabasePool
    private let last = Mutex<Moment?>(nil)

    init(_ pool: DatabasePool) {
        self.pool = pool
    }

    /// Ends all that is under way, unless that has just been done.
    ///
    /// - Parameter now: the clock.
    /// - Returns: whether it was not just done.
    func interrupt(at now: Moment) -> Bool {
        let isDue = isDue(at: now)
        if isDue { pool.interrupt() }
        return isDue
    }

    /// Whether an interruption at this time is one, and not another of those that come at once.
    func isDue(at now: Moment) -> Bool {
        last.withLock { last in
            // A clock that was set back says nothing about the last one.
            if let last, last <= now, now < last.advanced(bySeconds: Self.pauseSeconds) {
                return false
            }
            last = now
            return true
        }
    }
}
