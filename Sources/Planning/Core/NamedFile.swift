import Foundation
import Interchange

/// A file that is read as a whole. The user named it, or named the folder in which it was found.
package struct NamedFile {
    /// The file name that stands for standard input.
    static let standardInput = "-"

    let path: String
    /// True if the user named this file itself, and not its folder.
    var isNamed = true
    /// The time to wait for a program that writes to a named pipe, in milliseconds.
    var patienceMilliseconds: CInt = 10_000

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
        case silent
        case own
        case tooLong(bytes: Int)
        case endless

        var reason: String {
            switch self {
            case .unreadable(let errno):
                "cannot be read: \(String(cString: strerror(errno)))"
            case .special: "is not a regular file"
            case .silent: "is a pipe to which no program writes"
            case .own: "is letsmeet's own database"
            case .tooLong(let bytes): ContactLimits.refusal(ofBytes: bytes).description
            case .endless: "is larger than the \(ContactLimits.fileBytesMax) bytes that can be read"
            }
        }

        /// True if the report lists the file as skipped, even if the user named it.
        var isSkipped: Bool {
            switch self {
            case .tooLong, .endless: true
            case .unreadable, .special, .silent, .own: false
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
    /// user named ends when its writer closes it; a named pipe without a writer is refused after
    /// ``patienceMilliseconds``.
    func contents() throws(Fault) -> [UInt8] {
        guard path != Self.standardInput else { return try Self.contents(of: .standardInput) }
        guard let facts else { throw .unreadable(errno: errno) }
        guard facts.st_mode.isFile || facts.st_mode.isPipe && isNamed else { throw .special }
        guard !facts.st_mode.isFile || facts.st_size <= ContactLimits.fileBytesMax else {
            throw .tooLong(bytes: Int(facts.st_size))
        }
        // Otherwise open(2) waits for a writer of a named pipe, perhaps forever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(errno: errno) }
        // Not mapped into memory: if the file became shorter meanwhile, the program would end.
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard facts.st_mode.isPipe else { return try Self.contents(of: file) }
        let first = try firstOctet(ofPipe: descriptor)
        guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw .unreadable(errno: errno) }
        return try Self.contents(of: file, after: first)
    }

    /// Waits for a writer of a pipe that is read without waiting.
    ///
    /// - Parameter descriptor: the pipe.
    /// - Returns: the first octet if it was read already; otherwise nothing.
    /// - Throws: ``Fault/silent`` if no program has opened the pipe for writing.
    private func firstOctet(ofPipe descriptor: CInt) throws(Fault) -> [UInt8] {
        for isLast in [false, true] {
            var octet: UInt8 = 0
            switch read(descriptor, &octet, 1) {
            case 1: return [octet]
            case 0: break
            default:
                // A writer that has written nothing yet.
                guard errno == EAGAIN else { throw .unreadable(errno: errno) }
                return []
            }
            // The writer of a pipe without a name has ended: nobody else can write to it.
            if Self.isNameless(descriptor) { return [] }
            guard !isLast else { break }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One that came and wrote nothing also ends the waiting.
            if poll(&request, 1, patienceMilliseconds) > 0, request.revents & Int16(POLLIN) == 0 {
                return []
            }
        }
        throw .silent
    }

    /// True for a pipe between two processes, such as one that a shell makes for `<(…)`.
    private static func isNameless(_ descriptor: CInt) -> Bool {
        // Such a pipe is no file of a folder: proc(5) names it "pipe:[NUMBER]".
        var name = [CChar](repeating: 0, count: 16)
        let length = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
        return length > 0 && name.starts(with: "pipe:".utf8.map(CChar.init))
    }

    /// Reads a stream, whose length is unknown until it ends.
    private static func contents(
        of stream: FileHandle, after first: [UInt8] = []
    ) throws(Fault) -> [UInt8] {
        var bytes = first
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
            let name = path == Self.standardInput ? "Standard input" : path
            throw Refusal(.invalid, code: "unreadable_file", "\(name) \(error.reason).")
        }
    }
}

extension mode_t {
    fileprivate var isFile: Bool { self & S_IFMT == S_IFREG }
    fileprivate var isPipe: Bool { self & S_IFMT == S_IFIFO }
}
