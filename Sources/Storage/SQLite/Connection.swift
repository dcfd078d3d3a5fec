import GRDB

extension Store {
    /// The cache of a connection that imports, in KiB: the keys of a contact go into many pages of
    /// their indexes.
    private static let importCacheKibibytes = 65_536

    /// How every connection to a home's database is opened; `listener` hears its statements.
    static func configuration(listener: StatementListener?) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busySecondsMax)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA cache_size = -\(db.configuration.readonly ? 2048 : 16384);
                    PRAGMA temp_store = MEMORY;
                    PRAGMA secure_delete = ON;
                    """)
            guard let listener else { return }
            db.trace { event in
                if case .statement(let statement) = event { listener(statement.sql) }
            }
        }
        return configuration
    }

    /// Lets the connection that writes wait for the disk at each commit. This has to be said after
    /// the pool is opened: GRDB turns it to `NORMAL` when it sets the journal mode, and then what
    /// was committed before a cut of the power could be gone after it.
    static func prepareWriter(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
    }

    /// Gives a connection the memory that many insertions need.
    static func prepareImport(in db: Database) throws {
        try db.execute(sql: "PRAGMA cache_size = -\(importCacheKibibytes)")
    }

    /// Writes the whole file anew, so that no free page and no log remembers what was deleted.
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
    /// What one reading of much needs, in KiB; else readers keep little in memory.
    private static let largeCacheKibibytes = 16_384

    /// Reads much: what is looked at on the way is kept until all is read.
    func withLargeCache<Value>(_ body: () throws -> Value) throws -> Value {
        let usual = try Int.fetchOne(self, sql: "PRAGMA cache_size") ?? 0
        try execute(sql: "PRAGMA cache_size = -\(Self.largeCacheKibibytes)")
        defer { try? execute(sql: "PRAGMA cache_size = \(usual); PRAGMA shrink_memory") }
        return try body()
    }
}
