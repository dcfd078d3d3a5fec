import Foundation
import GRDB
import Ledger
import Planning
import Settings
import TestKit
import Agenda
import Testing
import Timekeeping

@testable import Storage

@Suite(.timeLimit(.minutes(5))) struct OpeningTests {
    private func permissions(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func `Only the owner can read the home and its database`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            defer { withExtendedLifetime(planner) {} }
            let mode = try permissions(world.home.path)
            #expect(mode == 0o700)
            for file in ["", "-wal", "-shm"] {
                let mode = try permissions(world.home.database + file)
                #expect(mode == 0o600)
            }
        }
    }

    @Test func `Each commit waits for the disk`() async throws {
        try await withTemporaryFolder { folder in
            // First a new file, then an existing one.
            for _ in 0..<2 {
                let store = try Store(path: folder + "/letsmeet.sqlite")
                let level = try await store.write { db in
                    try Int.fetchOne(db, sql: "PRAGMA synchronous")
                }
                #expect(level == 2)
                try store.close()
            }
        }
    }

    @Test func `A database from a newer version is refused and left unchanged`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let store = try Store(path: path)
            try await store.write { db in
                try db.execute(
                    sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')")
            }
            try store.close()
            let before = try await contents(path)
            #expect(throws: StoreError.newerVersion) { try Store(path: path) }
            let after = try await contents(path)
            #expect(after == before)
        }
    }

    /// The schema and the applied migrations, as another program reads them.
    private func contents(_ path: String) async throws -> [String] {
        try await DatabaseQueue(path: path).read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT coalesce(sql, name) FROM sqlite_master
                    UNION ALL SELECT identifier FROM grdb_migrations
                    UNION ALL SELECT integrity_check FROM pragma_integrity_check
                    """)
        }
    }

    @Test(arguments: ["This is no database, but some text that is long enough to be read."])
    func `A file of another kind is refused and left unchanged`(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let bytes = String(repeating: text, count: 100)
            try bytes.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: StoreError.foreignFile) { try Store(path: path) }
            let after = try String(contentsOfFile: path, encoding: .utf8)
            #expect(after == bytes)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `A pipe is refused and not waited for`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            #expect(mkfifo(path, 0o600) == 0)
            #expect(throws: StoreError.foreignFile) { try Store(path: path) }
        }
    }

    @Test func `A database of another program is refused and left unchanged`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let other = try DatabaseQueue(path: path)
            try await other.write { db in try db.execute(sql: "CREATE TABLE song (title TEXT)") }
            try other.close()
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(throws: StoreError.foreignFile) { try Store(path: path) }
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func `A file with a newer schema is not changed by a single byte`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let store = try Store(path: path)
            try await store.write { db in try db.execute(sql: "PRAGMA user_version = 999") }
            try await store.overwriteDeleted()
            try store.close()
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(throws: StoreError.newerVersion) { try Store(path: path) }
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func `A file that a full disk left incomplete is completed`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let half = try DatabaseQueue(path: path)
            try await half.write { db in
                try db.execute(
                    sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            }
            try half.close()
            let store = try Store(path: path)
            #expect(try await store.deliveryCount() == 0)
        }
    }

    @Test func `The version of a new file is the number of migrations`() async throws {
        try await withTemporaryStore { store in
            let version = try await store.read { db in
                try Int.fetchOne(db, sql: "PRAGMA user_version")
            }
            #expect(version == Migrations.count)
            #expect(Migrations.migrator.migrations.count == Migrations.count)
        }
    }

    @Test func `Eight planners can open a new home at the same time`() async throws {
        try await withTemporaryHome { world in
            try world.home.make()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await world.planner().owner.id.text }
                }
                var owners: Set<String> = []
                for try await owner in group { owners.insert(owner) }
                #expect(owners.count == 1)
            }
        }
    }

    @Test func `An error about an unwritable file names the path that was asked for`() async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder + "/none/letsmeet.sqlite"
            #expect(throws: StoreError.notWritable(path: path)) { try Store(path: path) }
            let backup = folder + "/copy.backup"
            try await Store(path: folder + "/some.sqlite").backup(to: backup, overwriting: false)
            #expect(throws: BackupFault.unwritable(path: path)) {
                try Store.restore(path, from: backup, now: try Moment.parse("2026-12-01T12:00:00Z"))
            }
        }
    }

    @Test func `An unreadable file is not treated as an empty one`() async throws {
        try await withTemporaryFolder { folder in
            let fault = StoreError.disk(path: folder, detail: "Is a directory")
            #expect(throws: fault) {
                try FileHeader(path: folder)
            }
        }
    }

    @Test func `A lock can be queried without being taken`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/lock"
            #expect(FileLock.holder(path: path) == nil)
            let lock = try FileLock(path: path)
            lock.sign("process 7")
            #expect(FileLock.holder(path: path) == "process 7")
            #expect(throws: FileLock.Failure.held(holder: "process 7")) {
                try FileLock(path: path)
            }
            lock.release()
            #expect(FileLock.holder(path: path) == nil)
            try FileLock(path: path).release()
        }
    }

    @Test func `Opening a file a second time releases no lock of the store that has it open`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let store = try Store(path: path)
            defer { withExtendedLifetime(store) {} }
            // It stays open to the end: closing it would release the locks.
            let probe = open(path, O_RDWR | O_CLOEXEC)
            defer { close(probe) }
            #expect(Self.isLocked(probe))
            _ = try FileHeader(path: path)
            #expect(Self.isLocked(probe))
            try Store(path: path).close()
            #expect(Self.isLocked(probe))
            try store.close()
            #expect(!Self.isLocked(probe))
        }
    }

    /// Whether SQLite holds a lock on an open file. The query uses an open file description lock,
    /// which conflicts with the locks of this process, too (F_OFD_GETLK of fcntl(2)).
    private static func isLocked(_ descriptor: CInt) -> Bool {
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        return fcntl(descriptor, 36, &request) == 0 && request.l_type != F_UNLCK
    }

    /// The number of descriptors that this process has open for a file.
    private static func openCount(of path: String) -> Int {
        let folder = "/proc/self/fd"
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).count {
            (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
        }
    }

    @Test func `A refused process waits for the text of the new holder and reads no older text`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder + "/lock"
            let first = try FileLock(path: path)
            first.sign("process 6")
            first.release()
            let lock = try FileLock(path: path)
            #expect(FileLock.holder(path: path)?.isEmpty == true)
            let signing = Thread {
                while Self.openCount(of: path) < 2 { sched_yield() }
                lock.sign("process 7")
            }
            signing.start()
            #expect(throws: FileLock.Failure.held(holder: "process 7")) {
                try FileLock(path: path)
            }
            lock.release()
        }
    }
}
