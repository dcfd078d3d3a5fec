import Foundation
import Planning
import Timekeeping

/// The folder in which the daemon keeps backups, and what they are called.
struct BackupShelf {
    let folder: String

    /// Makes the folder where there is none, readable by its owner alone.
    func make() throws(Refusal) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Refusal(
                .refused, code: "unwritable",
                "The folder \(folder) cannot be made. See who owns what it lies in.")
        }
    }

    /// The file of a backup made now, which no other has yet: `letsmeet-20261122T040000Z.backup`.
    func file(at now: Moment) -> String {
        let digits = now.utcText.prefix(19).filter { $0 != "-" && $0 != ":" }
        let plain = "\(folder)/letsmeet-\(digits)Z"
        let names = [plain] + (2...99).map { "\(plain)-\($0)" }
        let free = names.first { !FileManager.default.fileExists(atPath: "\($0).backup") }
        return "\(free ?? plain).backup"
    }

    /// Removes the oldest backups, and nothing else that lies there.
    ///
    /// - Returns: how many.
    func removeAll(but count: Int) throws -> Int {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.wholeMatch(of: /letsmeet-\d{8}T\d{6}Z(-\d+)?\.backup/) != nil }
            .sorted()
        for file in files.dropLast(count) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
        }
        return max(0, files.count - count)
    }
}
