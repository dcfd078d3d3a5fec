import GRDBSQLite
import Glibc
import Synchronization

/// A disk on which one call fails: an SQLite VFS with faults for the databases in one folder. All
/// other databases are unaffected.
enum FaultyDisk {
    /// The disk operations that can fail.
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

    /// Watches the files in this folder that are opened from now on. The calls that
    /// ``fail(_:nth:)`` selects fail only on these files.
    static func watch(_ folder: String) {
        _ = isInstalled
        state.withLock { $0 = State(folder: folder) }
    }

    /// Makes the nth call of this kind fail, counted from now on.
    static func fail(_ call: Call, nth: Int) {
        state.withLock { state in
            (state.call, state.nth, state.count) = (call, nth, 0)
        }
    }

    /// Ends the faults.
    ///
    /// - Returns: whether a call has failed.
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

    /// The VFS is registered once, for connections that are opened later, and stays.
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

    /// The method tables with faults, by the addresses of the original ones. A database and its log
    /// have different tables, which differ in locking.
    private static let tables = Mutex<[Int: Int]>([:])

    /// The method table with faults for a file that was just opened.
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

    /// The original methods for reading, writing and syncing, which are the same for every file.
    fileprivate static var real: sqlite3_io_methods? {
        let address = tables.withLock { $0.keys.first }
        return address.flatMap { UnsafePointer<sqlite3_io_methods>(bitPattern: $0)?.pointee }
    }
}

// `SQLITE_IOERR_READ` and similar are macros in C, which Swift does not import.
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
