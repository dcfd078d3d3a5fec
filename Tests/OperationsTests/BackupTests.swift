import Agenda
import Foundation
import GRDB
import Planning
import Settings
import Synchronization
import TestKit
import Testing

@testable import Operations
@testable import Storage

@Suite("Backup and restore")
struct BackupTests {
    /// Runs the body with a home that has one contact, one meeting and a backup.
    private static func run(
        _ body: (_ home: TestWorld, _ planner: Planner, _ file: String) async throws -> Void
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.meet("Games", with: "anna")
            let file = home.home.path + "/copy.backup"
            _ = try await planner.backup(to: file, overwriting: false)
            try await body(home, planner, file)
        }
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `A backup is one complete file for its owner only, and can be restored`()
        async throws
    {
        try await Self.run { home, planner, file in
            #expect(try Self.mode(file) == 0o600)
            _ = try await planner.meet("Later", with: "anna")
            _ = try await planner.add("Ben", "ben@example.org")
            try planner.store.close()
            let report = try await Planner.restore(try home.surroundings(), from: file)
            #expect(report.meetings == 1)
            #expect(report.people == 1)
            #expect(report.deliveries == 5)
            let restored = try await home.planner()
            #expect(try await restored.meetings(.coming).meetings.map(\.title) == ["Games"])
            #expect(try await restored.brokenRules() == [])
            #expect(try Self.mode(home.home.database) == 0o600)
            let previous = try #require(report.previous)
            #expect(previous.contains("letsmeet.sqlite.before-restore-20"))
            let old = try Store(path: previous)
            #expect(try await old.contacts(of: restored.owner.id, after: nil, limit: 9).count == 2)
            let left = try FileManager.default.contentsOfDirectory(atPath: home.home.path)
            #expect(!left.contains { $0.contains("unfinished") })
        }
    }

    @Test func `A backup tells how much is copied, and leaves no file if it may not go on`()
        async throws
    {
        try await Self.run { home, planner, _ in
            let file = home.home.path + "/other.backup"
            await #expect(throws: CancellationError.self) {
                _ = try await planner.backup(to: file, overwriting: false) { _, _ in false }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: home.home.path)
            #expect(!left.contains { $0.hasPrefix("other.backup") })
            let notes = Mutex<[[Int]]>([])
            _ = try await planner.backup(to: file, overwriting: false) { done, total in
                notes.withLock { $0.append([done, total]) }
                return true
            }
            let last: [Int] = try #require(notes.withLock { $0.last })
            #expect(last[0] == last[1] && last[1] > 100_000)
        }
    }

    @Test func `A backup is only overwritten on request, and other files never`() async throws {
        try await Self.run { home, planner, file in
            let code = await refusalCode {
                _ = try await planner.backup(to: file, overwriting: false)
            }
            #expect(code == "file_exists")
            let own = await refusalCode {
                _ = try await planner.backup(to: home.home.database, overwriting: true)
            }
            #expect(own == "is_database")
            _ = try await planner.meet("Later", with: "anna")
            #expect(try await planner.backup(to: file, overwriting: true).meetings == 2)
            let diary = home.home.path + "/diary.txt"
            try "dear diary".write(toFile: diary, atomically: true, encoding: .utf8)
            let other = await refusalCode {
                _ = try await planner.backup(to: diary, overwriting: true)
            }
            #expect(other == "file_exists")
            #expect(try String(contentsOfFile: diary, encoding: .utf8) == "dear diary")
        }
    }

    /// The database begins as a copy of a backup, so its contents alone do not tell it from one.
    @Test func `A database that is in use is never replaced by a backup, even on request`()
        async throws
    {
        try await Self.run { home, planner, file in
            let neighbour = home.home.path + "/neighbour.sqlite"
            let octets = try #require(FileManager.default.contents(atPath: file))
            func code() async -> String? {
                await refusalCode { _ = try await planner.backup(to: neighbour, overwriting: true) }
            }
            for ending in ["-wal", StoreLocks.ending] {
                try octets.write(to: URL(filePath: neighbour))
                try Data().write(to: URL(filePath: neighbour + ending))
                #expect(await code() == "file_exists", "\(ending)")
                #expect(FileManager.default.contents(atPath: neighbour) == octets)
                try FileManager.default.removeItem(atPath: neighbour + ending)
                #expect(await code() == nil, "\(ending)")
            }
            try octets.write(to: URL(filePath: neighbour))
            let store = try Store(path: neighbour)
            #expect(await code() == "file_exists")
            #expect(try await store.contacts(of: planner.owner.id, after: nil, limit: 9).count == 1)
            try store.close()
        }
    }

    @Test func `A damaged, truncated, foreign or missing backup changes nothing`() async throws {
        try await Self.run { home, planner, file in
            try planner.store.close()
            let good = try #require(FileManager.default.contents(atPath: file))
            let before = FileManager.default.contents(atPath: home.home.database)
            var torn = good
            torn.replaceSubrange(8192..<12288, with: Data(repeating: 0xa5, count: 4096))
            var foreign = good
            foreign.replaceSubrange(68..<72, with: Data(repeating: 1, count: 4))
            let bad: [(String, Data)] = [
                ("torn", torn), ("cut", good.prefix(good.count / 2)), ("empty", Data()),
                ("foreign", foreign), ("text", Data("BEGIN:VCARD".utf8)),
            ]
            let words = [
                "cut": "its end is missing: only ", "empty": "is empty, so the backup was not",
                "text": "Give the file that a backup wrote",
            ]
            for (name, bytes) in bad {
                let path = home.home.path + "/" + name
                try bytes.write(to: URL(filePath: path))
                let refused = await refusal {
                    _ = try await Planner.restore(try home.surroundings(), from: path)
                }
                #expect(refused?.code == "bad_backup", "\(name)")
                let message = refused?.message ?? ""
                #expect(message.contains(words[name] ?? "is damaged"), "\(message)")
            }
            let missing = await refusalCode {
                _ = try await Planner.restore(
                    try home.surroundings(), from: home.home.path + "/none")
            }
            #expect(missing == "no_file")
            #expect(FileManager.default.contents(atPath: home.home.database) == before)
            let files = try FileManager.default.contentsOfDirectory(atPath: home.home.path)
            #expect(!files.contains { $0.contains("before-restore") || $0.contains("unfinished") })
        }
    }

    @Test(arguments: [true, false])
    func `A backup into a folder is refused, and the refusal names a folder`(
        isOverwriting: Bool
    ) async throws {
        try await Self.run { home, planner, _ in
            let folder = home.home.path + "/folder"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            let refused = await refusal {
                _ = try await planner.backup(to: folder, overwriting: isOverwriting)
            }
            #expect(refused?.code == "file_exists" && refused?.advice.isEmpty == true)
            #expect(refused?.message.contains("is a folder") == true)
        }
    }

    @Test func `A bit that flipped anywhere in a backup is found`() async throws {
        try await Self.run { home, planner, file in
            try planner.store.close()
            let good = try #require(FileManager.default.contents(atPath: file))
            let surroundings = try home.surroundings()
            for place in stride(from: 40, to: good.count, by: good.count / 60) {
                var bad = good
                bad[place] ^= 1
                try bad.write(to: URL(filePath: file))
                #expect(throws: Refusal.self, "byte \(place)") {
                    _ = try RestorePlan(surroundings, from: file)
                }
                let code = await refusalCode {
                    _ = try await Planner.restore(surroundings, from: file)
                }
                #expect(code == "bad_backup" || code == "newer_version", "byte \(place)")
            }
            try good.write(to: URL(filePath: file))
            #expect(try await Planner.restore(surroundings, from: file).meetings == 1)
        }
    }

    @Test(arguments: [
        "PRAGMA user_version = -2147483599", "PRAGMA user_version = 0",
        "PRAGMA user_version = 1000",
        "UPDATE home_file SET bytes = zeroblob(\(HomeCopy.fileOctetsMax + 1))",
        """
        INSERT INTO home_file (path, mode, bytes, sha256)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40)
        SELECT 'templates/' || i, 0, zeroblob(8000000), x'' FROM n
        """,
    ])
    func `A backup with a false number or files that are too large is refused, and soon`(
        _ sql: String
    ) async throws {
        try await Self.run { home, planner, file in
            try planner.store.close()
            let queue = try DatabaseQueue(path: file)
            try await queue.write { try $0.execute(sql: "/* SQLite */ " + sql) }
            try queue.close()
            try BackupSeal.close(file)
            let code = await refusalCode {
                _ = try await Planner.restore(try home.surroundings(), from: file)
            }
            #expect(code == "bad_backup" || code == "newer_version")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A pipe, a folder and a file of zeros are refused and change nothing`() async throws {
        try await Self.run { home, planner, _ in
            try planner.store.close()
            let before = FileManager.default.contents(atPath: home.home.database)
            let (pipe, folder) = (home.home.path + "/pipe", home.home.path + "/folder")
            let zeros = home.home.path + "/zeros"
            try #require(mkfifo(pipe, 0o600) == 0)
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(count: 1 << 20).write(to: URL(filePath: zeros))
            for path in [pipe, folder, zeros] {
                let code = await refusalCode {
                    _ = try await Planner.restore(try home.surroundings(), from: path)
                }
                #expect(code == (path == folder ? "no_file" : "bad_backup"), "\(path)")
            }
            #expect(FileManager.default.contents(atPath: home.home.database) == before)
            let files = try FileManager.default.contentsOfDirectory(atPath: home.home.path)
            #expect(!files.contains { $0.contains("before-restore") || $0.contains("unfinished") })
        }
    }

    @Test func `A backup from a newer version is refused and changes nothing`() async throws {
        try await Self.run { home, planner, file in
            try planner.store.close()
            var bytes = try #require(FileManager.default.contents(atPath: file))
            let before = FileManager.default.contents(atPath: home.home.database)
            // A migration that this version does not know.
            while let name = bytes.range(of: Data("001 people, meetings".utf8)) {
                bytes.replaceSubrange(name, with: Data("999 people, meetings".utf8))
            }
            try bytes.write(to: URL(filePath: file))
            try BackupSeal.close(file)
            let code = await refusalCode {
                _ = try await Planner.restore(try home.surroundings(), from: file)
            }
            #expect(code == "newer_version")
            #expect(FileManager.default.contents(atPath: home.home.database) == before)
        }
    }

    @Test func `A restore is refused while a daemon runs on the home`() async throws {
        try await Self.run { home, planner, file in
            try planner.store.close()
            let lock = try FileLock(path: home.home.daemonLock)
            let code = await refusalCode {
                _ = try await Planner.restore(try home.surroundings(), from: file)
            }
            #expect(code == "daemon_running")
            lock.release()
            #expect(try await Planner.restore(try home.surroundings(), from: file).meetings == 1)
        }
    }

    @Test func `A restore is refused while another command has the home open`() async throws {
        try await Self.run { home, planner, file in
            let restore = { _ = try await Planner.restore(try home.surroundings(), from: file) }
            #expect(await refusalCode(restore) == "in_use")
            _ = try await planner.add("Ben", "ben@example.org")
            let second = try await home.planner()
            try planner.store.close()
            #expect(await refusalCode(restore) == "in_use")
            #expect(try await second.people().map(\.name) == ["Anna", "Ben"])
            let files = try FileManager.default.contentsOfDirectory(atPath: home.home.path)
            #expect(!files.contains { $0.contains("before-restore") || $0.contains("unfinished") })
            try second.store.close()
            try await restore()
            #expect(try await home.addressBook().count == 1)
        }
    }

    @Test func `A backup can be restored over a ruined database`() async throws {
        try await Self.run { home, planner, file in
            try planner.store.close()
            let ruin = Data("this was a database".utf8)
            try ruin.write(to: URL(filePath: home.home.database))
            unlink(home.home.database + "-wal")
            let report = try await Planner.restore(try home.surroundings(), from: file)
            let previous = try #require(report.previous)
            #expect(FileManager.default.contents(atPath: previous) == ruin)
            #expect(try await home.planner().meetings(.coming).meetings.count == 1)
        }
    }

    @Test func `A backup never replaces a file of the home, even on request`()
        async throws
    {
        try await Self.run { home, planner, _ in
            try "sinks: stdout\n".write(
                toFile: home.home.configuration, atomically: true, encoding: .utf8)
            for path in [home.home.configuration, home.home.daemonLock, home.home.templates] {
                for isOverwriting in [true, false] {
                    let code = await refusalCode {
                        _ = try await planner.backup(to: path, overwriting: isOverwriting)
                    }
                    #expect(code == "file_exists", "\(path)")
                }
            }
            let left = try String(contentsOfFile: home.home.configuration, encoding: .utf8)
            #expect(left == "sinks: stdout\n")
            #expect(!FileManager.default.fileExists(atPath: home.home.daemonLock))
        }
    }

    @Test func `A restore reports a different owner and the deliveries that are sent again`()
        async throws
    {
        try await withHome { old in
            try "owner: {name: Olga O'Neill, address: olga@example.org}\nowner.tz: Asia/Tokyo\n"
                .write(toFile: old.home.configuration, atomically: true, encoding: .utf8)
            let planner = try await old.planner()
            _ = try await planner.meet("Games", with: "anna@example.org")
            let file = old.home.path + "/copy.backup"
            // Backups of older versions have no settings.
            try await planner.store.backup(to: file, overwriting: false)
            try planner.store.close()
            let same = try await Planner.restore(try old.surroundings(), from: file)
            #expect(same.due == 1)
            #expect(same.remarks.count == 1)
            #expect(same.remarks.last?.text.contains("sent again: 1 delivery is due now.") == true)
            #expect(
                same.remarks.last?.advice == [
                    .deliveries(.list(state: "planned")), .deliveries(.drop("KEY")),
                ])
            try await withHome { home in
                let report = try await Planner.restore(try home.surroundings(), from: file)
                let words = """
                    The owner in the backup is Olga O'Neill <olga@example.org>, Asia/Tokyo, but \
                    the settings of this home name Olga Owner. Change the settings to keep the \
                    owner of the backup.
                    """
                let values: [Advice.SetupValue] = [
                    .name("Olga O'Neill"), .address("olga@example.org"), .zone("Asia/Tokyo"),
                ]
                #expect(
                    report.remarks.first
                        == Remark(words, advice: .installation(.setUp(values))))
            }
        }
    }

    @Test func `A backup into a missing folder is refused with its path`() async throws {
        try await Self.run { home, planner, _ in
            let file = home.home.path + "/none/copy"
            let refused = await refusal {
                _ = try await planner.backup(to: file, overwriting: false)
            }
            #expect(refused?.code == "no_file")
            #expect(
                refused?.message
                    == "\(file) cannot be written. Check that its folder exists, and who owns it.")
        }
    }

    @Test func `Only the owner can restore a backup`()
        async throws
    {
        try await Self.run { home, planner, file in
            _ = try await planner.add("Ben", "ben@example.org")
            try planner.store.close()
            let code = await refusalCode {
                _ = try await Planner.restore(try home.surroundings(actingAs: "Anna"), from: file)
            }
            #expect(code == "not_allowed")
            #expect(try await home.addressBook().count == 2)
            let owner = try home.surroundings(actingAs: "Olga")
            #expect(try await Planner.restore(owner, from: file).people == 1)
            #expect(try await home.addressBook().count == 1)
        }
    }
}
