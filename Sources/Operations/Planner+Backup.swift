public import Agenda
import Foundation
public import Planning
import Settings
public import Storage
import Timekeeping

/// The contents of a backup, or of a restored database.
public struct BackupReport: Encodable, Sendable {
    /// The path of the backup.
    public let file: String
    /// Its size in bytes.
    public let bytes: Int64
    /// The number of meetings.
    public let meetings: Int
    /// The number of contacts.
    public let people: Int
    /// The number of rows in the ledger.
    public let deliveries: Int
    /// The other files of the home in the backup, below the home folder.
    public let files: [String]
    /// After a restore, the path of the replaced database.
    @Null public var previous: String?
    /// After a restore, the folder of the other replaced files.
    @Null public var previousFiles: String?
    /// After a restore, the number of deliveries that are due now.
    @Null public var due: Int?
    /// Further facts that the owner should know.
    public let remarks: [Remark]

    init(_ restored: RestoredDatabase, file: String, at home: OwnerProfile) {
        self.init(
            restored.contents, restored.home, file: file,
            remarks: RestoreRemarks.of(restored, at: home))
        previous = restored.previous
        due = restored.dueDeliveries
    }

    init(
        _ contents: BackupContents, _ home: HomeCopy?, file: String, remarks: [Remark] = []
    ) {
        self.remarks = remarks
        self.file = file
        files = home.map { $0.files.map(\.path) } ?? []
        bytes = contents.bytes
        meetings = contents.meetings
        people = contents.people
        deliveries = contents.deliveries
    }
}

extension Planner {
    /// Copies the whole home into one file: the database, the settings, the key, the crontab, the
    /// templates, and secrets that were given on a page. A daemon may run meanwhile.
    ///
    /// - Parameters:
    ///   - path: the path of the new backup.
    ///   - isOverwriting: true to replace an existing backup at that path.
    ///   - mayGoOn: hears of the progress, and says whether the backup may go on.
    /// - Returns: the contents of the verified copy.
    /// - Throws: ``Refusal`` with `not_allowed`, `file_exists`, `is_database`, `no_file` or
    ///   `store`; or with `unsure` if the backup was written but may not be on the disk yet;
    ///   `CancellationError` if it may not go on.
    public func backup(
        to path: String, overwriting isOverwriting: Bool,
        mayGoOn: @escaping BackupProgress = { _, _ in true }
    ) async throws -> BackupReport {
        try checkIsOwner(to: "make a backup")
        try Refusal.checkNames(path, a: "file")
        guard !surroundings.home.keeps(path) else {
            throw Refusal(
                .refused, code: "file_exists",
                "The home folder uses \(path) for its own files. Choose another path.")
        }
        do {
            let found = HomeFiles(of: surroundings.home)
            let copy = HomeCopy(
                host: surroundings.hostName, home: surroundings.home.path, madeAt: now,
                hasDaemon: isDaemonRunning, files: found.files)
            let contents = try await store.backup(
                to: path, overwriting: isOverwriting, with: copy, mayGoOn: mayGoOn)
            return BackupReport(
                contents, copy, file: path, remarks: Self.remarks(onLeftOut: found.leftOut))
        } catch let fault as BackupFault {
            throw Refusal(fault, file: path)
        }
    }

    private static func remarks(onLeftOut paths: [String]) -> [Remark] {
        guard !paths.isEmpty else { return [] }
        let more = paths.count > 5 ? " and \(paths.count - 5) more" : ""
        return [
            Remark(
                "Not in the backup, because these are no regular files, are too large or cannot be "
                    + "read: \(paths.prefix(5).joined(separator: ", "))\(more).")
        ]
    }

    /// Replaces the database of a home and its other files by a backup, even if that database
    /// cannot be opened. What is replaced is kept beside it.
    ///
    /// - Parameters:
    ///   - surroundings: the home and the clock.
    ///   - path: the path of the backup.
    /// - Returns: the contents of the restored database.
    /// - Throws: ``Refusal`` with `not_allowed`, `daemon_running`, `in_use`, `no_file`,
    ///   `bad_backup`, `linked_folder` or `newer_version`, and nothing has changed then; or with
    ///   `unsure` if the backup was restored but may not be on the disk yet.
    public static func restore(
        _ surroundings: PlannerSurroundings, from path: String
    ) async throws -> BackupReport {
        try await checkMayRestore(surroundings)
        try Refusal.checkNames(path, a: "file")
        let home = surroundings.home
        try home.make()
        let lock = try daemonLock(of: home)
        defer { lock.release() }
        for path in HomeFiles.abandoned(in: home, withStaged: true) {
            unlink("\(home.path)/\(path)")
        }
        let now = surroundings.clock.now
        let staged = StagedFiles(in: home, now: now)
        defer { staged.discard() }
        do {
            let restored = try Store.restore(home.database, from: path, now: now) { copy in
                try staged.stage(copy?.files ?? [])
            }
            var report = BackupReport(restored, file: path, at: surroundings.ownerProfile)
            report.previousFiles = try staged.finish()
            return report
        } catch let fault as BackupFault {
            throw Refusal(fault, file: path)
        }
    }

    /// Checks that the actor may restore: only the owner may.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    public static func checkMayRestore(_ surroundings: PlannerSurroundings) async throws {
        try await checkIsOwner(to: "restore a backup", in: surroundings)
    }

    /// Takes the lock of the daemon, so that no daemon runs or starts while the database is
    /// replaced.
    private static func daemonLock(of home: Home) throws -> FolderLock {
        do {
            // A daemon that is stopping, or a process that inherited the lock while it is being
            // started, releases it in a moment.
            let lock = try FolderLock(on: home.path, file: home.daemonLock, waiting: 0.5)
            lock.sign("process \(ProcessInfo.processInfo.processIdentifier), a restore")
            return lock
        } catch FileLock.Failure.held(let holder) {
            throw Refusal(
                .refused, code: "daemon_running",
                "A daemon is running on \(home.path) (\(holder)). Stop it, then restore again. "
                    + "Nothing was changed.")
        } catch FileLock.Failure.folderLocked(let folder) {
            throw Refusal(
                .refused, code: "daemon_running",
                "Another process has locked the folder \(folder). Stop it, then restore again. "
                    + "Nothing was changed.")
        }
    }
}

extension Refusal {
    private static func isEmpty(_ file: String) -> Bool {
        let facts = try? FileManager.default.attributesOfItem(atPath: file)
        return facts?[.type] as? FileAttributeType == .typeRegular && facts?[.size] as? Int == 0
    }

    /// Describes the error of a backup, or of the file that was to become one.
    init(_ fault: BackupFault, file: String) {
        switch fault {
        case .foreign:
            self.init(
                .invalid, code: "bad_backup",
                Self.isEmpty(file)
                    ? "\(file) is empty, so the backup was not completed. Nothing was changed. "
                        + "Try an older backup."
                    : "\(file) is not a backup of letsmeet. Nothing was changed. Give the file "
                        + "that a backup wrote.")
        case .damaged(let detail):
            self.init(
                .invalid, code: "bad_backup",
                "\(file) is damaged (\(detail)). Nothing was changed. Try an older backup.")
        case .altered(let part):
            self.init(
                .invalid, code: "bad_backup",
                "Another program changed \(file): \(part). Nothing was restored. Try an older "
                    + "backup.")
        case .newer:
            self.init(
                .refused, code: "newer_version",
                "\(file) was written by a newer version of letsmeet. Restore it with that version. "
                    + "Nothing was changed.")
        case .inaccessible(let path):
            self.init(.invalid, code: "no_file", Self.unread(path))
        case .unwritable(let path):
            self.init(
                .invalid, code: "no_file",
                "\(path) cannot be written. Check that its folder exists, and who owns it.")
        case .isAnother(let path):
            self.init(
                .refused, code: "file_exists",
                "\(path) already exists and is not a backup of letsmeet, so it is not replaced. "
                    + "Choose another path.")
        case .isFolder(let path):
            self.init(
                .refused, code: "file_exists",
                "\(path) is a folder. Give the path of a file in it.")
        case .isDatabase(let path):
            self.init(
                .refused, code: "is_database",
                "\(path) is the database of this home. Choose another path.")
        case .isInUse(let path):
            self.init(
                .refused, code: "in_use",
                "Another command is using \(path). Wait until it ends, then restore again. "
                    + "Nothing was changed.")
        case .isUnsure(let path, let detail):
            self.init(
                .unreachable, code: "unsure",
                "\(path) was written, but the disk did not confirm that it is stored (\(detail)). "
                    + "Check the disk, and that the file is complete.")
        case .exists(let path):
            self.init(
                .refused, code: "file_exists",
                "\(path) already exists. Name another file.",
                advice: [.installation(.replaceBackup)])
        }
    }

    private static func unread(_ path: String) -> String {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder.boolValue { return "\(path) is a folder. Give a file." }
        return exists
            ? "\(path) cannot be read. Check who owns it." : "There is no file \(path)."
    }
}
