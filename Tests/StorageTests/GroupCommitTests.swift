import Dispatch
import Foundation
import GRDB
import Synchronization
import TestKit
import Testing

@testable import Storage

/// Writes that wait for the disk together.
@Suite(.timeLimit(.minutes(5))) struct GroupCommitTests {
    private struct Failure: Error {}

    private final class Statements: Sendable {
        private let seen = Mutex<[String]>([])
        func add(_ sql: String) { seen.withLock { $0.append(sql) } }
        func count(_ sql: String) -> Int { seen.withLock { $0.count { $0.hasPrefix(sql) } } }
    }

    /// Opens a store with a table of numbers.
    private func withNumbers(
        _ body: @escaping @Sendable (Store, Statements) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let statements = Statements()
            let store = try Store.$statementListener.withValue({ statements.add($0) }) {
                try Store(path: folder + "/numbers.sqlite")
            }
            try await store.write { db in
                try db.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)")
            }
            try await body(store, statements)
            try store.close()
        }
    }

    private func numbers(_ store: Store) async throws -> [Int] {
        try await store.read { db in
            try Int.fetchAll(db, sql: "SELECT value FROM number ORDER BY value")
        }
    }

    private static func insert(_ value: Int, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO number (value) VALUES (:value)", arguments: ["value": value])
    }

    /// Queues `count` writes behind one in progress, and returns the result of each.
    private func together(
        _ count: Int, in store: Store,
        _ body: @escaping @Sendable (Int, Database) throws -> Int
    ) async -> [Result<Int, any Error>] {
        let block = DispatchSemaphore(value: 0)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        return await withTaskGroup(of: (Int, Result<Int, any Error>)?.self) { group in
            group.addTask {
                try? await store.write { _ in
                    start.finish()
                    block.wait()
                }
                return nil
            }
            for await _ in starts {}
            for number in 0..<count {
                group.addTask {
                    do {
                        let value = try await store.write { db in try body(number, db) }
                        return (number, .success(value))
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            while store.commits.waitingCount < count { await Task.yield() }
            block.signal()
            var results: [Int: Result<Int, any Error>] = [:]
            for await case let (number, result)? in group { results[number] = result }
            return (0..<count).compactMap { results[$0] }
        }
    }

    @Test func `Writes that wait at the same time are committed together`() async throws {
        try await withNumbers { store, statements in
            let before = statements.count("COMMIT")
            let results = await together(50, in: store) { number, db in
                try Self.insert(number, in: db)
                return number * 2
            }
            #expect(results.compactMap(\.value) == (0..<50).map { $0 * 2 })
            #expect(statements.count("COMMIT") - before == 2)
            let kept = try await numbers(store)
            #expect(kept == Array(0..<50))
        }
    }

    @Test func `A write that arrives during a commit joins the next transaction`() async throws {
        try await withNumbers { store, statements in
            let before = statements.count("COMMIT")
            let late = Mutex<Task<Void, any Error>?>(nil)
            _ = await together(2, in: store) { number, db in
                let waiting = store.commits.waitingCount
                late.withLock { task in
                    guard task == nil else { return }
                    task = Task { try await store.write { db in try Self.insert(9, in: db) } }
                    while store.commits.waitingCount == waiting { sched_yield() }
                }
                try Self.insert(number, in: db)
                return number
            }
            try await late.withLock(\.self)?.value
            #expect(statements.count("COMMIT") - before == 3)
            #expect(try await numbers(store) == [0, 1, 9])
        }
    }

    @Test func `A failed write rolls back only its own changes`() async throws {
        try await withNumbers { store, _ in
            let results = await together(20, in: store) { number, db in
                try Self.insert(number, in: db)
                if number % 5 == 0 { throw Failure() }
                try Self.insert(number == 7 ? number : number + 100, in: db)
                return number
            }
            let failed = results.indices.filter { results[$0].failure != nil }
            #expect(failed == [0, 5, 7, 10, 15])
            #expect(results[0].failure is Failure)
            #expect(results[7].failure is StoreError)
            let kept = try await numbers(store)
            let whole = (0..<20).filter { !failed.contains($0) }
            #expect(kept == whole + whole.map { $0 + 100 })
        }
    }

    @Test func `If a whole transaction is lost, no write is reported as saved`() async throws {
        try await withNumbers { store, _ in
            let results = await together(9, in: store) { number, db in
                try Self.insert(number, in: db)
                guard number == 4 else { return number }
                try db.execute(sql: "ROLLBACK")
                throw Failure()
            }
            let saved = results.indices.filter { results[$0].failure == nil }
            #expect(try await numbers(store) == saved)
            #expect(results[4].failure is Failure)
            try await store.write { db in try Self.insert(100, in: db) }
            #expect(try await numbers(store) == saved + [100])
        }
    }

    @Test func `A full transaction leaves the remaining writes to the next one`() async throws {
        try await withNumbers { store, statements in
            let before = statements.count("COMMIT")
            let results = await together(5, in: store) { number, db in
                for value in 0..<(GroupCommit.rowsMax / 2) {
                    try Self.insert(number * GroupCommit.rowsMax + value, in: db)
                }
                return number
            }
            #expect(results.count { $0.failure == nil } == results.count)
            #expect(statements.count("COMMIT") - before == 4)
        }
    }

    @Test func `If no transaction can begin, every waiting write fails`() async throws {
        try await withNumbers { store, _ in
            let results = await together(9, in: store) { number, _ in number }
            #expect(results.count { $0.failure == nil } == results.count)
            try store.close()
            for _ in 0..<2 {
                await #expect(throws: StoreError.self) { try await store.write { _ in } }
            }
        }
    }
}

extension Result {
    fileprivate var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
