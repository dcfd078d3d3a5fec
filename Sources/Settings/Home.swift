import Foundation

/// The folder in which one installation keeps all that is its own.
public struct Home: Equatable, Sendable {
    /// Its path.
    public let path: String

    /// Finds the home: the option, else `LETSMEET_HOME`, else `letsmeet` in `XDG_DATA_HOME`, else
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
    /// The configuration.
    public var configuration: String { path + "/letsmeet.yaml" }
    /// The file whose lock the daemon of this home holds.
    public var daemonLock: String { path + "/letsmeetd.lock" }
    /// The file whose lock is held by who looks for answers that come in by mail.
    public var mailLock: String { path + "/mail.lock" }
    /// The key by which this installation makes private links.
    public var key: String { path + "/letsmeet.key" }
    /// Templates that replace shipped ones.
    public var templates: String { path + "/templates" }

    /// What replaces the shipped crontab.
    public var crontab: String { path + "/crontab" }
    /// The folder of the backups that the daemon makes.
    public var backups: String { path + "/backups" }
    /// The folder in which commands leave a sign that they began.
    public var runs: String { path + "/runs" }

    /// Whether a path is that of a file which this home has for itself, there or not: nothing else
    /// may be written under such a name.
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
        "runs",
        "letsmeet.sqlite-wal", "letsmeet.sqlite-shm", "letsmeet.sqlite-journal",
        "letsmeet.sqlite.opening",
    ]

    /// Makes the folder where there is none, readable by its owner alone.
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
