import GRDB
public import Timekeeping

/// The health of a database, without any of its content.
public struct StoreHealth: Equatable, Sendable {
    /// The problems that SQLite reports; empty if there are none.
    public let problems: [String]
    /// A description of the first schema difference from what letsmeet creates; `nil` if there is
    /// none.
    public let foreignPart: String?
    /// The last applied migration.
    public let schema: String
    /// SQLite's journal mode; `wal` in a letsmeet database.
    public let journalMode: String
    /// The version of SQLite.
    public let engine: String
    /// The number of open deliveries in the ledger.
    public let openDeliveries: Int
    /// The due time of the earliest open delivery.
    public let oldestDue: Moment?
    /// The start of the last attempt.
    public let lastAttempt: Moment?
}

extension Store {
    /// Checks the whole file; takes about half a minute per gigabyte.
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

    /// The cause of a statement's error. A statement may fail because another program, or a flipped
    /// bit, renamed a table; then the schema difference is returned.
    public func cause(of error: any Error) async -> any Error {
        guard case .failed = error as? StoreError,
            let part = try? await read({ try Migrations.firstForeignPart(in: $0) })
        else { return error }
        return StoreError.altered(path: path, part: part)
    }

    /// The size in bytes of the largest file that is checked each time before work starts; this
    /// takes a tenth of a second.
    public static let checkedBytesMax: Int64 = 8 << 20

    /// Checks a small file before deliveries are sent from it. If its indexes contradict each
    /// other, a delivery could be sent under a wrong name, or twice.
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

    /// The contradictions that SQLite finds: in pages, between indexes and tables, and between
    /// values and the schema.
    private static func contradictions(in db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "PRAGMA integrity_check(5)").filter { $0 != "ok" }
    }

    /// The first row that refers to a missing row.
    private static func orphans(in db: Database) throws -> [String] {
        let table = try String.fetchOne(db, sql: "PRAGMA foreign_key_check")
        return table.map { ["a row of \($0) refers to a missing row"] } ?? []
    }
}
