import GRDB

/// An error of the database itself.
public enum StoreError: Error, Equatable, CustomStringConvertible {
    /// The file is not a letsmeet database.
    case foreignFile
    /// The schema is newer than this program supports.
    case newerVersion
    /// The file or its folder cannot be written.
    case notWritable(path: String)
    /// The file cannot be read.
    case notReadable(path: String)
    /// The file is missing, but a write-ahead log with the latest changes is still in its place.
    case logAlone(path: String)
    /// The disk is full.
    case full(path: String)
    /// The disk, or a limit on the file size, refused a read or a write.
    case disk(path: String, detail: String)
    /// The file is damaged.
    case damaged(path: String, detail: String)
    /// Another program changed the schema; `part` describes the first difference.
    case altered(path: String, part: String)
    /// Other processes held the file for too long.
    case busy(path: String)
    /// A call took longer than its deadline allowed.
    case late(path: String)
    /// Since the request was read, another process created the same guest, or merged or erased a
    /// person in the request.
    case peopleChanged
    /// Since the request was read, the account that sent it was deleted, or merged with another
    /// one.
    case accountGone
    /// Any other SQLite error.
    case failed(String)

    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_FULL: self = .full(path: path)
        case .SQLITE_IOERR: self = .disk(path: path, detail: Self.words(ofDisk: error))
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: self = .notWritable(path: path)
        case .SQLITE_CORRUPT: self = .damaged(path: path, detail: error.message ?? "")
        case .SQLITE_NOTADB: self = .foreignFile
        case .SQLITE_INTERRUPT: self = .late(path: path)
        case _ where error.isBusy: self = .busy(path: path)
        default: self = .failed(error.description)
        }
    }

    /// The message of a disk error. A connection may report "not an error": when it copies a
    /// database, an error of the other file is reported this way.
    private static func words(ofDisk error: DatabaseError) -> String {
        error.message.flatMap { $0 == "not an error" ? nil : $0 } ?? "disk I/O error"
    }

    /// The error message: what happened, and what to do.
    public var description: String {
        switch self {
        case .foreignFile:
            "This file is not a letsmeet database. Choose another home folder, or move the file "
                + "away."
        case .newerVersion:
            "The database was written by a newer version of letsmeet, and was not changed. Use "
                + "that version, or restore a backup made by this one."
        case .notWritable(let path):
            "\(path) cannot be written. Check its folder, owner and permissions."
        case .notReadable(let path):
            "\(path) cannot be read. Check its folder, owner and permissions."
        case .logAlone(let path):
            "\(path) is missing, but its log \(path)-wal still holds the latest changes. Put the "
                + "database back beside the log, or move the log away to start with a new database."
        case .disk(let path, let detail):
            "The disk of \(path) reported an error (\(detail)). It may be full or failing: check "
                + "its free space and its health, and try again."
        case .full(let path):
            "The disk of \(path) is full. Free some space and try again."
        case .damaged(let path, let detail):
            "\(path) is damaged (\(detail))."
        case .altered(let path, let part):
            "Another program changed \(path): \(part). A backup of it could not be restored, so "
                + "undo the change with sqlite3, or restore an older backup."
        case .busy(let path):
            "Other processes locked \(path) for \(Int(Store.busySecondsMax)) seconds. Try again."
        case .late(let path):
            "\(path): a call took too long, so it was stopped and nothing was changed. It is about "
                + "too much data, or too much is going on at once. Try again."
        case .peopleChanged:
            "A person in your request was just added, merged or erased. Check the names and try "
                + "again."
        case .accountGone:
            "Nothing more was saved, because the account was deleted or merged with another one "
                + "at the same time."
        case .failed(let detail):
            "The database reported an error: \(detail)"
        }
    }

    /// The error in words that anybody may read: they name no file.
    public var publicWords: String {
        switch self {
        case .full: "the disk of the database is full"
        case .disk: "the disk of the database reports errors; check its free space"
        case .damaged, .foreignFile, .altered: "the database is damaged; restore a backup"
        case .busy: "another program has locked the database"
        case .late: "a call to the database took too long"
        case .peopleChanged: "people were added, merged or erased at the same time"
        case .accountGone: "the account was deleted or merged with another one at the same time"
        case .notWritable, .notReadable, .newerVersion, .logAlone, .failed:
            "the database reports an error; see the log of letsmeetd"
        }
    }
}

extension DatabaseError {
    /// True if another connection held a lock on the file.
    var isBusy: Bool { [.SQLITE_BUSY, .SQLITE_LOCKED].contains(resultCode) }
}
