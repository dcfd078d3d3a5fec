import Dispatch
import Glibc
import GRDB
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// A call to a store that does not end by itself is interrupted.
@Suite(.timeLimit(.minutes(5))) struct StoreDeadlineTests {
    /// A query that counts forever, and calls `begun` when it has started.
    private static func endless(
        begun: @escaping @Sendable () -> Void
    ) -> @Sendable (Database) throws -> Int? {
        { db in
            let tell = DatabaseFunction("tell", argumentCount: 1) { values in
                begun()
                return values[0]
            }
            db.add(function: tell)
            defer { db.remove(function: tell) }
            return try Int.fetchOne(
                db,
                sql: """
                    /* SQLite */ WITH RECURSIVE n (i) AS (
                        SELECT tell(1) UNION ALL SELECT i + 1 FROM n)
                    SELECT count(*) FROM n
                    """)
        }
    }

    /// Starts a call, lets its time run out, and returns its error.
    private func error(
        of call: @escaping @Sendable (_ begun: @escaping @Sendable () -> Void) async throws -> Int?
    ) async throws -> (any Error)? {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let deadline = StoreDeadline(seconds: 30, clock: clock)
        let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
        async let outcome: (any Error)? = {
            do {
                _ = try await StoreDeadline.$current.withValue(deadline) {
                    try await call { begun.yield() }
                }
                return nil
            } catch {
                return error
            }
        }()
        for await _ in beginnings { break }
        await clock.untilSomebodySleeps()
        clock.advance(bySeconds: 30)
        return await outcome
    }

    @Test(arguments: [false, true])
    func `A call that takes too long fails, and the next one works`(writes: Bool) async throws {
        try await withTemporaryStore { store in
            let path = store.path
            let failed = try await error { begun in
                let endless = Self.endless(begun: begun)
                return writes ? try await store.write(endless) : try await store.read(endless)
            }
            #expect(failed as? StoreError == .late(path: path))
            #expect(try await store.write { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
        }
    }

    /// The only thread of the call is blocked by it. The deadline runs out on another.
    @Test func `A call that blocks its thread fails when it takes too long`() async throws {
        try await withTemporaryStore { store in
            let path = store.path
            let failed = try await error { begun in
                let endless = Self.endless(begun: begun)
                return try await Task(executorPreference: OneThread()) {
                    try await Store.$mayBlockThread.withValue(true) {
                        try await store.read(endless)
                    }
                }.value
            }
            #expect(failed as? StoreError == .late(path: path))
        }
    }

    @Test func `A read that may block runs on the thread of its caller`() async throws {
        try await withTemporaryStore { store in
            let threads = try await Task(executorPreference: OneThread()) {
                try await Store.$mayBlockThread.withValue(true) {
                    let caller = pthread_self()
                    return (caller, try await store.read { _ in pthread_self() })
                }
            }.value
            #expect(threads.0 == threads.1)
        }
    }

    @Test func `A call that ends in time is not interrupted`() async throws {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        try await withTemporaryStore { store in
            let deadline = StoreDeadline(seconds: 30, clock: clock)
            let number = try await StoreDeadline.$current.withValue(deadline) {
                try await store.write { try Int.fetchOne($0, sql: "SELECT 1") }
            }
            #expect(number == 1)
            #expect(clock.deadlines.isEmpty)
        }
    }

    @Test func `Calls that are late at the same time are ended by one interruption`() async throws {
        try await withTemporaryStore { store in
            let pool = InterruptiblePool(store.pool)
            let now = try Moment.parse("2026-12-01T12:00:00Z")
            #expect(pool.isDue(at: now))
            #expect(!pool.isDue(at: now))
            #expect(!pool.isDue(at: now.advanced(byMilliseconds: 999)))
            #expect(pool.isDue(at: now.advanced(bySeconds: 1)))
            #expect(pool.isDue(at: now), "a clock that was set back")
        }
    }
}

/// Runs tasks one after the other on a queue of its own.
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
