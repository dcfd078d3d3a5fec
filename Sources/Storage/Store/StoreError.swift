import GRDB

/// What can be wrong with the database itself.
public enum StoreError: Error, Equatable, CustomStringConvertible {
    /// The file holds something else.
    case foreignFile
    /// The schema is newer than this program.
    case newerVersion
    /// The file or its folder cannot be written.
    case notWritable(path: String)
    /// The file cannot be read.
    case notReadable(path: String)
    /// The file is not there, and what was written last stands in a log beside its place.
    case logAlone(path: String)
    /// The disk is full.
    case full(path: String)
    /// The disk, or a limit on the size of files, refused to read or write.
    case disk(path: String, detail: String)
    /// The file is damaged.
    case damaged(path: String, detail: String)
    /// Somebody changed the schema: the first difference, in words.
    case altered(path: String, part: String)
    /// Other processes held the file for too long.
    case busy(path: String)
    /// A call took longer than its deadline allowed.
    case late(path: String)
    /// Since the request was read, another process made a guest who was new then, or merged or
    /// erased somebody who is named in it.
    case peopleChanged
    /// Anything else that SQLite says.
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

    /// A connection that has nothing to say of an error calls it none: one that copies a database
    /// says so of what befalls the other side.
    private static func words(ofDisk error: DatabaseError) -> String {
        error.message.flatMap { $0 == "not an error" ? nil : $0 } ?? "disk I/O error"
    }

    /// What happened and what to do, in a sentence.
    public var description: String {
        switch self {
        case .foreignFile:
            "That file is no letsmeet database. Name another home folder, or move the file away."
        case .newerVersion:
            "The database was written by a newer letsmeet. Use that version, or restore a backup "
                + "made by this one. Nothing was changed."
        case .notWritable(let path):
            "\(path) cannot be written. Check its folder and who owns it."
        case .notReadable(let path):
            "\(path) cannot be read. Check its folder and who owns it."
        case .logAlone(let path):
            "\(path) is not there, but its log is, with what was written last: \(path)-wal. Put "
                + "the database back beside it. To begin anew, move the log away too."
        case .disk(let path, let detail):
            "The disk of \(path) refused (\(detail)). Check its room and its health, "
                + "and try again."
        case .full(let path):
            "There is no room left on the disk of \(path). Free some and try again."
        case .damaged(let path, let detail):
            "\(path) is damaged (\(detail)). Restore a backup: letsmeet restore FILE"
        case .altered(let path, let part):
            "\(path) was changed by another program: \(part). A backup of it could not be "
                + "restored. Take that back with sqlite3, or restore an older backup: "
                + "letsmeet restore FILE"
        case .busy(let path):
            "\(path) was in use for \(Int(Store.busySecondsMax)) seconds. Try again."
        case .late(let path):
            "\(path) did not answer in time, and nothing was changed: its disk is slow, or there "
                + "is more to do at once than it can. Try again."
        case .peopleChanged:
            "Somebody who is named there was added, merged or erased just now. Look, and try "
                + "again: letsmeet people list"
        case .failed(let detail):
            "The database refused: \(detail)"
        }
    }
}

extension DatabaseError {
    /// Whether others held the file.
    var isBusy: Bool { [.SQLITE_BUSY, .SQLITE_LOCKED].contains(resultCode) }
}
