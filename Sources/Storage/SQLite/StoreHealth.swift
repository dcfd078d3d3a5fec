import GRDB
public import Timekeeping

/// How a database is doing, without a word of what it holds.
public struct StoreHealth: Equatable, Sendable {
    /// What SQLite's quick check complains about; empty when all is well.
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
    /// Looks the whole file over; takes about a second for each gigabyte.
    public func health() async throws -> StoreHealth {
        try await read { db in
            let problems = try String.fetchAll(db, sql: "PRAGMA quick_check(5)")
            let backlog = try LedgerBacklog.fetch(db)
            return StoreHealth(
                problems: problems.filter { $0 != "ok" },
                foreignPart: try Migrations.firstForeignPart(in: db),
                schema: try Migrations.migrator.appliedMigrations(db).last ?? "none",
                journalMode: try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "",
                engine: try String.fetchOne(db, sql: "/* SQLite */ SELECT sqlite_version()") ?? "",
                openDeliveries: backlog.count, oldestDue: backlog.oldestDue,
                lastAttempt: backlog.lastAttempt)
        }
    }
}
