import Glibc

/// Which file a name stands for: it stays the same whatever is written into the file, and is
/// another when the name is given to another file.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    /// Looks up the file of a name; `nil` where there is none.
    ///
    /// - Throws: ``StoreError/disk(path:detail:)`` where that cannot be told.
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

/// That a store works on a file which nobody else can find any more, so that what it writes is
/// lost, or on one that another has for its own.
public enum StoreLoss: Error, Equatable, CustomStringConvertible {
    /// No file has the name.
    case gone(path: String)
    /// Another file has the name.
    case replaced(path: String)
    /// Another worker delivers from it.
    case taken(path: String)

    /// Compares the file that was opened with the one that has its name now; `nil` when they are
    /// the same.
    init?(of opened: FileIdentity, at path: String, found: FileIdentity?) {
        guard found != opened else { return nil }
        self = found == nil ? .gone(path: path) : .replaced(path: path)
    }

    /// What happened and what to do, in sentences.
    public var description: String {
        switch self {
        case .gone(let path):
            "\(path) is gone: it, or its folder, was removed or moved while letsmeetd worked on "
                + "it. Nothing more is sent. Put it back, or take a backup (letsmeet restore "
                + "FILE), and start it again."
        case .replaced(let path):
            "\(path) is another file than the one that letsmeetd has open: it was replaced. "
                + "Nothing more is sent from the old one. To work on the new one, start it again."
        case .taken(let path):
            "Another letsmeetd delivers from \(path): the file that locks the home was removed "
                + "while this one worked. Nothing more is sent from here."
        }
    }
}

extension Store {
    /// Whether a path leads to a file of this store. Nobody else in this process may read such a
    /// one: closing it gives back the locks that SQLite has on it (fcntl(2)).
    public func holds(_ path: String) -> Bool {
        guard let found = try? FileIdentity(path: path) else { return false }
        return ["", "-wal", "-shm"].contains { (try? FileIdentity(path: self.path + $0)) == found }
    }

    /// Makes sure that the file which is open still has its name.
    ///
    /// - Throws: ``StoreLoss`` when it has not, ``StoreError`` when that cannot be told.
    public func checkFile() throws {
        let found = try FileIdentity(path: path)
        if let loss = StoreLoss(of: file, at: path, found: found) { throw loss }
    }
}
