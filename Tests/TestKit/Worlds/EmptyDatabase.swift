import Foundation
import Storage

/// A database with the newest schema and no data. It is made once in a process and copied for each
/// test, because applying all schema steps takes longer than most tests.
enum EmptyDatabase {
    private static let contents: Data? = {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "letsmeet-empty-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "letsmeet.sqlite")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Store(path: file.path(percentEncoded: false)).close()
        return try? Data(contentsOf: file)
    }()

    /// Writes the database to a path, unless a file or the log of a lost one is there.
    static func put(at path: String) {
        let files = FileManager.default
        guard let contents, !files.fileExists(atPath: path), !Store.hasLogAlone(path) else {
            return
        }
        _ = files.createFile(
            atPath: path, contents: contents, attributes: [.posixPermissions: 0o600])
    }
}
