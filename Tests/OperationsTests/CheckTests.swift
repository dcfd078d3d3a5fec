import Agenda
import Foundation
import GRDB
@testable import Operations
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

@Suite("Config check and doctor")
struct CheckTests {
    private static func problems(
        _ text: String, _ environment: [String: String] = [:], in home: TestWorld
    ) throws -> [ConfigurationProblem] {
        try text.write(toFile: home.home.configuration, atomically: true, encoding: .utf8)
        return ConfigurationCheck(home: home.home, environment: environment).problems
    }

    @Test(arguments: [
        ("owner:\n  tz: Mars/Base\n", 2, "owner.tz"), ("\nsinks: smoke\n", 2, "sinks"),
        ("overpass.url: ftp://x\n", 1, "overpass.url"), ("listen: 8420\n", 1, "listen"),
        ("area: Oslo\nowner.address: nobody\n", 2, "owner.address"),
        ("a: 1\n", 1, nil), ("owner: [\n", 2, nil), ("area: a\narea: b\n", 2, nil),
        ("owner:\n  tz: UTC\n  name: a\n  name: b\n", 4, nil), ("area: a\nb: \u{1}\n", 2, nil),
        ("area: a\nsinks: [stdout, [a]]\n", 2, nil),
    ])
    func `A configuration error is reported with file and line`(
        text: String, line: Int, setting: String?
    ) async throws {
        try await withHome { home in
            let problems = try Self.problems(text, in: home)
            #expect(problems.count == 1)
            #expect(problems.first?.file == home.home.configuration)
            #expect(problems.first?.line == line)
            #expect(problems.first?.setting == setting)
        }
    }

    @Test func `An invalid environment variable is named, and secrets are never shown`()
        async throws
    {
        try await withHome { home in
            let environment = [
                "LETSMEET_SINKS": "smoke", "FOURSQUARE_SERVICE_KEY": "key-that-is-secret",
            ]
            let problems = try Self.problems("", environment, in: home)
            #expect(problems.map(\.file) == ["LETSMEET_SINKS"])
            let settings = try ConfigurationCheck(home: home.home, environment: environment)
                .settings()
            #expect(settings.map(\.name) == SettingName.allCases.map(\.rawValue))
            let key = settings.first { $0.name == "foursquare.key" }
            #expect(key?.value == "(set)")
            #expect(key?.origin == "environment")
        }
    }

    @Test func `An invalid mail address is reported but not shown`() async throws {
        try await withHome { home in
            let problems = try Self.problems("owner.address: olga at example.org\n", in: home)
            #expect(problems.map(\.setting) == ["owner.address"])
            #expect(!problems.map(\.message).joined().contains("olga"))
        }
    }

    @Test func `A sink that is not set up is reported with the line of sinks`() async throws {
        try await withHome { home in
            try "area: Oslo\nsinks: [stdout, mail]\n".write(
                toFile: home.home.configuration, atomically: true, encoding: .utf8)
            let doctor = Doctor(homeOption: home.home.path, machine: home.machine)
            let problem = try doctor.surroundings().sinkProblems.first
            #expect(problem?.file == home.home.configuration)
            #expect(problem?.line == 2)
            #expect(problem?.setting == "sinks")
        }
    }

    @Test(arguments: [
        ("webhook.allow: foo bar\n", "webhook.allow"),
        ("sinks: [stdout, mail]\nsmtp.url: nonsense\n", "smtp.url"),
        ("area: [\n", "a list or group is not closed"),
    ])
    func `A wrong setting is said once, and the sinks that need it are not checked`(
        text: String, cause: String
    ) async throws {
        try await withHome { home in
            try text.write(toFile: home.home.configuration, atomically: true, encoding: .utf8)
            let doctor = Doctor(homeOption: home.home.path, machine: home.machine)
            let report = await doctor.report(version: "test")
            #expect(report.text().components(separatedBy: cause).count == 2, "\(report.text())")
            #expect(
                report.checks.filter { $0.detail == "not checked" }.map(\.name) == ["sinks"])
            #expect(report.checks.first { $0.status == .problem }?.name == "configuration")
        }
    }

    @Test func `Rows of a narrow screen begin below the first word of their text`() async throws {
        try await withHome { home in
            let doctor = Doctor(homeOption: home.home.path, machine: home.machine)
            let report = await doctor.report(version: "test")
            let whole = report.text().split(separator: "\n")
            var indentations: Set<Int> = []
            let told = report.text(rows: { text, less in
                indentations.insert(less)
                return text.split(separator: " ").map(String.init)
            })
            let narrow = told.split(separator: "\n")
            let indentation: Int = try #require(indentations.first)
            #expect(indentations.count == 1 && narrow.count > whole.count)
            let marks = ["ok ", "warning ", "PROBLEM "]
            for row in narrow where !marks.contains(where: row.hasPrefix) {
                let spaces = row.prefix { $0 == " " }.count
                #expect(spaces == indentation, "\(row)")
            }
            let words = whole.map { $0.dropFirst(indentation).prefix { $0 != " " } }
            #expect(words.allSatisfy { !$0.isEmpty })
        }
    }

    @Test func `A paused destination and its channel are one warning, without addresses`()
        async throws
    {
        try await withHome { home in
            let store = try await home.planner().store
            let reply = "5.7.1 <olga@example.org>: Sender address rejected"
            let now = home.machine.clock.now
            try await store.keep(
                OpenBreaker(
                    channel: "mail", destination: "127.0.0.1:25 (mail)", since: now, until: now,
                    reason: reply))
            try await DatabaseQueue(path: home.home.database).write { db in
                try db.execute(
                    sql: """
                        INSERT INTO channel_trouble (sink, name, at, outcome, code, reply)
                        VALUES ('mail', '', 0, 'misconfigured', '550', :reply)
                        """, arguments: ["reply": reply])
            }
            let report = await Self.report(home)
            #expect(!report.checks.contains { $0.name == "destination" })
            let channel = try #require(report.checks.first { $0.name == "channel" })
            #expect(channel.detail.contains("answered 550: 5.7.1 <o…@example.org>: Sender"))
            #expect(channel.detail.contains("paused until"))
            #expect(!report.text().contains("olga@"))
        }
    }

    @Test(arguments: [
        (1, "1 report of a mail system was not understood in the last 7 days"),
        (2, "2 reports of mail systems were not understood in the last 7 days"),
    ])
    func `Reports of mail systems that were not understood are counted`(
        _ count: Int, _ words: String
    ) async throws {
        try await withHome { home in
            let now = home.machine.clock.now
            let mails = (1...count).map { number in
                var mail = IgnoredMail(
                    id: "\(number)", readAt: now, sender: "", subject: "", reason: "unclear",
                    isAnswer: false)
                mail.isReport = true
                return mail
            }
            try await home.planner().store.note(mails, now: now)
            let report = await Self.report(home)
            let check = try #require(report.checks.first { $0.name == "reports by mail" })
            #expect(check.status == .warning && check.detail == words)
            #expect(!report.checks.contains { $0.name == "answers by mail" })
        }
    }

    @Test func `All templates with errors are named`() async throws {
        try await withHome { home in
            let folder = home.home.templates + "/text"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for name in ["invitation", "change"] {
                try "{{#when}}".write(
                    toFile: "\(folder)/\(name).mustache", atomically: true, encoding: .utf8)
            }
            let checks = await Self.report(home).checks
            let check = try #require(checks.first { $0.name == "templates" })
            #expect(check.status == .problem)
            for name in ["invitation", "change"] { #expect(check.detail.contains(name)) }
        }
    }

    static func report(_ home: TestWorld) async -> HealthReport {
        await Doctor(
            homeOption: home.home.path, machine: home.machine
        ).report(version: "test")
    }

    @Test func `A home without errors passes, and the report shows nothing private`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Zelda Quixote", "zelda@example.org")
            _ = try await planner.meet("Secret dinner", with: "zelda")
            let report = await Self.report(home)
            #expect(report.ok, "\(report.text())")
            for word in ["Zelda", "Quixote", "zelda@", "Secret", "Olga"] {
                #expect(!report.text().contains(word))
            }
        }
    }

    @Test func `Paths in a report contain no user name`() async throws {
        try await withHome { home in
            let homes = "/" + "home"
            let environment = [
                "HOME": homes + "/xen", "TZDIR": homes + "/xenia/zones",
                "LETSMEET_SHARE": home.home.path + "/zelda/share",
            ]
            let doctor = Doctor(
                homeOption: homes + "/xen/letsmeet",
                machine: home.machine,
                environment: environment)
            for report in [await doctor.report(version: "test"), await doctor.daemonReport()] {
                let text = report.text()
                for name in ["xenia", "zelda"] { #expect(!text.contains(name), "\(text)") }
            }
            #expect(await doctor.report(version: "test").text().contains("~/letsmeet"))
        }
    }

    @Test func `A readable home, late deliveries and a bad configuration are problems with advice`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.meet("Games", with: "b@example.org")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: home.home.path)
            try "sinks: smoke\n".write(
                toFile: home.home.configuration, atomically: true, encoding: .utf8)
            let report = await Self.report(home.later(minutes: 10))
            #expect(!report.ok)
            let bad = report.checks.filter { $0.status == .problem }
            #expect(bad.map(\.name) == ["home", "configuration", "ledger"])
            let sinks = report.checks.first { $0.name == "sinks" }
            #expect(sinks?.detail == "not checked", "the cause is said once")
            #expect(bad.allSatisfy { !$0.advice.isEmpty })
        }
    }

    @Test func `A ruined database is a problem, and a daemon on this home is reported`()
        async throws
    {
        try await withHome { home in
            try Data("no database".utf8).write(to: URL(filePath: home.home.database))
            let lock = try FileLock(path: home.home.daemonLock)
            lock.sign("process 1")
            let checks = await Self.report(home).checks
            #expect(checks.first { $0.name == "database" }?.status == .problem)
            #expect(
                checks.first { $0.name == "daemon" }?.detail == "running on this home (process 1)")
            lock.release()
        }
    }

    @Test func `A daemon whose lock file was removed is still found`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let (folder, file) = (home.home.path, home.home.daemonLock)
            let lock = try FolderLock(on: folder, file: file)
            try FileManager.default.removeItem(atPath: file)
            #expect(planner.isDaemonRunning)
            let check = await Self.report(home).checks.first { $0.name == "daemon" }
            #expect(check?.status == .warning)
            #expect(check?.detail == "another process has locked the folder \(folder)")
            let refused = await refusal {
                _ = try await Planner.restore(
                    try home.surroundings(), from: folder + "/no.backup")
            }
            #expect(refused?.code == "daemon_running")
            #expect(refused?.message.contains("has locked the folder \(folder)") == true)
            lock.release()
            #expect(!planner.isDaemonRunning)
        }
    }

    @Test(arguments: [1, 2])
    func `The ledger rules of very many meetings are not checked, and the report says so`(
        most: Int
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            for title in ["Games", "Lunch"] {
                _ = try await planner.meet(title, with: "b@example.org")
            }
            var doctor = Doctor(homeOption: home.home.path, machine: home.machine)
            doctor.verifiedMeetingsMax = most
            let rules = await doctor.report(version: "test").checks.first {
                $0.name == "ledger rules"
            }
            guard most == 1 else {
                #expect(rules == nil)
                return
            }
            #expect(rules?.status == .ok && rules?.detail.hasPrefix("not checked") == true)
            #expect(rules?.advice == [.deliveries(.verify)])
        }
    }

    @Test func `A flipped bit in the ledger is a problem`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.meet("Games", with: "b@example.org")
            let copy = home.home.path + "/copy"
            try await planner.store.backup(to: copy, overwriting: false)
            try planner.store.close()
            for ending in ["-wal", "-shm"] { unlink(home.home.database + ending) }
            let file = URL(filePath: home.home.database)
            var bytes = try Data(contentsOf: URL(filePath: copy))
            let row = try #require(bytes.range(of: Data("invitation1stdout".utf8)))
            bytes[row.lowerBound + "invitation".utf8.count] ^= 2
            try bytes.write(to: file)
            let rules = await Self.report(home).checks.first { $0.name == "ledger rules" }
            #expect(rules?.status == .problem)
            #expect(rules?.advice == [.deliveries(.verify), .installation(.restore)])
        }
    }

    @Test func `A template outside the folders for templates is named`() async throws {
        try await withHome { home in
            let folder = home.home.templates
            try FileManager.default.createDirectory(
                atPath: folder + "/text", withIntermediateDirectories: true)
            for file in ["invitation.mustache", "text/reminder.mustache"] {
                try "One line\nand text\n".write(
                    toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
            }
            let doctor = Doctor(
                homeOption: home.home.path, machine: home.machine
            )
            let report = await doctor.daemonReport()
            let templates = report.checks.first { $0.name == "templates" }
            #expect(report.ok)
            #expect(templates?.status == .warning)
            #expect(templates?.detail == "not used: invitation.mustache")
            #expect(templates?.advice.last == .installation(.listTemplates))
        }
    }

    @Test func `For a schema without a known column, restoring a backup is advised`()
        async throws
    {
        try await withHome { home in
            try await home.planner().store.close()
            let other = try DatabaseQueue(path: home.home.database)
            try await other.write { db in
                try db.execute(sql: "ALTER TABLE open_breaker RENAME COLUMN reason TO rearon")
            }
            try other.close()
            let database = await Self.report(home).checks.first { $0.name == "database" }
            #expect(database?.status == .problem)
            #expect(database?.detail.contains("open_breaker") == true)
            #expect(database?.advice == [.installation(.restore)])
        }
    }

    @Test func `A home that is a file is a problem for commands and for the daemon`() async throws {
        try await withHome { home in
            let file = home.home.path + "/file"
            _ = FileManager.default.createFile(atPath: file, contents: nil)
            let doctor = Doctor(
                homeOption: file, machine: home.machine)
            for report in [await doctor.daemonReport(), await doctor.report(version: "test")] {
                #expect(!report.ok)
                let seen = report.checks.first { $0.name == "home" }
                #expect(seen?.status == .problem)
                #expect(seen?.detail.hasSuffix("is a file, not a folder") == true)
            }
        }
    }
}
