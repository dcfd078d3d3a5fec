import Foundation
import Glibc
public import Planning
public import Settings
import Timekeeping

/// Where a home's crontab is: its own, else the shipped one.
public struct CrontabFile: Sendable {
    /// The file.
    public let path: String
    /// Whether it is the shipped one.
    public let isShipped: Bool
    /// Whether somebody names this very file, which then may be a pipe.
    private let isNamed: Bool

    /// Finds the crontab of a home. One that cannot be read is there all the same.
    public init(home: Home, shipped: ShippedFiles) {
        var facts = stat()
        isShipped = lstat(home.crontab, &facts) != 0 && errno == ENOENT
        path = isShipped ? shipped.crontab : home.crontab
        isNamed = false
    }

    /// The crontab that is in use in a home.
    public init(_ surroundings: PlannerSurroundings) {
        self.init(home: surroundings.home, shipped: surroundings.shipped)
    }

    /// A file that somebody names.
    public init(path: String) {
        self.path = path
        isShipped = false
        isNamed = true
    }

    /// Reads the file.
    ///
    /// - Parameter setting: what its reading depends on.
    /// - Returns: the crontab, which may have faults.
    /// - Throws: ``Refusal`` with `no_file` or `bad_crontab` for what is no text.
    public func read(_ setting: Crontab.Setting) throws(Refusal) -> Crontab {
        guard let file = opened(),
            let facts = CrontabFacts(descriptor: file.fileDescriptor),
            isNamed ? !facts.isFolder : facts.isOrdinary,
            let data = try? file.read(upToCount: Crontab.bytesMax + 1) ?? Data()
        else {
            throw Refusal(
                .invalid, code: "no_file", "There is no file \(path) that can be read.")
        }
        guard data.count <= Crontab.bytesMax else {
            throw Refusal(
                .invalid, code: "bad_crontab", "\(path) is larger than a megabyte: no crontab.")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Refusal(.invalid, code: "bad_crontab", "\(path) is no UTF-8 text.")
        }
        return Crontab(text, setting: setting.judging(facts))
    }
}

extension CrontabFile {
    /// A pipe to which nobody writes is not waited for where nobody meant one.
    private func opened() -> FileHandle? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isNamed ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

/// What tells a file as it is from what it was before.
struct CrontabFacts: Equatable {
    private let device: UInt
    private let number: UInt
    private let size: Int
    private let mode: UInt32
    private let owner: UInt32
    private let seconds: Int
    private let nanoseconds: Int

    /// Of the file that a path leads to; `nil` where there is none.
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
        // Also another mode, or another name, is a change.
        seconds = facts.st_ctim.tv_sec
        nanoseconds = facts.st_ctim.tv_nsec
    }

    /// When it was changed last.
    var changedAt: Moment {
        Moment(milliseconds: Int64(seconds) * 1000 + Int64(nanoseconds) / 1_000_000)
    }

    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    var isOrdinary: Bool { mode & S_IFMT == S_IFREG }

    /// Whether nobody but the superuser and who runs this may write it.
    var isOurs: Bool { mode & 0o022 == 0 && (owner == 0 || owner == geteuid()) }
}

extension Crontab.Setting {
    /// What it depends on in a home.
    public init(_ surroundings: PlannerSurroundings) throws(Refusal) {
        self.init(
            zones: surroundings.zones, zone: try surroundings.crontabZone,
            shellRefusal: Self.refusal(of: surroundings.configuration))
    }

    private static func refusal(of configuration: Configuration) -> String? {
        guard !configuration.allowsShell else { return nil }
        return "commands of the shell are not run here. Who wants that sets allow_shell: true in "
            + "letsmeet.yaml."
    }

    /// A file that others may write does not say which commands run.
    fileprivate func judging(_ facts: CrontabFacts) -> Crontab.Setting {
        guard shellRefusal == nil, !facts.isOurs else { return self }
        return Crontab.Setting(
            zones: zones, zone: zone,
            shellRefusal: "others may write this file, so it may not run commands. Own it, and "
                + "chmod go-w it.")
    }
}
