import Agenda
import Settings
import Storage

/// The check of files that killed processes left.
extension Doctor {
    /// The most files that are listed.
    private static let filesMax = 10

    /// A warning if there are such files; otherwise nothing.
    var abandonedFilesChecks: [HealthCheck] {
        let isFree = !FolderLock.isHeld(on: home.path, file: home.daemonLock)
        let paths = HomeFiles.abandoned(in: home, withStaged: isFree)
        guard !paths.isEmpty else { return [] }
        let more = paths.count > Self.filesMax ? " and \(paths.count - Self.filesMax) more" : ""
        let listed = paths.prefix(Self.filesMax).joined(separator: ", ")
        return [
            HealthCheck(
                "unfinished files", .warning, "a process that was killed left \(listed)\(more)",
                advice: [
                    .say(
                        "They may be copies of the database. Remove them; a restore removes them, "
                            + "too.")
                ])
        ]
    }
}
