import Foundation
import Glibc

/// A folder of mails as files, each with a name of its own (Maildir, D. J. Bernstein).
public struct Maildir: Sendable {
    /// The folder that holds `new` and `cur`.
    public let path: String

    /// A mail in it.
    public struct Entry: Hashable, Sendable {
        /// What it is called for ever, whatever is said of it behind.
        public let name: String
        fileprivate let path: String
    }

    /// What is behind an entry.
    public enum Content: Equatable, Sendable {
        /// A mail, written or moved at that time in seconds since 1970.
        case mail([UInt8], seconds: Int64)
        /// A mail that is larger than what is read.
        case large(seconds: Int64)
        /// Nothing any more: another program has moved it.
        case gone
        /// No file, or none that this program may read.
        case unreadable
    }

    /// Why a folder cannot be used, in a sentence.
    public struct Fault: Error, Equatable {
        /// The sentence.
        public let message: String
    }

    /// A folder.
    public init(path: String) {
        self.path = path
    }

    /// All that stands in it, by name: names begin with when the mail came.
    ///
    /// - Throws: ``Fault`` where the folder is none, or may not be read.
    public func entries() throws(Fault) -> [Entry] {
        var entries: [Entry] = []
        for folder in ["new", "cur"] {
            let place = "\(path)/\(folder)"
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
                throw Fault(message: "\(place) cannot be read: \(path) is to be a Maildir.")
            }
            for name in names where !name.hasPrefix(".") {
                entries.append(
                    Entry(name: String(name.prefix { $0 != ":" }), path: "\(place)/\(name)"))
            }
        }
        return entries.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    }

    /// What an entry holds.
    ///
    /// - Parameters:
    ///   - entry: the entry.
    ///   - since: what was written and moved before that time, in seconds since 1970, is not
    ///     read.
    ///   - octetsMax: the size of the largest mail that is read.
    /// - Returns: what it holds; `nil` where it is older.
    public func content(of entry: Entry, since: Int64, atMost octetsMax: Int) -> Content? {
        // Neither a pipe nor a link is waited for or followed.
        let descriptor = open(entry.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .gone : .unreadable }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return .unreadable
        }
        // A mail that is moved here keeps when it was written, and not when it was moved.
        let seconds = Int64(max(facts.st_mtim.tv_sec, facts.st_ctim.tv_sec))
        guard seconds >= since else { return nil }
        guard facts.st_size <= octetsMax else { return .large(seconds: seconds) }
        guard let data = try? file.read(upToCount: octetsMax + 1) else { return .unreadable }
        return data.count <= octetsMax
            ? .mail(Array(data), seconds: seconds) : .large(seconds: seconds)
    }

    /// Marks a mail as read, as every program that reads mail does: in `cur`, with an `S` among the
    /// letters behind `:2,`.
    ///
    /// - Throws: ``Fault`` where the folder may not be written to.
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
