import Foundation
import GRDB
public import Timekeeping

extension Store {
    /// Copies the whole database into a file while others continue to read and write, and verifies
    /// the copy before it gets its final name.
    ///
    /// - Parameters:
    ///   - target: the file to create, readable only by its owner.
    ///   - isOverwriting: whether to replace an existing file of that name.
    ///   - home: the files of the home folder, which the copy then contains, too.
    ///   - mayGoOn: called each time when some more of the database was copied, with the number of
    ///     copied octets and of all; if it returns false, the backup ends.
    /// - Returns: the contents of the copy.
    /// - Throws: ``BackupFault`` or ``StoreError``, or `CancellationError` if it is to end; no file
    ///   is left behind then, except after ``BackupFault/isUnsure(path:detail:)``.
    @discardableResult
    public func backup(
        to target: String, overwriting isOverwriting: Bool, with home: HomeCopy? = nil,
        mayGoOn: @escaping BackupProgress = { _, _ in true }
    ) async throws -> BackupContents {
        guard !Self.isSameFile(target, path) else { throw BackupFault.isDatabase(path: target) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target, isDirectory: &isFolder) {
            guard !isFolder.boolValue else { throw BackupFault.isFolder(path: target) }
            guard isOverwriting else { throw BackupFault.exists(path: target) }
            guard Self.isBackup(target) else { throw BackupFault.isAnother(path: target) }
        }
        let file = BackupFile.unfinished(beside: target)
        try file.make()
        defer { file.discard() }
        try await copy(to: file, with: home, mayGoOn)
        let contents = try verified(file)
        try close(file)
        try file.move()
        return contents
    }

    /// Writes the checksum of the complete copy into it.
    private func close(_ copy: BackupFile) throws {
        do {
            try Self.translating(path: copy.target) { try BackupSeal.close(copy.path) }
        } catch let error as CocoaError {
            throw StoreError.disk(path: copy.target, detail: error.localizedDescription)
        }
    }

    /// Verifies the copy. An error in the copy is reported as an error of the source database.
    private func verified(_ copy: BackupFile) throws -> BackupContents {
        do {
            return try copy.verified(isUpgraded: false)
        } catch BackupFault.damaged(let detail) {
            throw StoreError.damaged(path: path, detail: detail)
        } catch BackupFault.altered(let part) {
            throw StoreError.altered(path: path, part: part)
        }
    }

    /// The number of pages that are copied at a time, mostly 4 KiB each.
    private static let pagesEach: CInt = 256

    /// Copies the database as it is when the copying begins, whatever others write meanwhile.
    private static func copy(
        _ source: Database, to target: Database, _ mayGoOn: @escaping BackupProgress
    ) throws {
        let pageOctets = try Int.fetchOne(source, sql: "PRAGMA page_size") ?? 4096
        // The first read fixes what is seen. Without it, a write would begin the copy again.
        _ = try Int.fetchOne(source, sql: "/* SQLite */ SELECT count(*) FROM sqlite_schema")
        var isStopped = false
        try source.backup(to: target, pagesPerStep: pagesEach) { step in
            let copied = step.completedPageCount * pageOctets
            isStopped = !mayGoOn(copied, step.totalPageCount * pageOctets)
            if isStopped { throw CancellationError() }
        }
        // An error of the last step is ignored there.
        if isStopped { throw CancellationError() }
    }

    private func copy(
        to file: BackupFile, with home: HomeCopy?, _ mayGoOn: @escaping BackupProgress
    ) async throws {
        do {
            // The threads of the pool may block for as long as necessary; the threads of tasks may
            // not.
            try await pool.read { db in
                let queue = try DatabaseQueue(path: file.path)
                try queue.writeWithoutTransaction { try Self.copy(db, to: $0, mayGoOn) }
                if let home { try queue.write(home.save) }
                try queue.close()
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: file.target)
        }
    }

    /// True if the file is a letsmeet database that is not in use. A database in use has a
    /// write-ahead log or an opening lock file beside it.
    private static func isBackup(_ path: String) -> Bool {
        let header = try? FileHeader(path: path)
        let isLiving = ["-wal", StoreLocks.ending].contains {
            FileManager.default.fileExists(atPath: path + $0)
        }
        return header?.applicationID == applicationID && !isLiving
    }

    private static func isSameFile(_ left: String, _ right: String) -> Bool {
        guard let first = try? FileIdentity(path: left) else { return false }
        return (try? FileIdentity(path: right)) == first
    }

    /// Replaces the database at `path`, which nobody may have open, with a backup.
    ///
    /// The backup is copied and verified first. The old database is kept beside it under a name
    /// with the time, and after a crash at any point one of the two is in place.
    ///
    /// - Parameters:
    ///   - path: the database.
    ///   - backup: the backup file.
    ///   - now: the current time, used in the old database's name and to count due deliveries.
    ///   - prepare: called with the verified backup's files of a home before anything changes.
    /// - Returns: the contents of the restored database, and the path of the old one.
    /// - Throws: ``BackupFault`` or ``StoreError``; nothing has changed then, except after
    ///   ``BackupFault/isUnsure(path:detail:)``.
    public static func restore(
        _ path: String, from backup: String, now: Moment,
        preparing prepare: (HomeCopy?) throws -> Void = { _ in }
    ) throws -> RestoredDatabase {
        guard !isSameFile(path, backup) else { throw BackupFault.isDatabase(path: backup) }
        try checkIsDatabase(backup)
        let file = BackupFile.unfinished(beside: path)
        try file.make()
        defer { file.discard() }
        try copyBytes(backup, to: file)
        let contents = try file.verified(isUpgraded: true)
        let standing = try file.standing(now: now)
        let home = try file.takeHome()
        try prepare(home)
        // Processes that open the store wait here until the file is complete again.
        let opening = try StoreLocks.opening(of: path)
        defer { opening.release() }
        let whole = try soleShare(of: path)
        defer { whole.release() }
        let previous = try keep(path, now: now)
        try file.move()
        return RestoredDatabase(
            contents: contents, owner: standing.owner, dueDeliveries: standing.dueDeliveries,
            previous: previous, home: home)
    }

    /// The contents of a backup and its files of a home, without restoring it.
    ///
    /// - Parameter backup: the backup file.
    /// - Returns: the contents, and the files if the backup has any.
    /// - Throws: ``BackupFault`` or ``StoreError``.
    public static func contents(ofBackup backup: String) throws -> (BackupContents, HomeCopy?) {
        try checkIsDatabase(backup)
        return try BackupFile(path: backup, target: backup).contents()
    }

    /// Checks that a file is a database, before it is copied as a whole.
    private static func checkIsDatabase(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw BackupFault.inaccessible(path: path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw BackupFault.inaccessible(path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw BackupFault.foreign }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw BackupFault.inaccessible(path: path)
        }
        defer { try? file.close() }
        let mark = Array("SQLite format 3\0".utf8)
        guard try file.read(upToCount: mark.count).map(Array.init) == mark else {
            throw BackupFault.foreign
        }
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func soleShare(of path: String) throws -> FileLock {
        do {
            return try StoreLocks.whole(of: path)
        } catch StoreError.busy {
            throw BackupFault.isInUse(path: path)
        }
    }

    /// Copies the file and, if it exists, its log: a copy of a database in use may have one beside
    /// it.
    private static func copyBytes(_ source: String, to file: BackupFile) throws {
        for ending in ["", "-wal"] where isFile(source + ending) {
            guard let from = FileHandle(forReadingAtPath: source + ending) else {
                guard ending.isEmpty else { return }
                throw BackupFault.inaccessible(path: source)
            }
            defer { try? from.close() }
            if !ending.isEmpty {
                _ = FileManager.default.createFile(
                    atPath: file.path + ending, contents: nil,
                    attributes: [.posixPermissions: 0o600])
            }
            guard let to = FileHandle(forWritingAtPath: file.path + ending) else {
                throw BackupFault.unwritable(path: file.target)
            }
            defer { try? to.close() }
            while let bytes = try read(from, of: source), !bytes.isEmpty {
                try write(bytes, to, for: file.target)
            }
        }
    }

    private static func read(_ file: FileHandle, of path: String) throws -> Data? {
        do {
            return try file.read(upToCount: 1 << 20)
        } catch {
            throw BackupFault.inaccessible(path: path)
        }
    }

    private static func write(_ bytes: Data, _ file: FileHandle, for path: String) throws {
        do {
            try file.write(contentsOf: bytes)
        } catch CocoaError.fileWriteOutOfSpace {
            throw StoreError.full(path: path)
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let words = cause.map { String(cString: strerror(CInt($0.code))) }
            throw StoreError.disk(path: path, detail: words ?? error.localizedDescription)
        }
    }

    /// Keeps the database that will be replaced. It gets a second name first, so that a complete
    /// database has the first name at every moment. If the file is too damaged to checkpoint its
    /// log, the log gets a second name, too, before it is removed under the first. The database
    /// left there is no worse than before, and the restored one must not meet the log of another.
    private static func keep(_ path: String, now: Moment) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let kept = path + restoreMark + restoreStamp(now)
        try emptyLog(of: path)
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: path + ending) {
            guard link(path + ending, kept + ending) == 0 else {
                throw BackupFault.unwritable(path: path)
            }
        }
        for ending in ["-wal", "-shm"] { unlink(path + ending) }
        return kept
    }

    /// The text between a file's name and the time at which a restore set it aside.
    public static let restoreMark = ".before-restore-"

    /// The time of a restore as it stands in the names of what it set aside: `20261128T041818123`.
    public static func restoreStamp(_ now: Moment) -> String {
        String(now.utcText.filter { $0.isNumber || $0 == "T" }.prefix(18))
    }

    /// The databases that earlier restores set aside, with their logs.
    static func databasesPutAside(beside path: String) -> [String] {
        let database = URL(filePath: path)
        let folder = database.deletingLastPathComponent().path(percentEncoded: false)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { $0.hasPrefix(database.lastPathComponent + restoreMark) }
            .sorted().map { folder + $0 }
    }

    /// Moves the content of the log into the file. A file that is too damaged for that keeps its
    /// log.
    ///
    /// - Throws: ``BackupFault/isInUse(path:)`` if another program uses the file.
    private static func emptyLog(of path: String) throws {
        do {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            _ = try queue.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        } catch let error as DatabaseError where error.isBusy {
            throw BackupFault.isInUse(path: path)
        } catch is DatabaseError {
            return
        }
    }
}
