import Foundation
import GRDB
import Synchronization

/// The one door to the database of a home: values in, values out, and a transaction for each use
/// case.
///
/// ```swift
/// let store = try Store(path: home + "/letsmeet.sqlite")
/// let bundle = try await store.meetingBundle(id)
/// ```
/// Several processes may hold the same file open: writers queue for up to
/// ``busySecondsMax`` seconds, and readers never wait.
public final class Store: Sendable {
    /// How long a writer waits for other processes, in seconds.
    public static let busySecondsMax = 20.0
    /// What marks a file as ours (`PRAGMA application_id`): "lets" in ASCII.
    static let applicationID = 0x6c65_7473

    /// Hears every statement that a store runs which was opened under it, as it was written:
    /// without its arguments. For tests.
    public typealias StatementListener = @Sendable (_ sql: String) -> Void
    /// Who listens to the stores that this task opens.
    @TaskLocal public static var statementListener: StatementListener?
    /// Who stands at the door of the stores that this task opens.
    @TaskLocal public static var hook: (any StoreAccessHook)?

    /// Where the database lies.
    public let path: String
    let pool: DatabasePool
    let commits: GroupCommit
    private let interruptible: InterruptiblePool
    /// Who hears of what the database refuses.
    let failureListener = Mutex<FailureListener?>(nil)
    /// The file that is open.
    let file: FileIdentity
    private let hook: (any StoreAccessHook)?
    /// Keeps others from putting another file in the place of this one.
    private let share: FileLock

    /// Opens the database, makes it where there is none, and brings its schema up to date.
    ///
    /// - Throws: ``StoreError`` when the file is no database of ours, is damaged, or was written
    ///   by a newer version.
    public init(path: String) throws {
        self.path = path
        hook = Self.hook
        // One process at a time makes or upgrades a file; the others find it ready.
        let hook = try StoreLocks.hook(of: path)
        defer { hook.release() }
        share = try StoreLocks.share(of: path)
        pool = try Self.translating(path: path) {
            try Self.look(at: path)
            try Self.makeFileForOwnerOnly(path)
            let pool = try DatabasePool(
                path: path, configuration: Self.configuration(listener: Self.statementListener))
            try Self.prepareWriter(pool)
            try Self.migrate(pool)
            return pool
        }
        commits = GroupCommit(pool)
        interruptible = InterruptiblePool(pool)
        guard let file = try FileIdentity(path: path) else { throw StoreLoss.gone(path: path) }
        self.file = file
    }

    /// SQLite gives its companion files the mode of the database, so that one is enough.
    private static func makeFileForOwnerOnly(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            // An empty file is one that nothing was kept in yet. Where its mode cannot be changed,
            // doctor names it.
            if try FileHeader(path: path) == nil { chmod(path, 0o600) }
            return
        }
        guard !hasLogAlone(path) else { throw StoreError.logAlone(path: path) }
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw StoreError.notWritable(path: path) }
    }

    /// Whether a database was taken away from its log, which a new one would take over.
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
    }

    /// Closes the file; later calls fail.
    public func close() throws {
        try pool.close()
        share.release()
    }

    /// Hears of every transaction that failed; it must not take long itself.
    public typealias FailureListener = @Sendable (StoreError) -> Void

    /// Reports the failures from now on.
    public func reportFailures(to listener: @escaping FailureListener) {
        failureListener.withLock { $0 = listener }
    }

    /// What a transaction failed with, as others know it.
    private func failure(_ error: any Error) -> any Error {
        let failure: StoreError
        switch error {
        case let error as DatabaseError: failure = StoreError(error, path: path)
        case let error as UnreadableValue: failure = .damaged(path: path, detail: error.description)
        case is RowDecodingError, is DecodingError:
            failure = .damaged(path: path, detail: "a value in it is of the wrong kind")
        default: return error
        }
        failureListener.withLock { $0 }?(failure)
        return failure
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { [pool] in try await pool.read(body) }
    }

    /// Reads through the connection that writes. A connection that may only read leaves the CHECK
    /// constraints of a schema out of account, and finds nothing that breaks them.
    func look<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { [pool] in try await pool.writeWithoutTransaction(body) }
    }

    /// Runs one transaction that writes; all of it happens, or nothing. Those that several tasks
    /// want at once are made durable together.
    ///
    /// A task that is cancelled finishes the transaction that it has begun: what was sent must
    /// still be recorded.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access { [commits] in try await commits.write(body) }
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

/// Stands at the door of a store: hears each access begin and end, and may refuse either. For
/// tests.
public protocol StoreAccessHook: Sendable {
    /// An access begins.
    ///
    /// - Throws: what the caller gets in its place; nothing has happened then.
    func enter() throws
    /// It has ended, well or not.
    ///
    /// - Throws: what the caller gets for an answer; what was done stands.
    func leave() throws
}
