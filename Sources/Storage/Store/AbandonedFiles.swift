import Foundation
import Glibc

/// Unfinished files of processes that were killed before they gave them their final names, such as
/// copies of a database.
public enum AbandonedFiles {
    /// True if a file name ends with the number of a process that is gone.
    public static func isAbandoned(_ name: String) -> Bool {
        guard let match = name.wholeMatch(of: #/.+\.unfinished-(\d+)(-\w+)?/#),
            let process = pid_t(match.1)
        else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }

    /// True if a file name ends with the time of a restore. If no restore is at work, the file was
    /// left by one that was killed.
    public static func isStaged(_ name: String) -> Bool {
        name.wholeMatch(of: #/.+\.unfinished-\d{8}T\d+/#) != nil
    }

    /// Removes the files that killed processes left beside a database. They may be copies of it.
    static func remove(beside path: String) {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        for name in names ?? [] where isAbandoned(name) { unlink(folder + "/" + name) }
    }
}
