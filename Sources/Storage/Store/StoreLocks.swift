/// How the processes that work on one database keep out of each other's way, beside what SQLite
/// does itself: two locks in one file, `.opening`, that lies beside the database.
///
/// Who opens takes the gate, and a share of the hold for as long as the store is open. Who puts
/// another file in the database's place takes both for itself alone: whoever has the old file open
/// would go on writing into it.
enum StoreLocks {
    /// What the name of their file ends in.
    static let ending = ".opening"

    /// The right to open, make, upgrade or exchange the file, for one at a time.
    ///
    /// - Throws: ``StoreError/busy(path:)`` when another has it for longer than `secondsMax`.
    static func hook(
        of path: String, waiting secondsMax: Double = Store.busySecondsMax
    ) throws -> FileLock {
        try lock(of: path, .first, isShared: false, waiting: secondsMax)
    }

    /// A share in the file, for as long as it is open. To be taken behind the gate.
    static func share(of path: String) throws -> FileLock {
        try lock(of: path, .second, isShared: true, waiting: Store.busySecondsMax)
    }

    /// The file for one alone. To be taken behind the gate.
    ///
    /// - Throws: ``StoreError/busy(path:)`` when somebody has it open.
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
