import Foundation
import GRDB
import Timekeeping

/// Hears how many octets of a database are copied, of how many, and says whether the copying may go
/// on.
public typealias BackupProgress = @Sendable (_ done: Int, _ of: Int) -> Bool

/// The contents of a backup, counted in the file itself.
public struct BackupContents: Equatable, Sendable {
    /// The size in bytes.
    public let bytes: Int64
    /// The number of meetings.
    public let meetings: Int
    /// The number of contacts.
    public let people: Int
    /// The number of rows of the ledger.
    public let deliveries: Int
}

/// The state of a home after a restore.
public struct RestoredDatabase: Sendable {
    /// The contents of the restored database.
    public let contents: BackupContents
    /// The owner of the installation; `nil` if the database was never used.
    public let owner: OwnerProfile?
    /// The number of due deliveries, including those that were sent after the backup was made.
    public let dueDeliveries: Int
    /// The path of the replaced database; `nil` if there was none.
    public let previous: String?
    /// The files of a home in the backup; `nil` if it has only the database.
    public let home: HomeCopy?
}

/// The reason why a file cannot be used as a backup.
public enum BackupFault: Error, Equatable {
    /// The file belongs to another program, or is not a database.
    case foreign
    /// The file was written by a newer version.
    case newer
    /// The file is damaged; holds SQLite's message.
    case damaged(String)
    /// The schema differs from the one that letsmeet creates; holds a description of the first
    /// difference.
    case altered(String)
    /// The file cannot be read.
    case inaccessible(path: String)
    /// The file cannot be written, or its folder is missing.
    case unwritable(path: String)
    /// A file with this name already exists.
    case exists(path: String)
    /// A file with this name already exists and is not a backup, so it is not replaced.
    case isAnother(path: String)
    /// The file is a folder.
    case isFolder(path: String)
    /// The file is the database itself.
    case isDatabase(path: String)
    /// The database to be replaced is in use.
    case isInUse(path: String)
    /// The file is complete and has its final name, but the disk did not confirm that it is
    /// durable; holds the disk's message.
    case isUnsure(path: String, detail: String)
}

/// A single file with a whole database, without companion files.
struct BackupFile {
    let path: String
    /// The final path, which the user chose and which errors name.
    let target: String

    /// A file beside the target, used until it is complete.
    static func unfinished(beside target: String) -> BackupFile {
        BackupFile(
            path: "\(target).unfinished-\(ProcessInfo.processInfo.processIdentifier)",
            target: target)
    }

    /// Creates the file, readable only by its owner.
    func make() throws {
        discard()
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw BackupFault.unwritable(path: target) }
    }

    /// Verifies that the file is an intact letsmeet database with exactly the expected schema,
    /// upgrades the schema if `isUpgraded` is true, and counts the contents.
    func verified(isUpgraded: Bool) throws -> BackupContents {
        do {
            if isUpgraded { try BackupSeal.check(path) }
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { db in
                // Without a log beside it, the file is complete by itself.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try queue.read(Self.check)
            _ = try queue.read(HomeCopy.fetch)
            if isUpgraded { try Migrations.migrator.migrate(queue) }
            return try queue.read(count)
        } catch let error as DatabaseError {
            throw fault(error)
        }
    }

    /// The contents of the file and its files of a home. The file is not changed.
    func contents() throws -> (BackupContents, HomeCopy?) {
        do {
            try BackupSeal.check(path)
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                try Self.check(db)
                return (try count(db), try HomeCopy.fetch(db))
            }
        } catch let error as DatabaseError {
            throw fault(error)
        }
    }

    private func count(_ db: Database) throws -> BackupContents {
        let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
        return BackupContents(
            bytes: bytes ?? 0, meetings: try Self.count("meeting", in: db),
            people: try Self.count("contact", in: db),
            deliveries: try Self.count("delivery", in: db))
    }

    /// Takes the files of a home out of the verified file.
    func takeHome() throws -> HomeCopy? {
        try Store.translating(path: target) {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try HomeCopy.take(from: queue)
        }
    }

    /// The owner in the verified file, and the number of due deliveries.
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
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let isNewer = try Migrations.migrator.hasBeenSuperseded(db)
        guard version <= Migrations.count, !isNewer else { throw BackupFault.newer }
        guard try version == Migrations.migrator.appliedIdentifiers(db).count else {
            throw BackupFault.damaged("the number of its schema, \(version), is wrong")
        }
        if let part = try Migrations.firstForeignPart(in: db) { throw BackupFault.altered(part) }
        let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(5)")
        guard problems == ["ok"] else {
            throw BackupFault.damaged(problems.joined(separator: "; "))
        }
        guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
            throw BackupFault.damaged("a row refers to a missing row")
        }
    }

    private static func count(_ table: String, in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "/* SQLite */ SELECT count(*) FROM \(table)") ?? 0
    }

    /// The share of a file that is there, if its end is missing; `nil` if the file is as long as
    /// its header says (sqlite.org/fileformat.html, section 1.3).
    private var missingPart: String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: 100), header.count == 100,
            let size = try? file.seekToEnd()
        else { return nil }
        func number(_ place: Range<Int>) -> UInt64 {
            header[place].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let pageOctets = number(16..<18) == 1 ? 65_536 : number(16..<18)
        let whole = pageOctets * number(28..<32)
        guard size < whole else { return nil }
        return "its end is missing: only \(size >> 10) of \(whole >> 10) KB are there"
    }

    private func fault(_ error: DatabaseError) -> any Error {
        switch error.resultCode {
        case .SQLITE_NOTADB: BackupFault.foreign
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT:
            BackupFault.damaged(missingPart ?? error.message ?? "it cannot be read")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY:
            BackupFault.unwritable(path: target)
        default: StoreError(error, path: target)
        }
    }

    /// Gives the file its final name, atomically and durably: nobody ever sees an incomplete file.
    ///
    /// - Throws: ``BackupFault/isUnsure(path:detail:)`` if the file already has its final name; any
    ///   other error before that.
    func move() throws {
        try Self.synchronize(path) { Self.fault(ofFile: $0, target) }
        guard rename(path, target) == 0 else { throw BackupFault.unwritable(path: target) }
        try Self.synchronize(Self.folder(of: target)) { Self.fault(ofFolder: $0, target) }
    }

    /// The error to report if the file could not be synchronized to the disk.
    static func fault(ofFile number: CInt, _ target: String) -> any Error {
        switch number {
        case ENOSPC, EDQUOT: StoreError.full(path: target)
        default: StoreError.disk(path: target, detail: String(cString: strerror(number)))
        }
    }

    /// The error to report if the folder could not be synchronized to the disk. `nil` if folders
    /// cannot be synchronized, as on some network file systems, or may not be read.
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

    /// Deletes the file and its companion files.
    func discard() {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
