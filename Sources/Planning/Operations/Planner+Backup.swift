import Foundation
import Settings
import Storage
import Timekeeping

/// What a backup holds, or a restored database.
public struct BackupReport: Encodable, Sendable {
    /// The file.
    public let file: String
    /// Its size.
    public let bytes: Int64
    /// How many meetings it holds.
    public let meetings: Int
    /// How many contacts.
    public let people: Int
    /// How many rows of the ledger.
    public let deliveries: Int
    /// After a restore, where the database is that was there before.
    @Null public var previous: String?
    /// After a restore, how many deliveries are due at once.
    @Null public var due: Int?
    /// After a restore, what else there is to know.
    public let remarks: [String]

    init(_ restored: RestoredDatabase, file: String, at home: OwnerProfile) {
        self.init(
            restored.contents, file: file,
            remarks: RestoreRemarks.of(restored, at: home))
        previous = restored.previous
        due = restored.dueDeliveries
    }

    init(_ contents: BackupContents, file: String, remarks: [String] = []) {
        self.remarks = remarks
        self.file = file
        bytes = contents.bytes
        meetings = contents.meetings
        people = contents.people
        deliveries = contents.deliveries
    }
}

extension Planner {
    /// Copies everything that this installation knows into one file, while a daemon may run.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isOverwriting: whether a file of that name is replaced.
    /// - Returns: what the verified copy holds.
    /// - Throws: ``Refusal`` with `not_allowed`, `file_exists`, `no_file`, `store`, or `unsure`
    ///   when the backup is there.
    public func backup(
        to path: String, overwriting isOverwriting: Bool
    ) async throws -> BackupReport {
        try checkIsOwner(to: "make a backup")
        try Refusal.checkNames(path, a: "file")
        guard !surroundings.home.keeps(path) else {
            throw Refusal(
                .refused, code: "file_exists",
                "\(path) is a name that this home needs for itself. Name another file.")
        }
        do {
            return BackupReport(
                try await store.backup(to: path, overwriting: isOverwriting), file: path)
        } catch let fault as BackupFault {
            throw Refusal(fault, file: path)
        }
    }

    /// Puts a backup in the place of a home's database; also where that cannot be opened.
    ///
    /// - Parameters:
    ///   - surroundings: the home and the clock.
    ///   - path: the backup.
    /// - Returns: what the database holds now.
    /// - Throws: ``Refusal`` with `not_allowed`, `daemon_running`, `in_use`, `no_file`,
    ///   `bad_backup` or `newer_version`, and nothing has changed then; or `unsure` when it was
    ///   restored.
    public static func restore(
        _ surroundings: PlannerSurroundings, from path: String
    ) async throws -> BackupReport {
        try await checkMayRestore(surroundings)
        try Refusal.checkNames(path, a: "file")
        let home = surroundings.home
        try home.make()
        let lock = try daemonLock(of: home)
        defer { lock.release() }
        do {
            let restored = try Store.restore(
                home.database, from: path, now: surroundings.clock.now)
            return BackupReport(restored, file: path, at: surroundings.ownerProfile)
        } catch let fault as BackupFault {
            throw Refusal(fault, file: path)
        }
    }

    /// Who may restore: the owner.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    public static func checkMayRestore(_ surroundings: PlannerSurroundings) async throws {
        try await checkIsOwner(to: "restore a backup", in: surroundings)
    }

    /// While a database is exchanged, no daemon may work on it, nor begin to.
    private static func daemonLock(of home: Home) throws -> FileLock {
        do {
            // A daemon that was just told to end, or the copy of a lock in a process that is being
            // started, is gone in a moment.
            let lock = try FileLock(path: home.daemonLock, waiting: 0.5)
            lock.sign("process \(ProcessInfo.processInfo.processIdentifier), a restore")
            return lock
        } catch FileLock.Failure.held(let holder) {
            throw Refusal(
                .refused, code: "daemon_running",
                "letsmeetd works on \(home.path) (\(holder)). Stop it first, then restore. "
                    + "Nothing was changed.")
        }
    }
}

extension Refusal {
    /// Says what is wrong with a backup, or with the file that was to become one.
    init(_ fault: BackupFault, file: String) {
        switch fault {
        case .foreign:
            self.init(
                .invalid, code: "bad_backup",
                "\(file) is no backup of letsmeet. Nothing was changed.")
        case .damaged(let detail):
            self.init(
                .invalid, code: "bad_backup",
                "\(file) is damaged (\(detail)). Nothing was changed; try an older backup.")
        case .altered(let part):
            self.init(
                .invalid, code: "bad_backup",
                "\(file) was changed by another program: \(part). Nothing was changed; try an "
                    + "older backup.")
        case .newer:
            self.init(
                .refused, code: "newer_version",
                "\(file) was written by a newer letsmeet. Use that version. Nothing was changed.")
        case .inaccessible(let path):
            self.init(.invalid, code: "no_file", Self.unread(path))
        case .unwritable(let path):
            self.init(
                .invalid, code: "no_file",
                "\(path) cannot be written. Check that its folder is there, and who owns it.")
        case .isAnother(let path):
            self.init(
                .refused, code: "file_exists",
                "\(path) is there already and is no backup of letsmeet: it is not replaced. "
                    + "Name another file.")
        case .isDatabase(let path):
            self.init(
                .refused, code: "is_database",
                "\(path) is the database of this home itself. Name another file.")
        case .isInUse(let path):
            self.init(
                .refused, code: "in_use",
                "Another command works on \(path). Let it end, then restore. Nothing was changed.")
        case .isUnsure(let path, let detail):
            self.init(
                .unreachable, code: "unsure",
                "\(path) is in its place, but its disk did not say that it lasts (\(detail)). "
                    + "Check the disk, and look whether the file is whole.")
        case .exists(let path):
            self.init(
                .refused, code: "file_exists",
                "\(path) is there already. Name another file, or replace a backup with --force.")
        }
    }

    private static func unread(_ path: String) -> String {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder.boolValue { return "\(path) is a folder. Name a file." }
        return exists
            ? "\(path) cannot be read. Check who owns it." : "There is no file \(path)."
    }
}
