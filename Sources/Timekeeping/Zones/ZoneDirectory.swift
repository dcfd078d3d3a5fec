private import Glibc
private import Synchronization

/// The zones of a folder of TZif files, as the package tzdata installs them.
///
/// ```swift
/// let zones = ZoneDirectory()
/// let helsinki = try zones.zone("europe/helsinki")
/// helsinki.id == "Europe/Helsinki"
/// ```
///
/// Each file is read once and kept. When ``version`` changes, make a new directory to read the new
/// rules.
public final class ZoneDirectory: Sendable {
    /// Where Linux systems keep the files.
    public static let defaultPath = "/usr/share/zoneinfo"
    /// The longest name that is looked up, in bytes.
    public static let idBytesMax = 100
    /// The largest file that is read: those of the list of names have about 110 KB.
    private static let fileBytesMax = 4 << 20

    /// The folder.
    public let path: String
    private let state = Mutex(State())

    private struct State {
        var zones: [String: Zone] = [:]
        var names: ZoneNames?
    }

    /// The zones of the folder at `path`, or at ``defaultPath``. Nothing is read yet.
    public init(path: String? = nil) {
        self.path = path ?? ZoneDirectory.defaultPath
    }

    /// The zone with a name, spelled in any case, with spaces or underscores.
    ///
    /// "UTC", "Z", offsets such as "+03:00" and whole rules such as "EET-2EEST,M3.5.0/3,M10.5.0/4"
    /// are zones also where the folder is missing.
    ///
    /// - Throws: ``ZoneError``; the names of folders, of other files and of files elsewhere are
    ///   unknown.
    public func zone(_ id: String) throws(ZoneError) -> Zone {
        if let known = state.withLock({ $0.zones[id] }) { return known }
        if let zone = Zone(withoutFile: id) { return zone }
        if let zone = try zoneFile(id, as: id) { return zone }
        let names = names
        guard let name = names.corrected(id) else {
            throw .unknown(id: id, nearest: names.nearest(to: id))
        }
        if let zone = Zone(withoutFile: name) { return zone }
        if let zone = try zoneFile(name, as: name) { return zone }
        guard let target = names.targets[name], let zone = try zoneFile(target, as: name) else {
            throw .unknown(id: id, nearest: [])
        }
        return zone
    }

    /// The file with the rules of a zone, read anew each time; `nil` where it has none, or none
    /// that can be read.
    public func fileContents(of id: String) -> [UInt8]? {
        guard Zone(withoutFile: id) == nil, ZoneDirectory.isPlain(id) else { return nil }
        return try? file(id, bytesMax: ZoneDirectory.fileBytesMax)
    }

    /// The names of all zones, links too, in alphabetical order.
    public var identifiers: [String] { names.identifiers }

    /// The version of the rules, as "2026f", read anew each time; nil where the folder does not
    /// say.
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

    /// The zone in which this machine shows its times: that of the variable TZ where it is set,
    /// else that of /etc/localtime or /etc/timezone, else UTC.
    ///
    /// As in the C library, a TZ that means nothing means UTC.
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
    /// A zone whose name says all.
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

/// Names.
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

    /// The zone files below a folder, but for the copies of all zones in "posix" and "right".
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

    /// Whether a name can be that of a zone's file in the folder: no way out of it, and nothing
    /// hidden. Zones and regions begin with a capital; small letters begin other files and the
    /// folders "posix" and "right" with copies of all zones, of which the latter, with leap
    /// seconds, end when these are no longer known.
    private static func isPlain(_ id: String) -> Bool {
        let parts = id.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return id.utf8.count <= idBytesMax && !id.utf8.contains(0)
            && capitals.contains(id.utf8.first ?? 0)
            && parts.allSatisfy { !$0.isEmpty && $0.first != UInt8(ascii: ".") }
    }

    /// "Europe/Paris" of ".../zoneinfo/Europe/Paris" and of ".../zoneinfo/posix/Europe/Paris", and
    /// any other text as it is.
    private static func id(inPath path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let folder = parts.lastIndex(of: "zoneinfo") else { return path }
        return parts[(folder + 1)...].drop { $0 == "posix" || $0 == "right" }
            .joined(separator: "/")
    }
}

/// Files.
extension ZoneDirectory {
    /// The zone of a file, kept from then on; nil where there is no zone file of this name.
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

        /// Whether there is no such file, rather than one that cannot be read.
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

    /// Where a symbolic link points to, nil for anything else.
    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
