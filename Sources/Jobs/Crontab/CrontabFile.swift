import Foundation
import Glibc
public import Planning
public import Settings
import StreamSafe
import Timekeeping

/// The crontab file of a home: its own if it has one, otherwise the built-in one.
public struct CrontabFile: Sendable {
    /// The path of the file.
    public let path: String
    /// Whether this is the built-in crontab.
    public let isShipped: Bool
    /// Whether the user named this file explicitly. Such a file may be a pipe.
    private let isNamed: Bool

    /// Finds the crontab of a home. An unreadable crontab in the home still counts as its crontab.
    public init(home: Home, shipped: ShippedFiles) {
        var facts = stat()
        isShipped = lstat(home.crontab, &facts) != 0 && errno == ENOENT
        path = isShipped ? shipped.crontab : home.crontab
        isNamed = false
    }

    /// The crontab in use in a home.
    public init(_ surroundings: PlannerSurroundings) {
        self.init(home: surroundings.home, shipped: surroundings.shipped)
    }

    /// A file named by the user.
    public init(path: String) {
        self.path = path
        isShipped = false
        isNamed = true
    }

    /// Reads the file.
    ///
    /// - Parameter setting: the zones, the default zone and the permission to run shell commands.
    /// - Returns: the crontab, which may have faults.
    /// - Throws: ``Refusal`` with `no_file` if the file cannot be read, `bad_crontab` if it is too
    ///   large or not UTF-8 text.
    public func read(_ setting: Crontab.Setting) throws(Refusal) -> Crontab {
        guard let file = opened(),
            let facts = CrontabFacts(descriptor: file.fileDescriptor),
            isNamed ? !facts.isFolder : facts.isOrdinary,
            let data = try? file.read(upToCount: Crontab.bytesMax + 1) ?? Data()
        else {
            throw Refusal(
                .invalid, code: "no_file", "The file \(path) does not exist or cannot be read.")
        }
        guard data.count <= Crontab.bytesMax else {
            throw Refusal(
                .invalid, code: "bad_crontab",
                "\(path) is larger than a megabyte, the limit for a crontab.")
        }
        guard !FileText.isUTF16(data) else {
            throw Refusal(
                .invalid, code: "bad_crontab", "\(path) is UTF-16 text. Save it as UTF-8.")
        }
        guard let text = FileText.utf8(data) else {
            throw Refusal(.invalid, code: "bad_crontab", "\(path) is not UTF-8 text.")
        }
        return Crontab(text.streamSafe, setting: setting.judging(facts))
    }
}

extension CrontabFile {
    /// Opens the file. A pipe without a writer would block, so only a file named by the user is
    /// opened in blocking mode.
    private func opened() -> FileHandle? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isNamed ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

/// The attributes of a file that reveal a change.
struct CrontabFacts: Equatable {
    private let device: UInt
    private let number: UInt
    private let size: Int
    private let mode: UInt32
    private let owner: UInt32
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the attributes of the file at `path`, following links; `nil` if there is none.
    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    init?(descriptor: CInt) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        device = UInt(facts.st_dev)
        number = UInt(facts.st_ino)
        size = Int(facts.st_size)
        mode = facts.st_mode
        owner = facts.st_uid
        // The change time also covers a new mode or a new name.
        seconds = facts.st_ctim.tv_sec
        nanoseconds = facts.st_ctim.tv_nsec
    }

    /// The time of the last change.
    var changedAt: Moment {
        Moment(milliseconds: Int64(seconds) * 1000 + Int64(nanoseconds) / 1_000_000)
    }

    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    var isOrdinary: Bool { mode & S_IFMT == S_IFREG }

    /// Whether only the superuser and the current user can write to the file.
    var isOurs: Bool { mode & 0o022 == 0 && (owner == 0 || owner == geteuid()) }
}

extension Crontab.Setting {
    /// The setting of a home.
    public init(_ surroundings: PlannerSurroundings) throws(Refusal) {
        self.init(
            zones: surroundings.zones, zone: try surroundings.crontabZone,
            shellRefusal: Self.refusal(of: surroundings.configuration))
    }

    private static func refusal(of configuration: Configuration) -> String? {
        guard !configuration.allowsShell else { return nil }
        return "shell commands are disabled. To allow them, set allow_shell: true in "
            + "letsmeet.yaml."
    }

    /// Disallows shell commands in a file that other users can write to.
    fileprivate func judging(_ facts: CrontabFacts) -> Crontab.Setting {
        guard shellRefusal == nil, !facts.isOurs else { return self }
        return Crontab.Setting(
            zones: zones, zone: zone,
            shellRefusal: "other users can write to this file, so it may not run commands. "
                + "Become its owner, and run chmod go-w on it.")
    }
}

/// Detects changes of the crontab file between two looks.
struct CrontabWatch {
    private var last: (path: String, facts: CrontabFacts?)?
    private var lookedAt: Moment?
    /// The estimated time of the last change: not before the previous look, not after the latest
    /// one.
    private(set) var changedAt: Moment?

    /// - Returns: true if the file has changed since the last look, and at the first look.
    mutating func look(at file: CrontabFile, now: Moment) -> Bool {
        let found = (path: file.path, facts: CrontabFacts(path: file.path))
        defer { (last, lookedAt) = (found, now) }
        guard let last, last == found else {
            let moment = min(found.facts?.changedAt ?? now, now)
            changedAt = max(lookedAt ?? now, moment)
            return true
        }
        return false
    }
}
