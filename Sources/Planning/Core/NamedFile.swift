import Foundation
import Interchange

/// A file that is read as a whole: named by somebody, or found in a folder that they named.
struct NamedFile {
    /// Stands for standard input where files are named.
    static let standardInput = "-"

    let path: String
    /// Whether somebody named this very file.
    var isNamed = true
}

extension NamedFile {
    /// Why a file is not read at all.
    enum Fault: Error {
        case unreadable(errno: Int32)
        case special
        case own
        case tooLong(bytes: Int)
        case endless

        var reason: String {
            switch self {
            case .unreadable(let errno):
                "cannot be read: \(String(cString: strerror(errno)))"
            case .special: "is no ordinary file"
            case .own: "is letsmeet's own database"
            case .tooLong(let bytes): ContactLimits.refusal(ofBytes: bytes)
            case .endless: "has more than the \(ContactLimits.fileBytesMax) bytes that are read"
            }
        }

        /// Whether the report tells it, also of a file that somebody named.
        var isSkipped: Bool {
            switch self {
            case .tooLong, .endless: true
            case .unreadable, .special, .own: false
            }
        }
    }

    /// Devices have no end that one could wait for, so that they are not even opened; a pipe that
    /// somebody named ends when its writer does.
    func contents() throws(Fault) -> [UInt8] {
        guard path != Self.standardInput else { return try Self.contents(of: .standardInput) }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .unreadable(errno: errno) }
        let kind = facts.st_mode & S_IFMT
        if kind == S_IFIFO, isNamed {
            guard let pipe = FileHandle(forReadingAtPath: path) else {
                throw .unreadable(errno: errno)
            }
            return try Self.contents(of: pipe)
        }
        guard kind == S_IFREG else { throw .special }
        let bytes = Int(facts.st_size)
        guard bytes <= ContactLimits.fileBytesMax else { throw .tooLong(bytes: bytes) }
        do {
            return Array(try Data(contentsOf: URL(filePath: path), options: .alwaysMapped))
        } catch {
            throw .unreadable(errno: access(path, R_OK) == 0 ? EIO : errno)
        }
    }

    /// Reads what says only at its end how long it is.
    private static func contents(of stream: FileHandle) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let part = try stream.read(upToCount: pieceBytes), !part.isEmpty {
                bytes += part
                if bytes.count > ContactLimits.fileBytesMax { break }
            }
        } catch {
            throw .unreadable(errno: EIO)
        }
        guard bytes.count <= ContactLimits.fileBytesMax else { throw .endless }
        return bytes
    }

    private static let pieceBytes = 1 << 16

    /// Its contents, for who named it.
    func octets() throws(Refusal) -> [UInt8] {
        do throws(Fault) {
            return try contents()
        } catch {
            throw Refusal(.invalid, code: "unreadable_file", "\(path) \(error.reason).")
        }
    }
}
