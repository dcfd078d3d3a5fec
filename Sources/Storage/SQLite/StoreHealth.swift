import GRDB
public import Timekeeping

/// How a database is doing, without a word of what it holds.
public struct StoreHealth: Equatable, Sendable {
    /// What SQLite complains about; empty when all is well.
    public let problems: [String]
    /// The first part of the schema that is not letsmeet's, in words.
    public let foreignPart: String?
    /// The last step of the schema.
    public let schema: String
    /// SQLite's journal mode; `wal` in a database of ours.
    public let journalMode: String
    /// SQLite's version.
    public let engine: String
    /// How many rows of the ledger are still to be sent.
    public let openDeliveries: Int
    /// When the first of them is due.
    public let oldestDue: Moment?
    /// When an attempt was last begun.
    public let lastAttempt: Moment?
}

extension Store {
    /// Looks the whole file over; takes about half a minute for each gigabyte.
    public func health() async throws -> StoreHealth {
        let contradictions = try await look { try Self.contradictions(in: $0) }
        return try await read { db in
            let problems = contradictions + (try Self.orphans(in: db))
            let backlog = try LedgerBacklog.fetch(db)
            return StoreHealth(
                problems: problems,
                foreignPart: try Migrations.firstForeignPart(in: db),
                schema: try Migrations.migrator.appliedMigrations(db).last ?? "none",
                journalMode: try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "",
                engine: try String.fetchOne(db, sql: "/* SQLite */ SELECT sqlite_version()") ?? "",
                openDeliveries: backlog.count, oldestDue: backlog.oldestDue,
                lastAttempt: backlog.lastAttempt)
        }
    }

    /// What an error of a statement comes from: one that SQLite refuses may speak of a table that
    /// another program, or a flipped bit, gave another name.
    public func cause(of error: any Error) async -> any Error {
        guard case .failed = error as? StoreError,
            let part = try? await read({ try Migrations.firstForeignPart(in: $0) })
        else { return error }
        return StoreError.altered(path: path, part: part)
    }

    /// The longest file that is looked over before each work on it, in bytes: a tenth of a second.
    public static let checkedBytesMax: Int64 = 8 << 20

    /// Looks a small file over before deliveries are sent from it: what one index says and another
    /// does not would be sent under a wrong name, or twice.
    ///
    /// - Throws: ``StoreError/damaged(path:detail:)``.
    public func checkWhole() async throws {
        let problem = try await look { db -> String? in
            let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let size = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            guard pages * size <= Self.checkedBytesMax else { return nil }
            return try Self.contradictions(in: db).first
        }
        if let problem { throw StoreError.damaged(path: path, detail: problem) }
    }

    /// What contradicts itself: pages, indexes beside their tables, values beside what the schema
    /// says of them.
    private static func contradictions(in db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "PRAGMA integrity_check(5)").filter { $0 != "ok" }
    }

    /// The first row that refers to one which is missing.
    private static func orphans(in db: Database) throws -> [String] {
        let table = try String.fetchOne(db, sql: "PRAGMA foreign_key_check")
        return table.map { ["a row of \($0) refers to one that is missing"] } ?? []
    }
}
