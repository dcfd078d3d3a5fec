import Foundation
import GRDB
import TestKit
import Testing
import Timekeeping

@testable import Storage

@Suite(.timeLimit(.minutes(5))) struct LockTests {
    /// Runs `body` with a database and a backup of it; neither is open.
    private func run(
        _ body: (_ path: String, _ restore: @Sendable () throws -> Void) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let store = try Store(path: path)
            try await store.backup(to: folder + "/copy.backup", overwriting: false)
            try store.close()
            let now = try Moment.parse("2026-12-01T12:00:00Z")
            try await body(path) {
                _ = try Store.restore(path, from: folder + "/copy.backup", now: now)
            }
        }
    }

    @Test func `A database is replaced only after every store of it is closed or released`()
        async throws
    {
        try await run { path, restore in
            var first: Store? = try Store(path: path)
            let second = try Store(path: path)
            #expect(throws: BackupFault.isInUse(path: path), performing: restore)
            #expect(try await first?.deliveryCount() == 0)
            first = nil
            #expect(throws: BackupFault.isInUse(path: path), performing: restore)
            try second.close()
            try restore()
            try Store(path: path).close()
        }
    }

    @Test func `A database that another program writes to is not replaced`() async throws {
        try await run { path, restore in
            let other = try DatabaseQueue(path: path)
            try await other.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                #expect(throws: BackupFault.isInUse(path: path), performing: restore)
                try db.execute(sql: "ROLLBACK")
            }
            try other.close()
            let folder = URL(filePath: path).deletingLastPathComponent()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            #expect(!files.contains { $0.contains("before-restore") || $0.contains("unfinished") })
        }
    }

    @Test func `Waiting for the opening lock has a time limit`() async throws {
        try await run { path, _ in
            let opening = try StoreLocks.opening(of: path)
            #expect(throws: StoreError.busy(path: path)) {
                try StoreLocks.opening(of: path, waiting: 0.03)
            }
            opening.release()
            try StoreLocks.opening(of: path, waiting: 0).release()
        }
    }

    @Test func `A folder stays locked if somebody removes its lock file`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/daemon.lock"
            func lock() throws -> FolderLock { try FolderLock(on: folder, file: path) }
            let first = try lock()
            first.sign("the first")
            #expect(throws: FileLock.Failure.held(holder: "the first")) { try lock() }
            try FileManager.default.removeItem(atPath: path)
            #expect(throws: FileLock.Failure.folderLocked(path: folder)) { try lock() }
            #expect(FolderLock.isHeld(on: folder, file: path))
            first.release()
            #expect(!FolderLock.isHeld(on: folder, file: path))
            try lock().release()
        }
    }

    @Test func `A lock file that is a symbolic link is refused, and what it leads to stays`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (path, other) = (folder + "/daemon.lock", folder + "/other")
            try Data("precious".utf8).write(to: URL(filePath: other))
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
            #expect(throws: StoreError.notWritable(path: path)) { try FileLock(path: path) }
            let content = try String(contentsOfFile: other, encoding: .utf8)
            #expect(content == "precious")
        }
    }

    @Test func `Disk errors while a file is renamed are reported as they are`() {
        let disk = { BackupFile.fault(ofFile: $0, "a") as? StoreError }
        #expect(disk(ENOSPC) == .full(path: "a"))
        #expect(disk(EDQUOT) == .full(path: "a"))
        #expect(disk(EIO) == .disk(path: "a", detail: "Input/output error"))
        let folder = { BackupFile.fault(ofFolder: $0, "a") as? BackupFault }
        #expect(folder(EINVAL) == nil)
        #expect(folder(ENOTSUP) == nil)
        #expect(folder(EIO) == .isUnsure(path: "a", detail: "Input/output error"))
        #expect(folder(ENOSPC) == .isUnsure(path: "a", detail: "No space left on device"))
    }
}
