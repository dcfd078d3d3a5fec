import Foundation
import Planning
import Storage
import Timekeeping

/// The folder in which the daemon keeps backups, and the names of the files in it.
struct BackupFolder {
    let folder: String
    let now: Moment

    /// Creates the folder, readable only by its owner, unless it exists.
    func make() throws(Refusal) {
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
    var newFile: String {
        let plain = "\(folder)/letsmeet-\(stamp)"
        let names = [plain] + (2...99).map { "\(plain)-\($0)" }
        let free = names.first { !FileManager.default.fileExists(atPath: "\($0).backup") }
        return "\(free ?? plain).backup"
    }

    /// Removes the oldest backups and the unfinished files of dead processes, and no other files.
    /// Backups with a time in the future, made while the clock was ahead, stay until that time.
    ///
    /// - Returns: the number of backups removed.
    func removeAll(but count: Int) throws -> Int {
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
