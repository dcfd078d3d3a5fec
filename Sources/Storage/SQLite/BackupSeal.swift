import Foundation
import GRDB
import Secrets
import Timekeeping

/// The SHA-256 hash of a backup file, kept in the file itself. Damage to any byte is found by it.
///
/// The hash stands behind a mark that occurs nowhere else in the file, and is computed with zeros
/// in its own place.
enum BackupSeal {
    static let table = """
        /* SQLite */ CREATE TABLE home_seal (
            seal BLOB NOT NULL
        ) STRICT;
        """

    private static let markOctets = 16
    private static let chunkOctets = 1 << 20

    static func isThere(_ db: Database) throws -> Bool { try db.tableExists("home_seal") }

    /// Adds the mark, and room for the hash.
    static func prepare(for copy: HomeCopy, in db: Database) throws {
        let words = "seal \(copy.madeAt.milliseconds) \(copy.host) \(copy.home)"
        let mark = Data(SHA256.hash(words.utf8).prefix(markOctets))
        try db.execute(sql: table)
        try db.execute(
            sql: "/* SQLite */ INSERT INTO home_seal VALUES (?)",
            arguments: [mark + Data(count: SHA256.octets)])
    }

    /// Writes the hash into a complete file that nobody has open.
    static func close(_ path: String) throws {
        guard let seal = try seal(of: path), let place = try place(of: seal.mark, in: path) else {
            return
        }
        let hash = try hash(of: path, besides: place)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: hash)
    }

    /// Checks the hash of a file, if it has one.
    ///
    /// - Throws: ``BackupFault/damaged(_:)`` if it is not that of the file.
    static func check(_ path: String) throws {
        guard let seal = try seal(of: path) else { return }
        let place = try place(of: seal.mark, in: path)
        guard let place, try hash(of: path, besides: place) == seal.hash else {
            throw BackupFault.damaged("its checksum does not fit: bytes of it have changed")
        }
    }

    private static func seal(of path: String) throws -> (mark: Data, hash: Data)? {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        let seal = try queue.read { db in
            try isThere(db)
                ? Data.fetchOne(db, sql: "/* SQLite */ SELECT seal FROM home_seal") : nil
        }
        guard let seal, seal.count == markOctets + SHA256.octets else { return nil }
        return (seal.prefix(markOctets), Data(seal.dropFirst(markOctets)))
    }

    /// The offset of the hash: the first byte behind the mark.
    private static func place(of mark: Data, in path: String) throws -> Int? {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        var (start, tail) = (0, Data())
        while let next = try file.read(upToCount: chunkOctets), !next.isEmpty {
            let chunk = tail + next
            if let found = chunk.range(of: mark) {
                return start + chunk.distance(from: chunk.startIndex, to: found.upperBound)
            }
            tail = Data(chunk.suffix(markOctets - 1))
            start += chunk.count - tail.count
        }
        return nil
    }

    /// The hash of a file with zeros in place of its hash.
    private static func hash(of path: String, besides place: Int) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let hash = SHA256.Stream()
        var start = 0
        while var chunk = try file.read(upToCount: chunkOctets), !chunk.isEmpty {
            let own = (place..<place + SHA256.octets).clamped(to: start..<start + chunk.count)
            for offset in own { chunk[chunk.startIndex + offset - start] = 0 }
            hash.append(chunk)
            start += chunk.count
        }
        return Data(hash.finished())
    }
}
