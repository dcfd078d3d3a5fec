import Foundation
public import Planning
public import Settings
import Timekeeping

/// Where a home's crontab is: its own, else the shipped one.
public struct CrontabFile: Sendable {
    /// The file.
    public let path: String
    /// Whether it is the shipped one.
    public let isShipped: Bool

    /// Finds the crontab of a home.
    public init(home: Home, shipped: ShippedFiles) {
        isShipped = !FileManager.default.fileExists(atPath: home.crontab)
        path = isShipped ? shipped.crontab : home.crontab
    }

    /// The crontab that is in use in a home.
    public init(_ surroundings: PlannerSurroundings) {
        self.init(home: surroundings.home, shipped: surroundings.shipped)
    }

    /// A file that somebody names.
    public init(path: String) {
        self.path = path
        isShipped = false
    }

    /// Reads the file.
    ///
    /// - Parameter setting: what its reading depends on.
    /// - Returns: the crontab, which may have faults.
    /// - Throws: ``Refusal`` with `no_file` or `bad_crontab` for what is no text.
    public func read(_ setting: Crontab.Setting) throws(Refusal) -> Crontab {
        guard let data = try? Self.contents(of: path) else {
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
        return Crontab(text, setting: setting.judging(mode: mode))
    }

    /// No more than can be a crontab is read, also of what never ends.
    private static func contents(of path: String) throws -> Data? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        return try file.read(upToCount: Crontab.bytesMax + 1) ?? Data()
    }

    private var mode: Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return facts?[.posixPermissions] as? Int ?? 0
    }
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
    fileprivate func judging(mode: Int) -> Crontab.Setting {
        guard shellRefusal == nil, mode & 0o022 != 0 else { return self }
        return Crontab.Setting(
            zones: zones, zone: zone,
            shellRefusal: "others may write this file, so it may not run commands. chmod go-w it.")
    }
}
