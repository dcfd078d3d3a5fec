import Agenda
import Foundation
import GRDB
import Planning
import Settings
import TestKit
import Testing

@testable import Operations
@testable import Storage

@Suite("Backup of a whole home")
struct WholeHomeTests {
    private static let settings = "owner: {name: Olga, address: olga@example.org}\n"
    private static let files = [
        "letsmeet.yaml": settings, "crontab": "0 7 * * * digest\n",
        "templates/text/invitation.mustache": "Come!\n", "secrets/smtp.password": "hunter2",
        "letsmeet.key": String(repeating: "5a", count: 32) + "\n",
    ]

    private static func write(_ files: [String: String], in home: Home) throws {
        for (path, text) in files {
            let url = URL(filePath: "\(home.path)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            #expect(chmod(url.path(percentEncoded: false), 0o600) == 0)
        }
    }

    private static func text(_ path: String, in home: Home) -> String? {
        FileManager.default.contents(atPath: "\(home.path)/\(path)")
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Runs the body with a home that has settings, a crontab, a template, a password, a meeting
    /// and a backup of all that.
    private static func run(
        _ body: (_ home: TestWorld, _ file: String) async throws -> Void
    ) async throws {
        try await withHome { home in
            try write(files, in: home.home)
            let planner = try await home.planner()
            _ = try await planner.meet("Games", with: "anna@example.org")
            let file = home.home.path + "/copy.backup"
            let report = try await planner.backup(to: file, overwriting: false)
            #expect(report.files == files.keys.sorted())
            #expect(report.remarks.isEmpty)
            try planner.store.close()
            try await body(home, file)
        }
    }

    @Test func `A new home gets everything back`() async throws {
        try await Self.run { _, file in
            try await withHome { home in
                let plan = try RestorePlan(try home.surroundings(), from: file)
                #expect(plan.meetings == 1 && plan.replaced.isEmpty && plan.kept.isEmpty)
                #expect(plan.added == Self.files.keys.sorted())
                let report = try await Planner.restore(try home.surroundings(), from: file)
                #expect(report.previous == nil && report.previousFiles == nil)
                for (path, text) in Self.files {
                    #expect(Self.text(path, in: home.home) == text)
                    var status = stat()
                    #expect(stat("\(home.home.path)/\(path)", &status) == 0)
                    #expect(status.st_mode & 0o777 == 0o600)
                }
                let planner = try await home.planner()
                #expect(planner.owner.address == "olga@example.org")
                #expect(try await planner.meetings(.coming).meetings.map(\.title) == ["Games"])
                #expect(try await planner.brokenRules() == [])
            }
        }
    }

    @Test func `The time of a backup is that of the owner's time zone`() async throws {
        try await Self.run { _, file in
            try await withHome { home in
                let surroundings = try home.surroundings(settings: [
                    .ownerZone: "America/New_York"
                ])
                let plan = try RestorePlan(surroundings, from: file)
                #expect(plan.origin?.time.contains("10:13") == true, "\(plan.lines)")
            }
        }
    }

    @Test func `Replaced files are named before and kept, and others stay`() async throws {
        try await Self.run { home, file in
            try Self.write(
                [
                    "letsmeet.yaml": "owner.name: Ben\n",
                    "templates/text/change.mustache": "Changed!\n",
                ], in: home.home)
            let plan = try RestorePlan(try home.surroundings(), from: file)
            #expect(plan.replaced == ["letsmeet.sqlite", "letsmeet.yaml"])
            #expect(plan.added.isEmpty)
            #expect(plan.kept == ["templates/text/change.mustache"])
            #expect(plan.lines.count == 3)
            let replaced = plan.lines.first { $0.hasPrefix("Replaces: ") } ?? ""
            #expect(
                replaced.hasPrefix("Replaces: letsmeet.sqlite with 1 meeting and "), "\(replaced)")
            let report = try await Planner.restore(try home.surroundings(), from: file)
            #expect(Self.text("letsmeet.yaml", in: home.home) == Self.settings)
            #expect(Self.text("templates/text/change.mustache", in: home.home) == "Changed!\n")
            let kept = try #require(report.previousFiles)
            #expect(
                try String(contentsOfFile: kept + "/letsmeet.yaml", encoding: .utf8)
                    == "owner.name: Ben\n")
            let names = try FileManager.default.subpathsOfDirectory(atPath: home.home.path)
            #expect(!names.contains { $0.contains("unfinished") })
        }
    }

    /// Files that processes left which are gone, and one of a process that is at work.
    private static func leave(in home: Home) throws -> (left: [String], living: String) {
        let gone = ["letsmeet.sqlite", "letsmeet.yaml"].map { "\($0).unfinished-999999999" }
        let left = gone + ["letsmeet.sqlite.unfinished-999999999-wal"]
        let living = "letsmeet.sqlite.unfinished-\(getpid())"
        let texts = Dictionary(uniqueKeysWithValues: (left + [living]).map { ($0, "left") })
        try write(texts, in: home)
        return (left, living)
    }

    private static func unfinished(in home: Home) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: home.path)
            .filter { $0.contains(".unfinished-") }.sorted()
    }

    @Test func `Files of killed restores are named, and the next restore removes them`()
        async throws
    {
        try await Self.run { home, file in
            let (left, _) = try Self.leave(in: home.home)
            let staged = "templates/text/change.mustache.unfinished-20261128T041818123"
            try Self.write([staged: "left"], in: home.home)
            let doctor = Doctor(homeOption: home.home.path, machine: home.machine)
            let checks = await doctor.report(version: "test").checks
            let check = try #require(checks.first { $0.name == "unfinished files" })
            #expect(check.status == .warning)
            let all = (left + [staged]).sorted().joined(separator: ", ")
            #expect(check.detail == "a process that was killed left \(all)")
            _ = try await Planner.restore(try home.surroundings(), from: file)
            #expect(try Self.unfinished(in: home.home).isEmpty)
            let after = await doctor.report(version: "test").checks
            #expect(!after.contains { $0.name == "unfinished files" })
        }
    }

    @Test func `An erasure removes unfinished copies of the database of dead processes`()
        async throws
    {
        try await Self.run { home, _ in
            let (_, living) = try Self.leave(in: home.home)
            let planner = try await home.planner()
            _ = try await planner.erasePerson("anna@example.org")
            #expect(try Self.unfinished(in: home.home) == [living])
        }
    }

    @Test func `The database of a restored home has no copies of its secrets`() async throws {
        try await Self.run { home, file in
            _ = try await Planner.restore(try home.surroundings(), from: file)
            let bytes = try Data(contentsOf: URL(filePath: home.home.database))
            #expect(bytes.range(of: Data("hunter2".utf8)) == nil)
            let backup = try Data(contentsOf: URL(filePath: file))
            #expect(backup.range(of: Data("hunter2".utf8)) != nil)
            let planner = try await home.planner()
            #expect(try await planner.store.health().foreignPart == nil)
        }
    }

    @Test func `A backup of another machine warns of a daemon there`() async throws {
        try await Self.run { old, file in
            let same = try RestorePlan(try old.surroundings(), from: file)
            #expect(same.origin?.isElsewhere == false)
            #expect(!same.lines.contains { $0.contains("twice") })
            try await withHome { home in
                let plan = try RestorePlan(try home.surroundings(), from: file)
                #expect(plan.origin?.home == old.home.path)
                #expect(plan.lines.last?.contains("people get each message twice") == true)
            }
        }
    }

    @Test(arguments: [
        "UPDATE home_file SET bytes = x'00' WHERE path = 'letsmeet.yaml'",
        "UPDATE home_file SET path = '../evil' WHERE path = 'letsmeet.yaml'",
        "UPDATE home_file SET path = 'templates/../../evil' WHERE path = 'crontab'",
        "UPDATE home_file SET path = 'letsmeetd.lock' WHERE path = 'crontab'",
        "ALTER TABLE home_file ADD COLUMN more TEXT",
        "DROP TABLE home_note", "DELETE FROM home_note",
        "UPDATE home_file SET path = 'crontab' || char(0) || 'x' WHERE path = 'crontab'",
        "UPDATE home_file SET mode = 4095 WHERE path = 'crontab'",
        "UPDATE home_file SET mode = -1 WHERE path = 'crontab'",
    ])
    func `A backup whose files were changed is refused, and nothing is changed`(
        _ statement: String
    ) async throws {
        try await Self.run { home, file in
            let queue = try DatabaseQueue(path: file)
            try await queue.write { try $0.execute(sql: statement) }
            try queue.close()
            try BackupSeal.close(file)
            let names = { try FileManager.default.subpathsOfDirectory(atPath: home.home.path) }
            let before = try Set(names())
            let content = FileManager.default.contents(atPath: home.home.database)
            let refused = await refusal {
                _ = try await Planner.restore(try home.surroundings(), from: file)
            }
            #expect(refused?.code == "bad_backup")
            #expect(FileManager.default.contents(atPath: home.home.database) == content)
            #expect(Self.text("letsmeet.yaml", in: home.home) == Self.settings)
            #expect(try Set(names()).subtracting(before).allSatisfy { $0.hasSuffix(".lock") })
        }
    }

    @Test func `A file that cannot be in a backup is named`() async throws {
        try await withHome { home in
            try Self.write(Self.files, in: home.home)
            #expect(mkfifo(home.home.path + "/templates/pipe", 0o600) == 0)
            let planner = try await home.planner()
            let report = try await planner.backup(
                to: home.home.path + "/copy.backup", overwriting: false)
            #expect(report.remarks.map(\.text).contains { $0.contains("templates/pipe") })
            #expect(!report.files.contains("templates/pipe"))
        }
    }

    @Test func `A folder that is a symbolic link is named and left out of a backup`() async throws {
        try await withHome { home in
            try Self.write(Self.files, in: home.home)
            let outside = home.home.path + ".outside"
            let files = FileManager.default
            try files.moveItem(atPath: home.home.templates, toPath: outside)
            for link in [home.home.templates, home.home.secrets + "/nest"] {
                try files.createSymbolicLink(atPath: link, withDestinationPath: outside)
            }
            let report = try await home.planner().backup(
                to: home.home.path + "/copy.backup", overwriting: false)
            #expect(report.remarks.map(\.text).contains { $0.contains("secrets/nest, templates.") })
            #expect(!report.files.contains { $0.contains("invitation") })
        }
    }

    @Test func `A restore changes and removes nothing behind a symbolic link`() async throws {
        try await Self.run { home, file in
            let (files, outside) = (FileManager.default, home.home.path + ".outside")
            func restore() async -> String? {
                await refusalCode {
                    _ = try await Planner.restore(try home.surroundings(), from: file)
                }
            }
            func text(_ name: String) -> String? {
                files.contents(atPath: "\(outside)/\(name)").map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            let texts = [
                "text/invitation.mustache": "Mine", "settings": "owner: {name: Ben}\n",
                "text/a.unfinished-20261128T041818123": "a", "b.unfinished-20261128T041818123": "b",
            ]
            try Self.write(texts, in: Home(option: outside, environment: [:]))
            try files.removeItem(atPath: home.home.templates)
            try files.createSymbolicLink(
                atPath: home.home.templates, withDestinationPath: outside)
            let before = files.contents(atPath: home.home.database)
            #expect(await restore() == "linked_folder")
            #expect(files.contents(atPath: home.home.database) == before)
            for (name, content) in texts { #expect(text(name) == content) }
            // A link itself is replaced, and what it leads to stays.
            try files.removeItem(atPath: home.home.templates)
            try files.removeItem(atPath: home.home.configuration)
            try files.createSymbolicLink(
                atPath: home.home.configuration, withDestinationPath: outside + "/settings")
            try files.moveItem(atPath: home.home.database, toPath: outside + "/old.sqlite")
            try files.createSymbolicLink(
                atPath: home.home.database, withDestinationPath: outside + "/old.sqlite")
            #expect(await restore() == nil)
            for (name, content) in texts { #expect(text(name) == content) }
            #expect(files.fileExists(atPath: outside + "/old.sqlite"))
            #expect(Self.text("letsmeet.yaml", in: home.home) == Self.settings)
            #expect(!home.home.leadsThroughLink("letsmeet.sqlite"))
            let titles = try await home.planner().meetings(.coming).meetings.map(\.title)
            #expect(titles == ["Games"])
        }
    }

    @Test func `A backup of the database alone leaves the other files`() async throws {
        try await Self.run { home, _ in
            let file = home.home.path + "/old.backup"
            let store = try Store(path: home.home.database)
            try await store.backup(to: file, overwriting: false)
            try store.close()
            let plan = try RestorePlan(try home.surroundings(), from: file)
            #expect(plan.origin == nil && plan.replaced == ["letsmeet.sqlite"])
            let report = try await Planner.restore(try home.surroundings(), from: file)
            #expect(report.files.isEmpty && report.previousFiles == nil)
            #expect(Self.text("letsmeet.yaml", in: home.home) == Self.settings)
        }
    }
}
