import Foundation
package import Planning
import Settings
package import Storage
import Timekeeping

/// The folder in which the daemon keeps backups, and the names of the files in it.
package struct BackupFolder {
    /// A backup in the folder.
    package struct Entry: Equatable, Sendable {
        /// The name of the file, which has the time of the backup in UTC.
        package let name: String
        /// The size in bytes.
        package let bytes: Int64
    }

    /// The path of the folder.
    package let folder: String
    private let now: Moment

    /// The folder of a home.
    ///
    /// - Parameter planner: the planner of the home.
    package init(of planner: Planner) {
        folder = planner.surroundings.home.backups
        now = planner.now
    }

    /// The backups in the folder, the newest first; none if there is no folder.
    package var entries: [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap(Backup.init).sorted().reversed().map { backup in
            let facts = try? FileManager.default.attributesOfItem(
                atPath: "\(folder)/\(backup.name)")
            return Entry(name: backup.name, bytes: facts?[.size] as? Int64 ?? 0)
        }
    }

    /// Creates the folder, readable only by its owner, unless it exists.
    private func make() throws(Refusal) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Refusal(
                .refused, code: "unwritable",
                "The folder \(folder) cannot be created. Check the permissions of its parent.")
        }
    }

    /// The current time as used in file names: `20261122T040000Z`.
    private var stamp: String {
        now.utcText.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// The path of a new backup made now, not in use by any other file:
    /// `letsmeet-20261122T040000Z.backup`, or `letsmeet-20261122T040000Z-2.backup`.
    private var newFile: String {
        let plain = "letsmeet-\(stamp)"
        let known = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Another backup of this second may not be finished yet.
        let free = ([plain] + (2...99).map { "\(plain)-\($0)" }).first { name in
            !known.contains { $0.hasPrefix("\(name).backup") }
        }
        return "\(folder)/\(free ?? plain).backup"
    }

    /// Makes a backup of the home in this folder.
    ///
    /// - Parameters:
    ///   - planner: a planner that acts for the owner.
    ///   - mayGoOn: hears of the progress, and says whether the backup may go on.
    /// - Returns: the contents of the verified backup.
    /// - Throws: as ``Planner/backup(to:overwriting:mayGoOn:)``, and ``Refusal`` with `unwritable`.
    package func backUp(
        _ planner: Planner, mayGoOn: @escaping BackupProgress = { _, _ in true }
    ) async throws -> BackupReport {
        try planner.checkIsOwner(to: "make a backup")
        try make()
        return try await planner.backup(to: newFile, overwriting: false, mayGoOn: mayGoOn)
    }

    /// Removes the oldest backups and the unfinished files of dead processes, and no other files.
    /// Backups with a time in the future, made while the clock was ahead, stay until that time.
    ///
    /// - Returns: the number of backups removed.
    package func removeAll(but count: Int) throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        for name in names where isAbandoned(name) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let old = names.compactMap(Backup.init).filter { $0.stamp <= stamp }.sorted()
        for backup in old.dropLast(count) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(backup.name)")
        }
        return max(0, old.count - count)
    }

    private func isAbandoned(_ name: String) -> Bool {
        name.hasPrefix("letsmeet-") && name.contains(".backup.unfinished-")
            && AbandonedFiles.isAbandoned(name)
    }

    /// A backup identified by its file name. Backups sort oldest first.
    private struct Backup: Comparable {
        let name: String
        let stamp: String
        let number: Int

        init?(_ name: String) {
            guard let match = name.wholeMatch(of: /letsmeet-(\d{8}T\d{6}Z)(?:-(\d+))?\.backup/)
            else { return nil }
            self.name = name
            stamp = String(match.1)
            number = match.2.flatMap { Int($0) } ?? 1
        }

        static func < (first: Backup, second: Backup) -> Bool {
            (first.stamp, first.number) < (second.stamp, second.number)
        }
    }
}
