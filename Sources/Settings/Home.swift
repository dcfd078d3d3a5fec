import Foundation

/// The home folder, which contains everything of one installation.
public struct Home: Equatable, Sendable {
    /// The path of the folder.
    public let path: String

    /// Finds the home folder: the option, or `LETSMEET_HOME`, or `letsmeet` in `XDG_DATA_HOME`, or
    /// `~/.local/share/letsmeet`.
    public init(option: String?, environment: [String: String]) {
        let given = option ?? environment["LETSMEET_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? "/") + "/.local/share"
        let path = given ?? data + "/letsmeet"
        self.path = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
            .trimmingSuffix("/")
    }

    /// The database.
    public var database: String { path + "/letsmeet.sqlite" }
    /// The configuration file.
    public var configuration: String { path + "/letsmeet.yaml" }
    /// The lock file of the daemon.
    public var daemonLock: String { path + "/letsmeetd.lock" }
    /// The lock file of the process that reads answers from mail.
    public var mailLock: String { path + "/mail.lock" }
    /// The key with which this installation creates private links.
    public var key: String { path + "/letsmeet.key" }
    /// Templates that replace the built-in ones.
    public var templates: String { path + "/templates" }

    /// The crontab that replaces the built-in one.
    public var crontab: String { path + "/crontab" }
    /// The folder of the daemon's backups.
    public var backups: String { path + "/backups" }
    /// The folder of secrets that were given on a page.
    public var secrets: String { path + "/secrets" }

    /// The file of a secret that was given on a page.
    public func secret(_ name: SettingName) -> String { "\(secrets)/\(name.rawValue)" }

    /// The folder of the pictures of people.
    public var pictures: String { path + "/pictures" }
    /// The folder for files of forms until they are read.
    public var uploads: String { path + "/uploads" }
    /// The folder in which commands leave a marker when they start.
    public var runs: String { path + "/runs" }

    /// True if a path is reserved for a file of this home, whether or not the file exists. No other
    /// file may be written there.
    public func keeps(_ path: String) -> Bool {
        let file = URL(filePath: path)
        let isHere =
            Self.place(of: file.deletingLastPathComponent())
            == Self.place(of: URL(filePath: self.path))
        return isHere && Self.ownNames.contains(file.lastPathComponent)
    }

    private static func place(of folder: URL) -> String {
        folder.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
            .trimmingSuffix("/")
    }

    private static let ownNames: Set<String> = [
        "letsmeet.yaml", "letsmeetd.lock", "letsmeet.key", "templates", "crontab", "backups",
        "runs", "mail.lock", "uploads", "secrets", "pictures",
        "letsmeet.sqlite-wal", "letsmeet.sqlite-shm", "letsmeet.sqlite-journal",
        "letsmeet.sqlite.opening", "letsmeet.sqlite.sending",
    ]

    /// True if a path below a home folder belongs to the files and folders that a backup contains
    /// beside the database. It has no part that leads out of the folder.
    public static func isBackedUp(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, !path.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else { return false }
        return parts.count == 1
            ? backedUpFiles.contains(String(first)) : backedUpFolders.contains(String(first))
    }

    /// True if a path below the home folder is a symbolic link, or leads through one, so that
    /// something outside the home may be meant. The home folder itself may be a link.
    public func leadsThroughLink(_ path: String) -> Bool {
        var place = self.path
        return path.split(separator: "/").contains { part in
            place += "/\(part)"
            var status = stat()
            return lstat(place, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        }
    }

    /// The files that a backup contains beside the database.
    public static let backedUpFiles = ["letsmeet.yaml", "letsmeet.key", "crontab"]
    /// The folders that a backup contains, with all their files.
    public static let backedUpFolders = ["templates", "secrets", "pictures"]

    /// True if nothing was set up in this home: it has neither a database nor a configuration.
    public var isNew: Bool {
        ![database, configuration].contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// Creates the folder if it does not exist, readable only by its owner.
    ///
    /// - Throws: ``SettingsError/homeNotWritable(path:)``, ``SettingsError/homeIsFile(path:)``.
    public func make() throws(SettingsError) {
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            guard isFolder.boolValue else { throw .homeIsFile(path: path) }
            return
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .homeNotWritable(path: path)
        }
    }
}

extension String {
    func trimmingSuffix(_ suffix: Character) -> String {
        var text = self[...]
        while text.count > 1, text.last == suffix { text = text.dropLast() }
        return String(text)
    }
}
