private import Glibc
private import Synchronization

/// The time zones in a folder of TZif files, as the package tzdata installs them.
///
/// ```swift
/// let zones = ZoneDirectory()
/// let helsinki = try zones.zone("europe/helsinki")
/// helsinki.id == "Europe/Helsinki"
/// ```
///
/// Each file is read once and cached. If ``version`` changes, create a new directory to read the
/// new rules.
public final class ZoneDirectory: Sendable {
    /// The folder with the files on Linux systems.
    public static let defaultPath = "/usr/share/zoneinfo"
    /// The maximum length of a name that is looked up, in bytes.
    public static let idBytesMax = 100
    /// The maximum size of a file that is read. The file with the list of names has about 110 KB.
    private static let fileBytesMax = 4 << 20

    /// The folder.
    public let path: String
    private let state = Mutex(State())

    private struct State {
        var zones: [String: Zone] = [:]
        var names: ZoneNames?
    }

    /// Creates a directory of the time zones in the folder at `path`, or at ``defaultPath``. It
    /// reads nothing yet.
    public init(path: String? = nil) {
        self.path = path ?? ZoneDirectory.defaultPath
    }

    /// The time zone with a name. The name may be in upper or lower case, with spaces or
    /// underscores.
    ///
    /// "UTC", "Z", offsets such as "+03:00" and whole rules such as "EET-2EEST,M3.5.0/3,M10.5.0/4"
    /// work even if the folder is missing.
    ///
    /// - Throws: ``ZoneError``. The names of folders, of other files and of files outside of the
    ///   folder are unknown.
    public func zone(_ id: String) throws(ZoneError) -> Zone {
        guard let zone = try found(id) else {
            let near = nearest(toRule: id)
            throw .unknown(id: id, nearest: near.isEmpty ? names.nearest(to: id) : near)
        }
        return zone
    }

    /// The zone with a name, without a search for similar names; `nil` if it is unknown or cannot
    /// be read.
    public func zoneIfKnown(_ id: String) -> Zone? { (try? found(id)) ?? nil }

    private func found(_ id: String) throws(ZoneError) -> Zone? {
        if let known = state.withLock({ $0.zones[id] }) { return known }
        if let zone = Zone(withoutFile: id) { return zone }
        if let zone = try zoneFile(id, as: id) { return zone }
        guard let name = names.corrected(id) else { return nil }
        if let zone = Zone(withoutFile: name) { return zone }
        if let zone = try zoneFile(name, as: name) { return zone }
        guard let target = names.targets[name], let zone = try zoneFile(target, as: name) else {
            throw .unknown(id: id, nearest: [])
        }
        return zone
    }

    /// The contents of the file of a time zone, read again on each call; `nil` if it has no file,
    /// or the file cannot be read.
    public func fileContents(of id: String) -> [UInt8]? {
        guard Zone(withoutFile: id) == nil, ZoneDirectory.isPlain(id) else { return nil }
        return try? file(id, bytesMax: ZoneDirectory.fileBytesMax)
    }

    /// The names of all time zones, including links, in alphabetical order.
    public var identifiers: [String] { names.identifiers }

    /// The version of the rules, for example "2026f", read again on each call; nil if the folder
    /// does not contain it.
    public var version: String? {
        if let data = try? file("tzdata.zi", bytesMax: 64) {
            let words = data.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
            if words.count == 3, words[1].elementsEqual("version".utf8) {
                return String(decoding: words[2], as: UTF8.self)
            }
        }
        guard let data = try? file("+VERSION", bytesMax: 64) else { return nil }
        return String(decoding: data.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// The time zone of this machine: from the variable TZ if it is set, otherwise from
    /// /etc/localtime or /etc/timezone, otherwise UTC.
    ///
    /// As in the C library, a TZ that is not valid means UTC.
    public func systemZone(tzVariable: String?) -> Zone {
        systemZone(tzVariable: tzVariable, settings: "/etc")
    }

    func systemZone(tzVariable: String?, settings: String) -> Zone {
        if let tzVariable {
            let value = tzVariable.first == ":" ? String(tzVariable.dropFirst()) : tzVariable
            return (try? zone(ZoneDirectory.id(inPath: value))) ?? .utc
        }
        if let target = ZoneDirectory.link(settings + "/localtime"),
            let zone = try? zone(ZoneDirectory.id(inPath: target))
        {
            return zone
        }
        let data = (try? ZoneDirectory.contents(settings + "/timezone", bytesMax: 256)) ?? []
        let line = data.prefix { $0 > UInt8(ascii: " ") }
        return (try? zone(String(decoding: line, as: UTF8.self))) ?? .utc
    }
}

extension Zone {
    /// Creates a time zone whose name is its complete definition.
    fileprivate init?(withoutFile id: String) {
        if id == "UTC" || id == "Z" || id == "z" {
            self = .utc
        } else if let offset = ISO8601.offsetSeconds(id) {
            self.init(fixedOffsetSeconds: offset)
        } else if id.utf8.contains(UInt8(ascii: ",")) {
            self.init(posix: id)
        } else {
            return nil
        }
    }
}

/// Lookup of names.
extension ZoneDirectory {
    private var names: ZoneNames {
        if let names = state.withLock({ $0.names }) { return names }
        let names = readNames()
        state.withLock { $0.names = names }
        return names
    }

    private func readNames() -> ZoneNames {
        guard let data = try? file("tzdata.zi", bytesMax: ZoneDirectory.fileBytesMax) else {
            return ZoneNames(identifiers: walk("", depth: 0))
        }
        return ZoneNames(zi: String(decoding: data, as: UTF8.self))
    }

    /// The names of the zone files below a folder, without the copies of all zones in "posix" and
    /// "right".
    private func walk(_ folder: String, depth: Int) -> [String] {
        guard depth <= 3, let handle = opendir(path + "/" + folder) else { return [] }
        defer { closedir(handle) }
        var found: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let id = folder.isEmpty ? name : folder + "/" + name
            guard ZoneDirectory.isPlain(id) else { continue }
            if let start = try? file(id, bytesMax: 4) {
                if start.elementsEqual("TZif".utf8) { found.append(id) }
            } else {
                found += walk(id, depth: depth + 1)
            }
        }
        return found
    }

    /// True if a name can be the name of a zone file in the folder: it does not leave the folder,
    /// and it is not a hidden file. Names of zones and regions begin with a capital letter.
    /// Lower-case letters begin other files, and the folders "posix" and "right" with copies of all
    /// zones. The copies in "right" count leap seconds, and are valid only as long as the leap
    /// seconds are known.
    private static func isPlain(_ id: String) -> Bool {
        let parts = id.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return id.utf8.count <= idBytesMax && !id.utf8.contains(0)
            && capitals.contains(id.utf8.first ?? 0)
            && parts.allSatisfy { !$0.isEmpty && $0.first != UInt8(ascii: ".") }
    }

    /// The zone name in a path: "Europe/Paris" in ".../zoneinfo/Europe/Paris" and in
    /// ".../zoneinfo/posix/Europe/Paris". Any other text is returned unchanged.
    private static func id(inPath path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let folder = parts.lastIndex(of: "zoneinfo") else { return path }
        return parts[(folder + 1)...].drop { $0 == "posix" || $0 == "right" }
            .joined(separator: "/")
    }
}

/// Access to files.
extension ZoneDirectory {
    /// The time zone in a file, which is then cached; nil if there is no zone file with this name.
    private func zoneFile(_ name: String, as id: String) throws(ZoneError) -> Zone? {
        guard ZoneDirectory.isPlain(name) else { return nil }
        let data: [UInt8]
        do throws(FileError) {
            data = try file(name, bytesMax: ZoneDirectory.fileBytesMax)
        } catch {
            guard error.isAbsence else { throw .unreadable(id: id, errno: error.number) }
            return nil
        }
        guard data.starts(with: "TZif".utf8) else { return nil }
        let zone = try Zone(id: id, tzif: data)
        state.withLock { $0.zones[id] = zone }
        return zone
    }

    private func file(_ name: String, bytesMax: Int) throws(FileError) -> [UInt8] {
        try ZoneDirectory.contents(path + "/" + name, bytesMax: bytesMax)
    }

    private struct FileError: Error {
        let number: CInt

        /// True if there is no such file; false if it exists but cannot be read.
        var isAbsence: Bool { [ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG].contains(number) }
    }

    /// The first `bytesMax` bytes of a file.
    private static func contents(_ path: String, bytesMax: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(number: errno) }
        defer { close(descriptor) }
        var data: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(bytesMax, 16_384))
        while data.count < bytesMax {
            let count = read(descriptor, &chunk, min(chunk.count, bytesMax - data.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(number: errno) }
            guard count > 0 else { break }
            data += chunk.prefix(count)
        }
        return data
    }

    /// The target of a symbolic link; nil for anything else.
    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
