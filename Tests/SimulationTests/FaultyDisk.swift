import GRDBSQLite
import Glibc
import Synchronization

/// A disk of which one call fails: SQLite's own way to its files, with faults for the databases in
/// one folder. All others are left alone.
enum FaultyDisk {
    /// What SQLite asks of a disk.
    enum Call: CaseIterable, Sendable {
        case read, write, sync
    }

    private struct State {
        var folder: String?
        var call = Call.write
        var nth = 0
        var count = 0
    }

    private static let state = Mutex(State())

    /// From now on the nth such call on a file in this folder fails. Only files that are opened
    /// from now on are watched.
    static func watch(_ folder: String) {
        _ = isInstalled
        state.withLock { $0 = State(folder: folder) }
    }

    /// The nth call of this kind from now on fails.
    static func fail(_ call: Call, nth: Int) {
        state.withLock { state in
            (state.call, state.nth, state.count) = (call, nth, 0)
        }
    }

    /// No call fails any more.
    ///
    /// - Returns: whether one has failed.
    static func heal() -> Bool {
        state.withLock { state in
            defer { state.nth = 0 }
            return state.count >= state.nth
        }
    }

    fileprivate static func fails(_ call: Call) -> Bool {
        state.withLock { state in
            guard state.nth > 0, call == state.call else { return false }
            state.count += 1
            return state.count == state.nth
        }
    }

    fileprivate static func isWatched(_ path: String) -> Bool {
        state.withLock { state in state.folder.map(path.hasPrefix) ?? false }
    }

    /// The way is installed once, for connections that are opened later, and stays.
    private static let isInstalled: Bool = {
        guard let base else { return false }
        let faulty = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        faulty.initialize(to: base.pointee)
        faulty.pointee.zName = UnsafePointer(strdup("letsmeet-faulty"))
        faulty.pointee.xOpen = openFaulty
        return sqlite3_vfs_register(faulty, 1) == SQLITE_OK
    }()

    // Never changed and never freed.
    nonisolated(unsafe) fileprivate static let base = sqlite3_vfs_find(nil)

    /// The tables of methods, with faults: a database and its log have different ones, which differ
    /// in how they lock. By the addresses of the real ones.
    private static let tables = Mutex<[Int: Int]>([:])

    /// The methods of a file that was just opened, with faults.
    fileprivate static func methods(
        like real: UnsafePointer<sqlite3_io_methods>
    ) -> UnsafePointer<sqlite3_io_methods>? {
        let address = Int(bitPattern: real)
        let faulty = tables.withLock { tables in
            if let known = tables[address] { return known }
            let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            copy.initialize(to: real.pointee)
            copy.pointee.xRead = readFaulty
            copy.pointee.xWrite = writeFaulty
            copy.pointee.xSync = syncFaulty
            tables[address] = Int(bitPattern: copy)
            return Int(bitPattern: copy)
        }
        return UnsafePointer(bitPattern: faulty)
    }

    /// What reads, writes and syncs in earnest, whichever file.
    fileprivate static var real: sqlite3_io_methods? {
        let address = tables.withLock { $0.keys.first }
        return address.flatMap { UnsafePointer<sqlite3_io_methods>(bitPattern: $0)?.pointee }
    }
}

// `SQLITE_IOERR_READ` and its like are expressions in C, which Swift does not see.
private func fault(_ number: CInt) -> CInt { SQLITE_IOERR | number << 8 }

private func openFaulty(
    vfs: UnsafeMutablePointer<sqlite3_vfs>?, name: UnsafePointer<CChar>?,
    file: UnsafeMutablePointer<sqlite3_file>?, flags: CInt, given: UnsafeMutablePointer<CInt>?
) -> CInt {
    let code = FaultyDisk.base?.pointee.xOpen(vfs, name, file, flags, given) ?? SQLITE_ERROR
    guard code == SQLITE_OK, let name, FaultyDisk.isWatched(String(cString: name)), let file,
        let methods = file.pointee.pMethods
    else { return code }
    file.pointee.pMethods = FaultyDisk.methods(like: methods)
    return code
}

private func readFaulty(
    file: UnsafeMutablePointer<sqlite3_file>?, bytes: UnsafeMutableRawPointer?, count: CInt,
    offset: sqlite3_int64
) -> CInt {
    guard !FaultyDisk.fails(.read) else { return fault(1) }
    return FaultyDisk.real?.xRead(file, bytes, count, offset) ?? SQLITE_ERROR
}

private func writeFaulty(
    file: UnsafeMutablePointer<sqlite3_file>?, bytes: UnsafeRawPointer?, count: CInt,
    offset: sqlite3_int64
) -> CInt {
    guard !FaultyDisk.fails(.write) else { return fault(3) }
    return FaultyDisk.real?.xWrite(file, bytes, count, offset) ?? SQLITE_ERROR
}

private func syncFaulty(file: UnsafeMutablePointer<sqlite3_file>?, flags: CInt) -> CInt {
    guard !FaultyDisk.fails(.sync) else { return fault(4) }
    return FaultyDisk.real?.xSync(file, flags) ?? SQLITE_ERROR
}
