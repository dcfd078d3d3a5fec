import Foundation
import Glibc

/// A folder in which each mail is a file with a unique name (Maildir, D. J. Bernstein).
public struct Maildir: Sendable {
    /// The folder that contains `new` and `cur`.
    public let path: String

    /// A mail in the folder.
    public struct Entry: Hashable, Sendable {
        /// The permanent part of the file name, without the flags after it.
        public let name: String
        fileprivate let path: String
    }

    /// The content of an entry.
    public enum Content: Equatable, Sendable {
        /// A mail, with the time of its last write or move in seconds since 1970.
        case mail([UInt8], seconds: Int64)
        /// The beginning of a mail that is larger than the limit, with the same time.
        case large([UInt8], seconds: Int64)
        /// No file any more, because another program moved it.
        case gone
        /// Not a regular file, or not readable by this program.
        case unreadable
    }

    /// The error of a folder that cannot be used, in a sentence.
    public struct Fault: Error, Equatable {
        /// The sentence.
        public let message: String
    }

    /// Creates a folder.
    public init(path: String) {
        self.path = path
    }

    /// All entries, sorted by name. Names begin with the time at which the mail arrived.
    ///
    /// - Throws: ``Fault`` if the folder is not a Maildir or cannot be read.
    public func entries() throws(Fault) -> [Entry] {
        var entries: [Entry] = []
        for folder in ["new", "cur"] {
            let place = "\(path)/\(folder)"
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
                throw Fault(message: "\(place) cannot be read: check that \(path) is a Maildir.")
            }
            for name in names where !name.hasPrefix(".") {
                entries.append(
                    Entry(name: String(name.prefix { $0 != ":" }), path: "\(place)/\(name)"))
            }
        }
        return entries.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    }

    /// Reads the content of an entry.
    ///
    /// - Parameters:
    ///   - entry: the entry.
    ///   - since: entries last written or moved before this time are not read; in seconds since
    ///     1970.
    ///   - octetsMax: the size of the largest mail that is read, in octets.
    /// - Returns: the content; `nil` if the entry is older.
    public func content(of entry: Entry, since: Int64, atMost octetsMax: Int) -> Content? {
        // Do not wait for pipes, and do not follow links.
        let descriptor = open(entry.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .gone : .unreadable }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return .unreadable
        }
        // A moved mail keeps its time of writing, so the time of the move counts, too.
        let seconds = Int64(max(facts.st_mtim.tv_sec, facts.st_ctim.tv_sec))
        guard seconds >= since else { return nil }
        let beginning = min(FolderMail.beginningOctetsMax, octetsMax)
        let isLarge = facts.st_size > octetsMax
        guard let data = try? file.read(upToCount: isLarge ? beginning : octetsMax + 1) else {
            return .unreadable
        }
        return !isLarge && data.count <= octetsMax
            ? .mail(Array(data), seconds: seconds)
            : .large(Array(data.prefix(beginning)), seconds: seconds)
    }

    /// Marks a mail as read like every mail program: the file moves to `cur`, with an `S` among the
    /// flags after `:2,`.
    ///
    /// - Throws: ``Fault`` if the folder is not writable.
    public func markRead(_ entry: Entry) throws(Fault) {
        let file = URL(filePath: entry.path).lastPathComponent
        let letters = file.range(of: ":2,").map { file[$0.upperBound...] } ?? ""
        guard !letters.contains("S") else { return }
        let marked = "\(entry.name):2,\(String((letters + "S").sorted()))"
        guard rename(entry.path, "\(path)/cur/\(marked)") == 0 || errno == ENOENT else {
            throw Fault(message: "\(entry.path) cannot be marked as read.")
        }
    }
}
