import Foundation
import Interchange

/// A file that is read as a whole. The user named it, or named the folder in which it was found.
package struct NamedFile {
    /// The file name that stands for standard input.
    static let standardInput = "-"

    let path: String
    /// True if the user named this file itself, and not its folder.
    var isNamed = true

    package init(path: String, isNamed: Bool = true) {
        self.path = path
        self.isNamed = isNamed
    }
}

extension NamedFile {
    /// The reason why a file is not read at all.
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
            case .special: "is not a regular file"
            case .own: "is letsmeet's own database"
            case .tooLong(let bytes): ContactLimits.refusal(ofBytes: bytes).description
            case .endless: "is larger than the \(ContactLimits.fileBytesMax) bytes that can be read"
            }
        }

        /// True if the report lists the file as skipped, even if the user named it.
        var isSkipped: Bool {
            switch self {
            case .tooLong, .endless: true
            case .unreadable, .special, .own: false
            }
        }
    }

    /// True for standard input and pipes, which can be read only once.
    package var isStream: Bool { path == Self.standardInput || facts?.st_mode.isPipe == true }

    /// The size of the file in bytes; `nil` if it cannot be found.
    var size: Int? { facts.map { Int($0.st_size) } }

    private var facts: stat? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts : nil
    }

    /// Reads the file. Devices are not opened, because reading them may never end. A pipe that the
    /// user named ends when its writer closes it.
    func contents() throws(Fault) -> [UInt8] {
        guard path != Self.standardInput else { return try Self.contents(of: .standardInput) }
        guard let facts else { throw .unreadable(errno: errno) }
        if facts.st_mode.isPipe, isNamed {
            guard let pipe = FileHandle(forReadingAtPath: path) else {
                throw .unreadable(errno: errno)
            }
            return try Self.contents(of: pipe)
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .special }
        let bytes = Int(facts.st_size)
        guard bytes <= ContactLimits.fileBytesMax else { throw .tooLong(bytes: bytes) }
        // Not mapped into memory: if the file became shorter meanwhile, the program would end.
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .unreadable(errno: errno)
        }
        return try Self.contents(of: file)
    }

    /// Reads a stream, whose length is unknown until it ends.
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

    /// Reads the file that the user named.
    ///
    /// - Throws: ``Refusal`` with `unreadable_file`.
    package func octets() throws(Refusal) -> [UInt8] {
        do throws(Fault) {
            return try contents()
        } catch {
            throw Refusal(.invalid, code: "unreadable_file", "\(path) \(error.reason).")
        }
    }
}

extension mode_t {
    fileprivate var isPipe: Bool { self & S_IFMT == S_IFIFO }
}
