import Foundation
import GRDB
import GRDBSQLite

/// The first bytes of a database file (SQLite's file format, section 1.3). They show whose file it
/// is before it is opened, because opening changes it.
struct FileHeader: Equatable {
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let bytes = 72

    /// `PRAGMA application_id`.
    let applicationID: Int
    /// `PRAGMA user_version`: the number of the last applied migration.
    let schemaVersion: Int

    /// Reads the header of a file; `nil` if the file is missing or empty.
    ///
    /// - Throws: ``StoreError`` if the file is not a database or cannot be read.
    init?(path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // Opening a pipe would wait for its other end.
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFIFO, kind != S_IFCHR else { throw .foreignFile }
        let start = try Self.start(of: path)
        guard !start.isEmpty else { return nil }
        guard start.starts(with: Self.magic), start.count == Self.bytes else { throw .foreignFile }
        schemaVersion = Self.number(start, at: 60)
        applicationID = Self.number(start, at: 68)
    }

    /// The first bytes of a file, as many as there are.
    ///
    /// They are read through the file that SQLite has opened. Opening and closing the file
    /// separately would release every lock that this process holds on it (fcntl(2)), including
    /// those of an open store. The next process to close the database would then believe that it is
    /// the last one, and delete the log.
    private static func start(of path: String) throws(StoreError) -> ArraySlice<UInt8> {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        let result = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil)
        guard result != SQLITE_CANTOPEN else { throw .notReadable(path: path) }
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        guard result == SQLITE_OK,
            sqlite3_file_control(connection, nil, SQLITE_FCNTL_FILE_POINTER, &pointer) == SQLITE_OK,
            let pointer, let start = start(of: pointer)
        else {
            let number = sqlite3_system_errno(connection)
            throw .disk(path: path, detail: String(cString: strerror(number > 0 ? number : EIO)))
        }
        return start
    }

    private static func start(of file: UnsafeMutablePointer<sqlite3_file>) -> ArraySlice<UInt8>? {
        guard let methods = file.pointee.pMethods?.pointee else { return nil }
        var size: sqlite3_int64 = 0
        var start = [UInt8](repeating: 0, count: bytes)
        let result = methods.xRead(file, &start, CInt(bytes), 0)
        guard result == SQLITE_OK || result == shortRead,
            methods.xFileSize(file, &size) == SQLITE_OK
        else { return nil }
        return start.prefix(Int(clamping: size))
    }

    /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift does not import: the file is shorter than the
    /// read.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// A number of four bytes in big-endian order.
    private static func number(_ bytes: ArraySlice<UInt8>, at place: Int) -> Int {
        bytes.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension Store {
    /// Refuses a file that is not a letsmeet database, or has a newer schema, before it is opened
    /// for writing.
    static func look(at path: String) throws {
        guard let header = try FileHeader(path: path) else { return }
        guard header.applicationID != applicationID else {
            guard header.schemaVersion <= Migrations.count else { throw StoreError.newerVersion }
            return
        }
        // The header of a new file may still be in its log. If the disk was full when the file was
        // created, it contains only the list of migrations.
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busySecondsMax)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read(checkIsOurs)
    }

    static func checkIsOurs(_ db: Database) throws {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let isFresh = try id == 0 && db.hasNoTables
        guard id == applicationID || isFresh else { throw StoreError.foreignFile }
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= Migrations.count else { throw StoreError.newerVersion }
    }
}

extension Database {
    /// True if there is no table except the list of migrations.
    var hasNoTables: Bool {
        get throws {
            try Int.fetchOne(
                self,
                sql: """
                    /* SQLite */ SELECT count(*) FROM sqlite_master
                    WHERE tbl_name <> 'grdb_migrations'
                    """) == 0
        }
    }
}
