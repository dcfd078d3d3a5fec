import GRDB
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
        _ pool: DatabasePool, _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await clock.sleep(until: clock.now.advanced(bySeconds: seconds))
                    pool.interrupt()
                }
            }
            defer { group.cancelAll() }
            return try await call()
        }
    }
}
