import GRDB
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// A call that does not end by itself is ended.
@Suite(.timeLimit(.minutes(5))) struct StoreDeadlineTests {
    /// Counts for ever.
    private static let endless: @Sendable (Database) throws -> Int? = { db in
        try Int.fetchOne(
            db,
            sql: """
                /* SQLite */ WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                SELECT count(*) FROM n
                """)
    }

    /// Lets time pass until the call has ended, and returns how.
    private func error(
        of call: @escaping @Sendable () async throws -> Int?
    ) async throws -> (any Error)? {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let deadline = StoreDeadline(seconds: 30, clock: clock)
        return await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                do {
                    _ = try await StoreDeadline.$current.withValue(deadline) { try await call() }
                    return nil
                } catch {
                    return error
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    clock.advance(bySeconds: 30)
                    await Task.yield()
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    @Test(arguments: [false, true])
    func `A call that takes too long fails, and the next one works`(writes: Bool) async throws {
        try await withTemporaryStore { store in
            let path = store.path
            let failed = try await error {
                writes
                    ? try await store.write(Self.endless) : try await store.read(Self.endless)
            }
            #expect(failed as? StoreError == .late(path: path))
            #expect(try await store.write { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
        }
    }

    @Test func `A call that ends in time is left alone`() async throws {
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
}
