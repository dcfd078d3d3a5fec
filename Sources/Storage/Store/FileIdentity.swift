import Glibc

/// The identity of a file: device and inode. It does not change when the file is written to, but
/// another file under the same name has another identity.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    /// Looks up the file with this path; `nil` if there is none.
    ///
    /// - Throws: ``StoreError/disk(path:detail:)`` if the lookup fails.
    init?(path: String) throws(StoreError) {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw .disk(path: path, detail: String(cString: strerror(errno)))
            }
            return nil
        }
        self.init(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
    }
}

/// The loss of a store's file: nobody else can open the file any more, so that its writes are lost,
/// or another process considers it its own.
public enum StoreLoss: Error, Equatable, CustomStringConvertible {
    /// No file has this path.
    case gone(path: String)
    /// Another file has this path.
    case replaced(path: String)
    /// Another worker sends deliveries from it.
    case taken(path: String)

    /// Compares the opened file with the file that has its path now; `nil` if they are the same.
    init?(of opened: FileIdentity, at path: String, found: FileIdentity?) {
        guard found != opened else { return nil }
        self = found == nil ? .gone(path: path) : .replaced(path: path)
    }

    /// The error message: what happened, and what to do.
    public var description: String {
        switch self {
        case .gone(let path):
            "\(path) is gone: it or its folder was removed or moved while letsmeetd was running, "
                + "so nothing more is sent. Put it back or restore a backup, then start letsmeetd "
                + "again."
        case .replaced(let path):
            "\(path) is no longer the file that letsmeetd opened: it was replaced, so nothing more "
                + "is sent. To use the new file, start letsmeetd again."
        case .taken(let path):
            "Another letsmeetd sends from \(path), because the lock file of the home was removed "
                + "while this one was running. This one sends nothing more."
        }
    }
}

extension Store {
    /// True if a path leads to a file of this store. No other code in this process may open such a
    /// file: closing it releases the locks that SQLite holds on it (fcntl(2)).
    public func holds(_ path: String) -> Bool {
        guard let found = try? FileIdentity(path: path) else { return false }
        return ["", "-wal", "-shm"].contains { (try? FileIdentity(path: self.path + $0)) == found }
    }

    /// Checks that the open file still has its path.
    ///
    /// - Throws: ``StoreLoss`` if it does not, ``StoreError`` if that cannot be determined.
    public func checkFile() throws {
        let found = try FileIdentity(path: path)
        if let loss = StoreLoss(of: file, at: path, found: found) { throw loss }
    }
}
