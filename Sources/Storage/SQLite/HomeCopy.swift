public import Foundation
import GRDB
import Secrets
public import Timekeeping

/// A file of a home folder, as a backup contains it.
public struct HomeFile: Equatable, Sendable {
    /// The path below the home folder, such as `templates/text/invitation.mustache`.
    public let path: String
    /// The permission bits.
    public let mode: Int
    /// The content.
    public let bytes: Data

    /// Creates a file value.
    public init(path: String, mode: Int, bytes: Data) {
        self.path = path
        self.mode = mode
        self.bytes = bytes
    }
}

/// The files of a home folder in a backup, and where the backup was made.
public struct HomeCopy: Equatable, Sendable {
    /// The name of the machine.
    public let host: String
    /// The path of the home folder.
    public let home: String
    /// The time of the backup.
    public let madeAt: Moment
    /// True if a daemon worked on the home folder at that time.
    public let hasDaemon: Bool
    /// The files.
    public let files: [HomeFile]

    /// Creates a copy.
    public init(
        host: String, home: String, madeAt: Moment, hasDaemon: Bool, files: [HomeFile]
    ) {
        self.host = host
        self.home = home
        self.madeAt = madeAt
        self.hasDaemon = hasDaemon
        self.files = files
    }
}

/// Two tables in a backup, which no database in use has.
extension HomeCopy {
    private static let tables = """
        /* SQLite */ CREATE TABLE home_note (
            host TEXT NOT NULL,
            home TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            has_daemon INTEGER NOT NULL
        ) STRICT;
        /* SQLite */ CREATE TABLE home_file (
            path TEXT NOT NULL PRIMARY KEY,
            mode INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            sha256 BLOB NOT NULL
        ) STRICT;
        """

    /// Creates the tables in the model of a schema if a database has them.
    static func extend(_ model: DatabaseQueue, like db: Database) throws {
        if try isThere(db) { try model.write { try $0.execute(sql: tables) } }
        if try BackupSeal.isThere(db) { try model.write { try $0.execute(sql: BackupSeal.table) } }
    }

    private static func isThere(_ db: Database) throws -> Bool {
        try db.tableExists("home_file") || db.tableExists("home_note")
    }

    /// Saves the files in a copy of a database.
    func save(in db: Database) throws {
        try Self.removeTables(in: db)
        try BackupSeal.prepare(for: self, in: db)
        try db.execute(sql: Self.tables)
        try db.execute(
            sql: "/* SQLite */ INSERT INTO home_note VALUES (?, ?, ?, ?)",
            arguments: [host, home, madeAt.milliseconds, hasDaemon])
        for file in files {
            try db.execute(
                sql: "/* SQLite */ INSERT INTO home_file VALUES (?, ?, ?, ?)",
                arguments: [file.path, file.mode, file.bytes, Data(SHA256.hash(file.bytes))])
        }
    }

    private static func removeTables(in db: Database) throws {
        for table in ["home_note", "home_file", "home_seal"] {
            try db.execute(sql: "/* SQLite */ DROP TABLE IF EXISTS \(table)")
        }
    }

    /// The files in a backup; `nil` if it has only the database, like those of older versions.
    ///
    /// - Throws: ``BackupFault/damaged(_:)`` if a file is not the one that was saved.
    static func fetch(_ db: Database) throws -> HomeCopy? {
        guard try isThere(db) else { return nil }
        let row = try Row.fetchOne(db, sql: "/* SQLite */ SELECT * FROM home_note")
        guard let note = row else { throw BackupFault.damaged("it does not say where it was made") }
        try checkSizes(in: db)
        try checkNames(in: db)
        let rows = try Row.fetchAll(db, sql: "/* SQLite */ SELECT * FROM home_file ORDER BY path")
        let files = try rows.map { row in
            let file = HomeFile(path: row["path"], mode: row["mode"], bytes: row["bytes"])
            guard row["sha256"] == Data(SHA256.hash(file.bytes)) else {
                throw BackupFault.damaged("the file \(file.path) in it was altered")
            }
            return file
        }
        return HomeCopy(
            host: note["host"], home: note["home"],
            madeAt: Moment(milliseconds: note["made_at"]), hasDaemon: note["has_daemon"],
            files: files)
    }

    /// The largest file of a backup, and the largest size of all of them, in bytes.
    public static let (fileOctetsMax, octetsMax) = (8 << 20, 256 << 20)
    /// The most files.
    public static let filesMax = 100_000

    /// Checks that the files are no larger than a backup makes them, before they are read.
    private static func checkSizes(in db: Database) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                /* SQLite */ SELECT count(*), max(length(bytes)), sum(length(bytes)),
                    max(length(path))
                FROM home_file
                """)
        let sizes = (0..<4).map { (row?[$0] as Int?) ?? 0 }
        guard sizes[0] <= filesMax, sizes[1] <= fileOctetsMax, sizes[2] <= octetsMax,
            sizes[3] <= Int(PATH_MAX)
        else { throw BackupFault.damaged("it has files that are larger than any of a home folder") }
    }

    /// Checks that the paths have no NUL, behind which they would not be read, and that the
    /// permissions are those of plain files.
    private static func checkNames(in db: Database) throws {
        let isFalse = try Bool.fetchOne(
            db,
            sql: """
                /* SQLite */ SELECT EXISTS (
                    SELECT 1 FROM home_file
                    WHERE instr(CAST(path AS BLOB), x'00') > 0 OR mode NOT BETWEEN 0 AND 511)
                """)
        guard isFalse == false else {
            throw BackupFault.damaged("a file in it has a name or permissions that no file has")
        }
    }

    /// Takes the files out of a copy that becomes the database of a home. Nothing of them, such as
    /// the key of the installation, stays in the file.
    static func take(from queue: DatabaseQueue) throws -> HomeCopy? {
        guard let copy = try queue.read(fetch) else { return nil }
        try queue.write(removeTables)
        try queue.vacuum()
        return copy
    }
}
