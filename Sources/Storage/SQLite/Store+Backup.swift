import Foundation
import GRDB
public import Timekeeping

extension Store {
    /// Copies the whole database into a file while others go on reading and writing, and verifies
    /// the copy before it gets its name.
    ///
    /// - Parameters:
    ///   - target: the file, readable by its owner alone.
    ///   - isOverwriting: whether a file of that name is replaced.
    /// - Returns: what the copy holds.
    /// - Throws: ``BackupFault`` or ``StoreError``; no file is left behind then, unless it is
    ///   ``BackupFault/isUnsure(path:detail:)``.
    @discardableResult
    public func backup(to target: String, overwriting isOverwriting: Bool) async throws
        -> BackupContents
    {
        guard !Self.isSameFile(target, path) else { throw BackupFault.isDatabase(path: target) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target, isDirectory: &isFolder) {
            guard isOverwriting, !isFolder.boolValue else {
                throw BackupFault.exists(path: target)
            }
            guard Self.isBackup(target) else { throw BackupFault.isAnother(path: target) }
        }
        let file = BackupFile.unfinished(beside: target)
        try file.make()
        defer { file.discard() }
        try await copy(to: file)
        let contents = try verified(file)
        try file.move()
        return contents
    }

    /// What is wrong with the copy is wrong with the database that it was made of.
    private func verified(_ copy: BackupFile) throws -> BackupContents {
        do {
            return try copy.verified(isUpgraded: false)
        } catch BackupFault.damaged(let detail) {
            throw StoreError.damaged(path: path, detail: detail)
        } catch BackupFault.altered(let part) {
            throw StoreError.altered(path: path, part: part)
        }
    }

    private func copy(to file: BackupFile) async throws {
        do {
            // The threads of the pool may be blocked as long as it takes; a task's may not.
            try await pool.read { db in
                let queue = try DatabaseQueue(path: file.path)
                try queue.writeWithoutTransaction { try db.backup(to: $0) }
                try queue.close()
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: file.target)
        }
    }

    /// A database of letsmeet that nobody works on: a living one has its log beside it, and a home
    /// has the lock of its opening.
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

    /// Puts a backup in the place of the database at `path`, which nobody may have open.
    ///
    /// The backup is copied and verified first; the database that was there is kept beside under
    /// a name with the time, and a crash at any point leaves one of the two in place.
    ///
    /// - Parameters:
    ///   - path: the database.
    ///   - backup: the file to take it from.
    ///   - now: the clock, for the old database's name and for what is due.
    /// - Returns: what the database holds now, and where the old one is.
    /// - Throws: ``BackupFault`` or ``StoreError``; nothing has changed then, unless it is
    ///   ``BackupFault/isUnsure(path:detail:)``.
    public static func restore(
        _ path: String, from backup: String, now: Moment
    ) throws -> RestoredDatabase {
        guard !isSameFile(path, backup) else { throw BackupFault.isDatabase(path: backup) }
        let file = BackupFile.unfinished(beside: path)
        try file.make()
        defer { file.discard() }
        try copyBytes(backup, to: file)
        let contents = try file.verified(isUpgraded: true)
        let standing = try file.standing(now: now)
        // Who opens the store waits here until it is whole again.
        let hook = try StoreLocks.hook(of: path)
        defer { hook.release() }
        let whole = try soleShare(of: path)
        defer { whole.release() }
        let previous = try keep(path, now: now)
        try file.move()
        return RestoredDatabase(
            contents: contents, owner: standing.owner, dueDeliveries: standing.dueDeliveries,
            previous: previous)
    }

    private static func soleShare(of path: String) throws -> FileLock {
        do {
            return try StoreLocks.whole(of: path)
        } catch StoreError.busy {
            throw BackupFault.isInUse(path: path)
        }
    }

    /// A copy that somebody made of a living database may have its log beside it.
    private static func copyBytes(_ source: String, to file: BackupFile) throws {
        for ending in ["", "-wal"] {
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

    /// Keeps the database that is to be replaced: under a second name first, so that at every
    /// moment a whole one has the first name. One too damaged to take its log in is whole under
    /// the second name, with its log, before it loses it under the first: what stands there then
    /// is no worse, and must not meet a log that is another's.
    private static func keep(_ path: String, now: Moment) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let time = now.utcText.filter { $0.isNumber || $0 == "T" }.prefix(18)
        let kept = path + restoreMark + time
        try emptyLog(of: path)
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: path + ending) {
            guard link(path + ending, kept + ending) == 0 else {
                throw BackupFault.unwritable(path: path)
            }
        }
        for ending in ["-wal", "-shm"] { unlink(path + ending) }
        return kept
    }

    /// What stands behind a database's name before the time at which a restore put it aside.
    private static let restoreMark = ".before-restore-"

    /// The databases that restores put aside, with their logs.
    static func databasesPutAside(beside path: String) -> [String] {
        let database = URL(filePath: path)
        let folder = database.deletingLastPathComponent().path(percentEncoded: false)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { $0.hasPrefix(database.lastPathComponent + restoreMark) }
            .sorted().map { folder + $0 }
    }

    /// What stands in the log goes into the file. A file too damaged for that keeps its log.
    ///
    /// - Throws: ``BackupFault/isInUse(path:)`` when another program works on the file.
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
