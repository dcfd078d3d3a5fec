import Foundation
import GRDB
import Timekeeping

/// What a backup holds, counted in the file itself.
public struct BackupContents: Equatable, Sendable {
    /// Its size.
    public let bytes: Int64
    /// How many meetings.
    public let meetings: Int
    /// How many contacts.
    public let people: Int
    /// How many rows of the ledger.
    public let deliveries: Int
}

/// What a home has after a restore.
public struct RestoredDatabase: Sendable {
    /// What it holds.
    public let contents: BackupContents
    /// Whose it was; `nil` when nobody had used it yet.
    public let owner: OwnerProfile?
    /// How many deliveries are due, among them what was sent after the backup was taken.
    public let dueDeliveries: Int
    /// Where the database is that was there before; `nil` when there was none.
    public let previous: String?
}

/// Why a file is no backup that can be used.
public enum BackupFault: Error, Equatable {
    /// It is another program's, or no database at all.
    case foreign
    /// It was written by a newer version.
    case newer
    /// It is damaged: what SQLite says.
    case damaged(String)
    /// Its schema is not as letsmeet makes it: the first difference, in words.
    case altered(String)
    /// It cannot be read.
    case inaccessible(path: String)
    /// It cannot be written, or has no folder.
    case unwritable(path: String)
    /// There is a file of that name already.
    case exists(path: String)
    /// There is a file of that name already, and it is no backup that could be replaced.
    case isAnother(path: String)
    /// It is the database itself.
    case isDatabase(path: String)
    /// It is the database that was to be replaced, and somebody works on it.
    case isInUse(path: String)
    /// It has its name and is whole, but the disk would not make sure that it lasts: its words.
    case isUnsure(path: String, detail: String)
}

/// One file that holds a whole database, without companions.
struct BackupFile {
    let path: String
    /// The file that it shall become: the one that somebody asked for, and that errors name.
    let target: String

    /// A name beside another file, for what is not ready yet.
    static func unfinished(beside target: String) -> BackupFile {
        BackupFile(
            path: "\(target).unfinished-\(ProcessInfo.processInfo.processIdentifier)",
            target: target)
    }

    /// Makes the file, readable by its owner alone.
    func make() throws {
        discard()
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw BackupFault.unwritable(path: target) }
    }

    /// Holds the file to all that a database of ours promises, its schema to the letter, brings
    /// that up to date where `isUpgraded`, and counts what it holds.
    func verified(isUpgraded: Bool) throws -> BackupContents {
        do {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { db in
                // Without a log beside it, the file is whole by itself.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try queue.read(Self.check)
            if isUpgraded { try Migrations.migrator.migrate(queue) }
            let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
            return try queue.read { db in
                BackupContents(
                    bytes: bytes ?? 0, meetings: try Self.count("meeting", in: db),
                    people: try Self.count("contact", in: db),
                    deliveries: try Self.count("delivery", in: db))
            }
        } catch let error as DatabaseError {
            throw Self.fault(error, path: target)
        }
    }

    /// Whose the verified file is, and how much of it is due.
    func standing(now: Moment) throws -> (owner: OwnerProfile?, dueDeliveries: Int) {
        try Store.translating(path: target) {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.read { db in
                (try OwnerProfile.fetch(db), try LedgerBacklog.dueCount(now: now, in: db))
            }
        }
    }

    private static func check(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == Store.applicationID else {
            throw BackupFault.foreign
        }
        guard try !Migrations.migrator.hasBeenSuperseded(db) else { throw BackupFault.newer }
        if let part = try Migrations.firstForeignPart(in: db) { throw BackupFault.altered(part) }
        let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(5)")
        guard problems == ["ok"] else {
            throw BackupFault.damaged(problems.joined(separator: "; "))
        }
        guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
            throw BackupFault.damaged("a row refers to one that is missing")
        }
    }

    private static func count(_ table: String, in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "/* SQLite */ SELECT count(*) FROM \(table)") ?? 0
    }

    private static func fault(_ error: DatabaseError, path: String) -> any Error {
        switch error.resultCode {
        case .SQLITE_NOTADB: BackupFault.foreign
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT:
            BackupFault.damaged(error.message ?? "it cannot be read")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY:
            BackupFault.unwritable(path: path)
        default: StoreError(error, path: path)
        }
    }

    /// Gives the file its name, in one step and for good: nobody ever sees half of it.
    ///
    /// - Throws: ``BackupFault/isUnsure(path:detail:)`` when it has its name; any other error
    ///   before.
    func move() throws {
        try Self.synchronize(path) { Self.fault(ofFile: $0, target) }
        guard rename(path, target) == 0 else { throw BackupFault.unwritable(path: target) }
        try Self.synchronize(Self.folder(of: target)) { Self.fault(ofFolder: $0, target) }
    }

    /// What it means that the file could not be made sure of.
    static func fault(ofFile number: CInt, _ target: String) -> any Error {
        switch number {
        case ENOSPC, EDQUOT: StoreError.full(path: target)
        default: StoreError.disk(path: target, detail: String(cString: strerror(number)))
        }
    }

    /// What it means that its name could not be made sure of: nothing where folders cannot be
    /// asked, as on some networks, or may not be read.
    static func fault(ofFolder number: CInt, _ target: String) -> (any Error)? {
        switch number {
        case EINVAL, ENOTSUP, ENOSYS, EACCES: nil
        default: BackupFault.isUnsure(path: target, detail: String(cString: strerror(number)))
        }
    }

    static func folder(of path: String) -> String {
        let folder = URL(filePath: path).deletingLastPathComponent()
        return folder.path(percentEncoded: false)
    }

    private static func synchronize(
        _ path: String, fault: (_ number: CInt) -> (any Error)?
    ) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let number = descriptor < 0 || fsync(descriptor) != 0 ? errno : 0
        if descriptor >= 0 { close(descriptor) }
        if number != 0, let fault = fault(number) { throw fault }
    }

    /// Leaves nothing behind.
    func discard() {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
