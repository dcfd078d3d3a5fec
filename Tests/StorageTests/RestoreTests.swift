import Foundation
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Files that are not backups are refused before anything of them is copied.
@Suite(.timeLimit(.minutes(1))) struct RestoreTests {
    /// Restores into a folder that does not exist, so that the copy cannot even begin.
    private static func restore(_ folder: String, from backup: String) throws {
        _ = try Store.restore(
            folder + "/none/letsmeet.sqlite", from: backup,
            now: try Moment.parse("2026-12-01T12:00:00Z"))
    }

    @Test func `A backup cannot be copied into a missing folder`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(path: folder + "/letsmeet.sqlite")
            try await store.backup(to: folder + "/copy", overwriting: false)
            try store.close()
            let target = folder + "/none/letsmeet.sqlite"
            #expect(throws: BackupFault.unwritable(path: target)) {
                try Self.restore(folder, from: folder + "/copy")
            }
        }
    }

    @Test func `A pipe, a folder, a device and a file of zeros are refused without being copied`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try #require(mkfifo(folder + "/pipe", 0o600) == 0)
            try Data(count: 1 << 20).write(to: URL(filePath: folder + "/zeros"))
            try Data("SQLite format 3".utf8).write(to: URL(filePath: folder + "/short"))
            #expect(throws: BackupFault.inaccessible(path: folder)) {
                try Self.restore(folder, from: folder)
            }
            let paths = ["/pipe", "/zeros", "/short"].map { folder + $0 }
            for path in paths + ["/dev/zero"] {
                #expect(throws: BackupFault.foreign, "\(path)") {
                    try Self.restore(folder, from: path)
                }
            }
            let missing = folder + "/missing"
            #expect(throws: BackupFault.inaccessible(path: missing)) {
                try Self.restore(folder, from: missing)
            }
        }
    }
}
