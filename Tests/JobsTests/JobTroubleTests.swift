import Foundation
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Jobs

/// Trouble around the scheduler neither loses nor repeats a time.
@Suite struct JobTroubleTests {
    // MARK: A store that refuses

    private static let line = "CRON_TZ=UTC\n* * * * * id=a tzdata check"
    private static let start = "2026-12-01T12:00:30Z"

    /// The number of store calls with which a home is opened. Nothing runs if one of them fails.
    private func callsOfOpening() async throws -> Int {
        var nth = 1
        while true {
            let hook = NthAccessHook(nth: nth, losesAnswer: false)
            try await Store.$hook.withValue(hook) {
                try await withTemporaryHome(now: Self.start) { world in
                    _ = try? await Timetable(world, Self.line)
                }
            }
            guard hook.isReached else { return nth - 1 }
            nth += 1
        }
    }

    @Test(arguments: [false, true])
    func `Each time runs once, whichever store call fails`(losingAnswers: Bool) async throws {
        let opening = try await callsOfOpening()
        let expected = (1...5).map { "12:0\($0) done" }
        var nth = 1
        while true {
            let hook = NthAccessHook(nth: nth, losesAnswer: losingAnswers)
            let runs = try await Store.$hook.withValue(hook) {
                try await withTemporaryHome(now: Self.start) { world in
                    try await minutes(of: world)
                }
            }
            // The refused call may belong to a job.
            let times = runs.map { $0.map { $0.replacing("failed", with: "done") } }
            #expect(times == nil ? nth <= opening : times == expected, "call \(nth)")
            guard hook.isReached else {
                // Each of the five runs calls the store.
                #expect(times == expected && nth > opening + 5)
                return
            }
            nth += 1
        }
    }

    /// The runs of five minutes; `nil` if the home could not be opened.
    private func minutes(of world: TestWorld) async throws -> [String]? {
        guard let table = try? await Timetable(world, Self.line) else { return nil }
        _ = try? await table.iterate()
        _ = try? await table.iterate()
        for minute in 1...5 {
            world.clock.set(try Moment.parse("2026-12-01T12:0\(minute):00Z"))
            // The real loop also tries again after a second.
            _ = try? await table.iterate()
            _ = try? await table.iterate()
        }
        if let runs = try? await table.runs("a") { return runs }
        return try await table.runs("a")
    }

    // MARK: Waiting runs

    @Test func `A run whose line was removed does not start`() async throws {
        try await withTimetable("CRON_TZ=UTC\n1 12 * * * id=a jitter=30m doctor") { table in
            try await table.iterate()
            try await table.iterate(at: "12:01:00")
            try table.write("CRON_TZ=UTC\n1 12 * * * id=a jitter=30m tzdata check")
            try await table.iterate(at: "12:31:00")
            #expect(try await table.runs("a") == ["12:01 skipped"])
        }
    }

    @Test func `A waiting run follows the clock when a clock that was years ahead is corrected`()
        async throws
    {
        try await withTimetable("CRON_TZ=UTC\n1 12 * * * id=a jitter=1h tzdata check") { table in
            try await table.iterate()
            table.world.clock.set(try Moment.parse("2030-12-01T12:01:00Z"))
            _ = try await table.scheduler.iterate { _ in }
            #expect(try await table.runs("a") == ["12:01 waiting"])
            table.world.clock.set(try Moment.parse("2026-12-01T13:00:00Z"))
            try await Timetable(table.world, nil).iterate()
            #expect(try await table.runs("a") == ["12:01 done"])
            try await Timetable(table.world, nil).iterate(at: "2026-12-02T13:05:00Z")
            #expect(try await table.runs("a") == ["12:01 done", "12:01 done"])
        }
    }

    @Test func `When the clock is set back, waiting runs move back with it`() async throws {
        try await withTimetable("CRON_TZ=UTC\n1 14 * * * id=a jitter=10m tzdata check") { table in
            try await table.iterate()
            let next = try await table.iterate(at: "14:01:00")
            let due = try #require(
                try await table.planner.store.lastRuns(ofLine: "a", limit: 1).first?.due)
            #expect(due > table.world.clock.now && next <= due)
            try await table.step(seconds: -3600)
            let later = try #require(
                try await table.planner.store.lastRuns(ofLine: "a", limit: 1).first?.due)
            #expect(due.milliseconds(since: later) == 3_600_000)
        }
    }

    @Test func `Many waiting runs do not hold up other lines, and excess runs are skipped`()
        async throws
    {
        let lines = "CRON_TZ=UTC\n* * * * * id=a catch-up=all:300d overlap=wait doctor\n"
        try await withTimetable(lines + "0 * * * * id=b tzdata check") { table in
            try await table.iterate()
            table.world.clock.set(try Moment.parse("2026-12-08T12:00:30Z"))
            var begun: [String] = []
            var turns = 0
            while try await table.scheduler.iterate(begin: { begun.append($0.run.line ?? "") })
                <= table.world.clock.now
            {
                turns += 1
            }
            #expect(begun.sorted() == ["a", "b"])
            #expect(turns >= 20)
            let runs = try await table.runs("a")
            #expect(runs.count == 1000)
            #expect(runs.last == "12:00 skipped")
        }
    }

    // MARK: The crontab file

    @Test func `A byte order mark before a crontab is no part of it`() async throws {
        let setting = Crontab.Setting(zones: ZoneDirectory(), zone: .utc, shellRefusal: nil)
        try await withTimetable("\u{FEFF}5 10 * * * id=a tzdata check") { table in
            let crontab = try CrontabFile(path: table.world.home.crontab).read(setting)
            #expect(crontab.faults.isEmpty)
            #expect(crontab.lines.map(\.name) == ["a"])
        }
    }

    @Test func `A crontab in UTF-16 is refused with the reason`() async throws {
        let setting = Crontab.Setting(zones: ZoneDirectory(), zone: .utc, shellRefusal: nil)
        try await withTimetable("# later") { table in
            let path = table.world.home.crontab
            try Data([0xFF, 0xFE, 0x23, 0]).write(to: URL(filePath: path))
            let refusal = #expect(throws: Refusal.self) {
                try CrontabFile(path: path).read(setting)
            }
            #expect(refusal?.message == "\(path) is UTF-16 text. Save it as UTF-8.")
        }
    }

    @Test func `A pipe in place of the crontab does not block the scheduler`() async throws {
        try await withTimetable("CRON_TZ=UTC\n5 * * * * id=a tzdata check") { table in
            try await table.iterate()
            let path = table.world.home.crontab
            try FileManager.default.removeItem(atPath: path)
            try #require(mkfifo(path, 0o600) == 0)
            try await table.iterate(at: "12:05:00")
            #expect(try await table.runs("a") == ["12:05 done"])
            #expect(
                table.book.lines("The file \(path) does not exist or cannot be read.").count == 1)
            try FileManager.default.removeItem(atPath: path)
            try table.write("CRON_TZ=UTC\n7 * * * * id=a tzdata check")
            try await table.iterate(at: "12:06:00")
            try await table.iterate(at: "12:07:00")
            #expect(try await table.runs("a") == ["12:05 done", "12:07 done"])
        }
    }

    @Test func `A crontab may be a symbolic link, and a change of its mode is noticed`()
        async throws
    {
        let line = "CRON_TZ=UTC\n5 12 * * * id=a run echo hello"
        try await withTimetable(nil, settings: [.allowShell: "true"]) { table in
            let real = table.world.home.path + "/real"
            try line.write(toFile: real, atomically: true, encoding: .utf8)
            let mode = [FileAttributeKey.posixPermissions: 0o666]
            try FileManager.default.setAttributes(mode, ofItemAtPath: real)
            try FileManager.default.createSymbolicLink(
                atPath: table.world.home.crontab, withDestinationPath: real)
            try await table.iterate()
            #expect(table.book.lines(table.world.home.crontab).count == 1)
            let ours = [FileAttributeKey.posixPermissions: 0o600]
            try FileManager.default.setAttributes(ours, ofItemAtPath: real)
            try await table.iterate(at: "12:05:00")
            #expect(try await table.runs("a") == [])
            try await table.iterate(at: "2026-12-02T12:05:00Z")
            #expect(try await table.runs("a") == ["12:05 done"])
            // If the link is broken, the previous crontab stays in use, not the built-in one.
            try FileManager.default.removeItem(atPath: real)
            try await table.iterate(at: "2026-12-03T12:05:00Z")
            #expect(try await table.runs("a").count == 2)
        }
    }
}
