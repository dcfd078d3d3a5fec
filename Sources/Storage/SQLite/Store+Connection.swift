import CSQLite
import GRDB

extension Store {
    /// Prepares SQLite once in a process, before the first database is opened.
    static let isSQLitePrepared: Bool = letsmeet_sqlite_stop_counting_memory() == 0

    /// The cache size for imports, in KiB: the keys of one contact go into many index pages.
    private static let importCacheKibibytes = 65_536

    /// The configuration of every connection to a home's database; `listener` receives its
    /// statements, and `digest` knows the key of the installation.
    static func configuration(
        listener: StatementListener?, digest: AddressDigest
    ) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busySecondsMax)
        // One more than the threads of PageExecutor.
        configuration.maximumReaderCount = 6
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA cache_size = -\(db.configuration.readonly ? 2048 : 16384);
                    PRAGMA temp_store = MEMORY;
                    PRAGMA secure_delete = ON;
                    """)
            digest.register(in: db)
            guard let listener else { return }
            db.trace { event in
                if case .statement(let statement) = event { listener(statement.sql) }
            }
        }
        return configuration
    }

    /// Makes the writer connection wait for the disk at each commit. This must be set after the
    /// pool is opened: GRDB sets `NORMAL` when it sets the journal mode, and then a power failure
    /// could undo commits.
    static func prepareWriter(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
    }

    /// Gives a connection a cache that is large enough for many insertions.
    static func prepareImport(in db: Database) throws {
        try db.execute(sql: "PRAGMA cache_size = -\(importCacheKibibytes)")
    }

    /// Rewrites the whole file, so that deleted data remains neither in free pages nor in the log.
    func overwriteDeleted() async throws {
        do {
            try await pool.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM")
                try db.checkpoint(.truncate)
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}

extension Database {
    /// The cache size for large reads, in KiB; other reads use a small cache.
    private static let largeCacheKibibytes = 16_384

    /// Runs a large read with a cache that keeps every page until it ends.
    func withLargeCache<Value>(_ body: () throws -> Value) throws -> Value {
        let usual = try Int.fetchOne(self, sql: "PRAGMA cache_size") ?? 0
        try execute(sql: "PRAGMA cache_size = -\(Self.largeCacheKibibytes)")
        defer { try? execute(sql: "PRAGMA cache_size = \(usual); PRAGMA shrink_memory") }
        return try body()
    }
}

extension Row {
    /// Reads all rows of a statement, each directly from the statement. A copied row would take
    /// memory, and would look up the column name for each value.
    ///
    /// - Parameters:
    ///   - statement: the statement; `read` may run other statements, but not this one.
    ///   - arguments: the arguments of the statement.
    ///   - read: reads a row; it must not keep the row.
    /// - Returns: the values, in the order of the rows.
    /// - Throws: SQLite errors, and any error that `read` throws.
    static func read<Value>(
        _ statement: Statement, arguments: StatementArguments = StatementArguments(),
        as read: (Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let rows = try fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() { values.append(try read(row)) }
        return values
    }
}
