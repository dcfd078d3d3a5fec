import GRDB

/// Tells whether a database has changed, whoever changed it.
///
/// SQLite counts for each connection how often others have committed (`PRAGMA data_version`), so
/// one connection is kept that never writes.
public final class DataVersion: Sendable {
    private let queue: DatabaseQueue

    /// Opens the connection.
    ///
    /// - Parameter store: the store whose database is watched.
    /// - Throws: an error of SQLite if the database cannot be opened.
    public init(of store: Store) throws {
        var configuration = Configuration()
        configuration.readonly = true
        queue = try DatabaseQueue(path: store.path, configuration: configuration)
    }

    /// The current version. Two equal values mean that nothing was committed in between.
    ///
    /// - Throws: an error of SQLite if it cannot be read.
    public func current() async throws -> Int {
        try await queue.unsafeRead { db in
            try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        }
    }
}
