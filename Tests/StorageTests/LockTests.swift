import Foundation
import GRDB
import TestKit
import Testing
import Timekeeping

@testable import Storage

@Suite(.timeLimit(.minutes(5))) struct LockTests {
    /// A database and a backup of it, neither of them open.
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

    @Test func `A store that is open is not replaced, and one that is let go of is`() async throws {
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

    @Test func `What another program writes to is not replaced`() async throws {
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

    @Test func `Nobody waits at the gate for ever`() async throws {
        try await run { path, _ in
            let hook = try StoreLocks.hook(of: path)
            #expect(throws: StoreError.busy(path: path)) {
                try StoreLocks.hook(of: path, waiting: 0.03)
            }
            hook.release()
            try StoreLocks.hook(of: path, waiting: 0).release()
        }
    }

    @Test func `What a disk says of a file that moves is told as it is`() {
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
