public import Agenda
import Foundation
import GRDB
public import Ledger
public import Secrets
import Synchronization

/// The only access to the database of a home: values in, values out, and one transaction for each
/// use case.
///
/// ```swift
/// let store = try Store(path: home + "/letsmeet.sqlite")
/// let bundle = try await store.meetingBundle(id)
/// ```
/// Several processes may have the same file open: writers queue for up to ``busySecondsMax``
/// seconds, and readers never wait.
public final class Store: Sendable {
    /// The maximum time that a writer waits for other processes, in seconds.
    public static let busySecondsMax = 20.0
    /// The `PRAGMA application_id` that identifies a letsmeet database: "lets" in ASCII.
    static let applicationID = 0x6c65_7473

    /// Receives the text of every statement, without its arguments, that a store runs. It applies
    /// to stores that are opened while it is set. For tests.
    public typealias StatementListener = @Sendable (_ sql: String) -> Void
    /// The statement listener for the stores that this task opens.
    @TaskLocal public static var statementListener: StatementListener?
    /// The access hook for the stores that this task opens.
    @TaskLocal public static var hook: (any StoreAccessHook)?

    /// True if reads may block the thread of their caller: then they run on it, at its priority.
    /// Otherwise they wait in the queue of all readers, and run on a thread of the system's.
    @TaskLocal public static var mayBlockThread = false

    /// The account whose form this task carries out; `nil` for other work. Nothing is saved for an
    /// account that was deleted or merged with another one since its request was read: nobody could
    /// see it, or delete it.
    @TaskLocal public static var account: PersonID?

    /// The path of the database file.
    public let path: String
    let pool: DatabasePool
    let commits: GroupCommit
    private let interruptible: InterruptiblePool
    /// Receives every failure of a transaction.
    let failureListener = Mutex<FailureListener?>(nil)
    /// The identity of the file that is open.
    let file: FileIdentity
    private let hook: (any StoreAccessHook)?
    /// The shared lock that prevents others from replacing the file.
    private let share: FileLock

    /// Opens the database, creates it if it is missing, and upgrades its schema.
    ///
    /// - Parameters:
    ///   - path: the path of the database file.
    ///   - key: reads the key of the installation when it is needed; `nil` for a database without
    ///     an installation.
    /// - Throws: ``StoreError`` if the file is not a letsmeet database, is damaged, or was written
    ///   by a newer version.
    public init(path: String, key: (@Sendable () throws -> InstallationKey)? = nil) throws {
        self.path = path
        _ = Self.isSQLitePrepared
        hook = Self.hook
        // One process at a time creates or upgrades a file; the others wait until it is ready.
        let opening = try StoreLocks.opening(of: path)
        defer { opening.release() }
        share = try StoreLocks.share(of: path)
        pool = try Self.translating(path: path) {
            try Self.look(at: path)
            try Self.makeFileForOwnerOnly(path)
            let pool = try DatabasePool(
                path: path,
                configuration: Self.configuration(
                    listener: Self.statementListener, digest: AddressDigest(key)))
            try Self.prepareWriter(pool)
            try Self.migrate(pool)
            return pool
        }
        commits = GroupCommit(pool)
        interruptible = InterruptiblePool(pool)
        guard let file = try FileIdentity(path: path) else { throw StoreLoss.gone(path: path) }
        self.file = file
    }

    /// Creates the file with access for its owner only. SQLite gives its companion files the same
    /// mode, so setting it once is enough.
    private static func makeFileForOwnerOnly(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            // An empty file holds no data yet. If its mode cannot be changed, `letsmeet doctor`
            // reports it.
            if try FileHeader(path: path) == nil { chmod(path, 0o600) }
            return
        }
        guard !hasLogAlone(path) else { throw StoreError.logAlone(path: path) }
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw StoreError.notWritable(path: path) }
    }

    /// True if the database file is missing but its write-ahead log is not. A new database would
    /// take over that log.
    public static func hasLogAlone(_ path: String) -> Bool {
        let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        let bytes = (log?[.size] as? NSNumber)?.int64Value ?? 0
        return bytes > 0 && !FileManager.default.fileExists(atPath: path)
    }

    private static func migrate(_ pool: DatabasePool) throws {
        let migrator = Migrations.migrator
        let isNewer = try pool.read { db in
            try checkIsOurs(db)
            return try migrator.hasBeenSuperseded(db)
        }
        guard !isNewer else { throw StoreError.newerVersion }
        try migrator.migrate(pool)
        guard try pool.read(AddressDigest.isUnkeyed) else { return }
        try pool.write(AddressDigest.upgrade)
    }

    /// Closes the file; later calls fail.
    public func close() throws {
        try pool.close()
        share.release()
    }

    /// Receives every failure of a transaction. It must return quickly.
    public typealias FailureListener = @Sendable (StoreError) -> Void

    /// Sets the listener for failures from now on.
    public func reportFailures(to listener: @escaping FailureListener) {
        failureListener.withLock { $0 = listener }
    }

    /// Converts an error of a transaction for callers, and reports it to the listener.
    private func failure(_ error: any Error) -> any Error {
        let failure: StoreError
        switch error {
        case let error as DatabaseError: failure = StoreError(error, path: path)
        case let error as UnreadableValue: failure = .damaged(path: path, detail: error.description)
        case is RowDecodingError, is DecodingError:
            failure = .damaged(path: path, detail: "a value in it has the wrong format")
        default: return error
        }
        failureListener.withLock { $0 }?(failure)
        return failure
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { [pool] in
            guard Self.mayBlockThread else { return try await pool.read(body) }
            return try Self.readOnThread(of: pool, body)
        }
    }

    /// Without `async`, so that the compiler takes the call that blocks.
    private static func readOnThread<Value: Sendable>(
        of pool: DatabasePool, _ body: @Sendable (Database) throws -> Value
    ) throws -> Value {
        try pool.read(body)
    }

    /// Reads through the writer connection. A read-only connection ignores the CHECK constraints of
    /// a schema, so it does not find values that violate them.
    func look<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { [pool] in try await pool.writeWithoutTransaction(body) }
    }

    /// Runs a write transaction: it takes effect completely or not at all. Concurrent writes of
    /// several tasks are committed together.
    ///
    /// A cancelled task still completes the transaction it has begun, because what was sent must be
    /// recorded.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let account = Self.account
        return try await access { [commits] in
            try await commits.write { db in
                if let account { try Account.checkExists(of: account, in: db) }
                return try body(db)
            }
        }
    }

    private func access<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try hook?.enter()
        let result: Result<Value, any Error>
        do {
            if let deadline = StoreDeadline.current {
                result = .success(try await deadline.limit(interruptible, body))
            } else {
                result = .success(try await body())
            }
        } catch {
            result = .failure(failure(error))
        }
        try hook?.leave()
        return try result.get()
    }

    static func translating<Value>(path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}

/// Observes every access to a store, and may refuse it. For tests.
public protocol StoreAccessHook: Sendable {
    /// Called when an access begins.
    ///
    /// - Throws: the error that the caller receives; the access does not take place.
    func enter() throws
    /// Called when an access has ended, successfully or not.
    ///
    /// - Throws: the error that the caller receives; the access stays in effect.
    func leave() throws
}
