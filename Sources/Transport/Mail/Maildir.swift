import Foundation
public import Timekeeping

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

    /// A folder.
    public init(path: String) {
        self.path = path
    }

    /// The mails that were written since a moment, by their names, which begin with when they came.
    ///
    /// - Throws: ``TransportError/failed(_:)`` where the folder is none.
    public func entries(since moment: Moment) throws(TransportError) -> [Entry] {
        var entries: [Entry] = []
        for folder in ["new", "cur"] {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")
            } catch {
                throw .failed("\(path) is no Maildir that can be read: it has no \(folder)")
            }
            for name in names where !name.hasPrefix(".") {
                let file = "\(path)/\(folder)/\(name)"
                guard Self.seconds(ofFile: file) ?? 0 >= moment.seconds else { continue }
                entries.append(Entry(name: String(name.prefix { $0 != ":" }), path: file))
            }
        }
        return entries.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    }

    /// When a file was written; `nil` for what is none.
    private static func seconds(ofFile path: String) -> Int64? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            facts[.type] as? FileAttributeType == .typeRegular,
            let date = facts[.modificationDate] as? Date
        else { return nil }
        return Int64(date.timeIntervalSince1970)
    }

    /// The mail; `nil` where it is gone, or larger than so many octets.
    public func octets(of entry: Entry, atMost octetsMax: Int) -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: entry.path) else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: octetsMax + 1), data.count <= octetsMax else {
            return nil
        }
        return Array(data)
    }

    /// Marks a mail as read, as every program that reads mail does: in `cur`, with an `S` among the
    /// letters behind `:2,`.
    ///
    /// - Throws: ``TransportError/failed(_:)`` where the folder may not be written to.
    public func markRead(_ entry: Entry) throws(TransportError) {
        let file = URL(filePath: entry.path).lastPathComponent
        let letters = file.range(of: ":2,").map { file[$0.upperBound...] } ?? ""
        guard !letters.contains("S") else { return }
        let marked = "\(entry.name):2,\(String((letters + "S").sorted()))"
        guard rename(entry.path, "\(path)/cur/\(marked)") == 0 || errno == ENOENT else {
            throw .failed("\(entry.path) cannot be marked as read")
        }
    }
}
