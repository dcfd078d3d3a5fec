/// The locks between processes that use the same database, in addition to those of SQLite: two
/// locks in one file, `.opening`, beside the database.
///
/// A process that opens the database holds the opening lock meanwhile, and a shared file lock for
/// as long as the store is open. A process that replaces the database takes both exclusively: a
/// process that has the old file open would go on writing into it.
enum StoreLocks {
    /// The ending of the lock file's name.
    static let ending = ".opening"

    /// Takes the opening lock: the exclusive right to open, create, upgrade or replace the file.
    ///
    /// - Throws: ``StoreError/busy(path:)`` if another process holds it for longer than
    ///   `secondsMax`.
    static func opening(
        of path: String, waiting secondsMax: Double = Store.busySecondsMax
    ) throws -> FileLock {
        try lock(of: path, .first, isShared: false, waiting: secondsMax)
    }

    /// Takes the shared file lock, for as long as the file is open. The caller must hold the
    /// opening lock.
    static func share(of path: String) throws -> FileLock {
        try lock(of: path, .second, isShared: true, waiting: Store.busySecondsMax)
    }

    /// Takes the exclusive file lock. The caller must hold the opening lock.
    ///
    /// - Throws: ``StoreError/busy(path:)`` if another process has the file open.
    static func whole(of path: String) throws -> FileLock {
        try lock(of: path, .second, isShared: false, waiting: 0)
    }

    private static func lock(
        of path: String, _ part: FileLock.Part, isShared: Bool, waiting secondsMax: Double
    ) throws -> FileLock {
        do {
            return try FileLock(
                path: path + ending, part: part, isShared: isShared, waiting: secondsMax,
                guarding: path)
        } catch FileLock.Failure.held {
            throw StoreError.busy(path: path)
        }
    }
}
