import Foundation
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Jobs

@Suite struct JobSchedulerTests {
    @Test func `Jobs run at the times of their lines`() async throws {
        try await withTimetable(
            "CRON_TZ=UTC\n15 * * * * id=a doctor\n20 13 * * * id=b tzdata check"
        ) { table in
            let next = try await table.iterate()
            #expect(next.utcText == "2026-12-01T12:01:00.000Z")
            try await table.iterate(at: "12:14:59")
            #expect(try await table.runs("a") == [])
            try await table.iterate(at: "12:15:00")
            try await table.iterate(at: "12:15:01")
            try await table.iterate(at: "13:20:00")
            #expect(try await table.runs("a") == ["12:15 done", "13:15 done"])
            #expect(try await table.runs("b") == ["13:20 done"])
            #expect(table.book.lines("done").count == 3)
        }
    }

    @Test func `The next iteration is due at the time of a line plus its jitter`() async throws {
        try await withTimetable("CRON_TZ=UTC\n1 12 * * * id=a jitter=10m doctor") { table in
            #expect(try await table.iterate().utcText == "2026-12-01T12:01:00.000Z")
            let next = try await table.iterate(at: "12:01:00")
            #expect(try await table.runs("a") == ["12:01 waiting"])
            let run = try #require(
                try await table.planner.store.lastRuns(ofLine: "a", limit: 1).first)
            #expect(run.due > run.nominal && run.due < run.nominal.advanced(bySeconds: 600))
            #expect(next == min(run.due, try Moment.parse("2026-12-01T12:02:00Z")))
            try await table.iterate(at: "12:11:00")
            #expect(try await table.runs("a") == ["12:01 done"])
        }
    }

    @Test func `A home without a crontab uses the built-in one`() async throws {
        try await withTimetable(nil) { table in
            try await table.iterate()
            #expect(
                table.book.lines("crontab read").map { $0.metadata["file"] }
                    == ["\(Checkout.root)/crontab"])
            try await table.iterate(at: "2026-12-02T02:00:00Z")
            #expect(try await table.runs("backup") == ["01:30 done"])
            let files = try FileManager.default.contentsOfDirectory(
                atPath: table.world.home.backups)
            #expect(files == ["letsmeet-20261202T020000Z.backup"])
        }
    }

    // MARK: Catching up

    @Test func `Missed times are made up for once, as catch-up says`() async throws {
        try await withTemporaryHome(now: "2026-12-01T12:00:30Z") { world in
            let lines = """
                CRON_TZ=UTC
                */15 * * * * id=latest doctor
                */15 * * * * id=none catch-up=none doctor
                */15 * * * * id=all catch-up=all:40m doctor
                """
            try await Timetable(world, lines).iterate()
            world.clock.set(try Moment.parse("2026-12-01T15:20:00Z"))
            let later = try await Timetable(world, nil)
            try await later.iterate()
            #expect(try await later.runs("latest") == ["15:15 done"])
            #expect(try await later.runs("none") == [])
            #expect(try await later.runs("all") == ["14:45 done", "15:00 done", "15:15 done"])
            try await Timetable(world, nil).iterate()
            #expect(try await later.runs("latest") == ["15:15 done"])
            #expect(try await later.runs("all").count == 3)
        }
    }

    @Test func `A new line does not make up for earlier times`() async throws {
        try await withTimetable("CRON_TZ=UTC\n0 12 * * * id=a doctor") { table in
            try await table.iterate()
            try await table.iterate(at: "18:00:30")
            #expect(try await table.runs("a") == [])
            try table.write("CRON_TZ=UTC\n*/5 * * * * id=b doctor")
            try await table.iterate()
            #expect(try await table.runs("b") == [])
            // A line that was removed starts afresh when it returns.
            try await table.iterate(at: "2026-12-02T18:00:30Z")
            try table.write("CRON_TZ=UTC\n0 12 * * * id=a doctor")
            try await table.iterate()
            try await table.iterate(at: "2026-12-03T12:00:00Z")
            #expect(try await table.runs("a") == ["12:00 done"])
        }
    }

    @Test func `An edited line with an id stays the same line, and one without becomes a new line`()
        async throws
    {
        try await withTimetable("CRON_TZ=UTC\n0 13 * * * id=a doctor\n0 13 * * * tzdata check") {
            table in
            try await table.iterate()
            try await table.iterate(at: "13:00:00")
            try table.write("CRON_TZ=UTC\n30 13 * * * id=a doctor\n0 13 * * * doctor")
            try await table.iterate(at: "13:10:00")
            try await table.iterate(at: "13:30:00")
            #expect(try await table.runs("a") == ["13:00 done", "13:30 done"])
            #expect(try await table.runs("0 13 * * * tzdata check") == ["13:00 done"])
            #expect(try await table.runs("0 13 * * * doctor") == [])
            // Times that the new text would have had before the edit are not made up for.
            try table.write("CRON_TZ=UTC\n45 13 * * * id=a doctor")
            try await table.iterate(at: "14:00:30")
            try table.write("CRON_TZ=UTC\n50 13 * * * id=a doctor")
            try await table.iterate(at: "14:00:40")
            #expect(try await table.runs("a") == ["13:00 done", "13:30 done"])
        }
    }

    // MARK: Once

    @Test func `Two schedulers on one home start a run once`() async throws {
        try await withTimetable("CRON_TZ=UTC\n* * * * * id=a doctor") { table in
            try await table.iterate()
            let other = try await Timetable(table.world, nil)
            try await other.iterate()
            for minute in 1...5 {
                table.world.clock.set(try Moment.parse("2026-12-01T12:0\(minute):00Z"))
                async let first = table.iterate()
                async let second = other.iterate()
                _ = try await (first, second)
            }
            let runs = try await table.runs("a")
            #expect(runs.map { String($0.prefix(5)) } == (1...5).map { "12:0\($0)" })
        }
    }

    @Test func `A run claimed by a daemon that dies is started by the next daemon`() async throws {
        try await withTimetable("CRON_TZ=UTC\n5 12 * * * id=a doctor") { table in
            try await table.iterate()
            table.world.clock.set(try Moment.parse("2026-12-01T12:05:00Z"))
            // The daemon claims the time, and dies before starting the run.
            _ = try await table.scheduler.iterate { _ in }
            #expect(try await table.runs("a") == ["12:05 waiting"])
            let next = try await Timetable(table.world, nil)
            try await next.iterate()
            #expect(try await table.runs("a") == ["12:05 done"])
        }
    }

    @Test func `A run is given up after ten daemons have died during it`() async throws {
        try await withTimetable("CRON_TZ=UTC\n5 12 * * * id=a doctor") { table in
            try await table.iterate()
            table.world.clock.set(try Moment.parse("2026-12-01T12:05:00Z"))
            for _ in 1...10 {
                try await Timetable(table.world, nil).beginAndDie()
            }
            let last = try await Timetable(table.world, nil)
            try await last.iterate()
            #expect(try await table.runs("a") == ["12:05 failed"])
            let run = try await table.planner.store.lastRuns(ofLine: "a", limit: 1).first
            #expect(run?.detail == "given up: the daemon stopped 10 times during the run")
        }
    }

    // MARK: Overlaps

    @Test(arguments: [("skip", "12:02 skipped"), ("wait", "12:02 waiting")])
    func `A time that comes while the previous run is running is skipped or waits, as overlap says`(
        overlap: String, second: String
    ) async throws {
        try await withTimetable("CRON_TZ=UTC\n* * * * * id=a overlap=\(overlap) doctor") { table in
            try await table.iterate()
            table.world.clock.set(try Moment.parse("2026-12-01T12:01:00Z"))
            let first = try await table.begin()
            let isBegun = try await table.planner.store.beginRun(
                first.run.id, now: table.world.clock.now)
            #expect(isBegun)
            table.world.clock.set(try Moment.parse("2026-12-01T12:02:00Z"))
            _ = try await table.scheduler.iterate { _ in Issue.record("it runs beside another") }
            #expect(try await table.runs("a") == ["12:01 running", second])
            try await table.planner.store.endRun(
                first.run.id, as: .done, detail: "", now: table.world.clock.now)
            await table.scheduler.carryOut(first)
            try await table.iterate()
            let end = second.replacing("waiting", with: "done")
            #expect(try await table.runs("a") == ["12:01 done", end])
        }
    }

    // MARK: Clocks

    @Test func `A clock set back by an hour repeats no runs`() async throws {
        try await withTimetable("CRON_TZ=UTC\n*/20 * * * * id=a doctor\n10 12 * * * id=b doctor") {
            table in
            try await table.iterate()
            for time in ["12:10:00", "12:20:00", "12:40:00", "13:00:00"] {
                try await table.iterate(at: time)
            }
            try await table.step(seconds: -3600)
            for time in ["12:10:00", "12:20:00", "12:40:00", "13:00:00", "13:20:00"] {
                try await table.iterate(at: time)
            }
            #expect(
                try await table.runs("a") == [
                    "12:20 done", "12:40 done", "13:00 done", "13:20 done",
                ])
            #expect(try await table.runs("b") == ["12:10 done"])
        }
    }

    @Test func `After a clock that was half a day ahead is corrected, times run again`()
        async throws
    {
        try await withTimetable("CRON_TZ=UTC\n0 * * * * id=a doctor") { table in
            try await table.iterate()
            try await table.iterate(at: "13:00:00")
            try await table.iterate(at: "2026-12-02T01:00:00Z")
            try await table.step(seconds: -12 * 3600)
            try await table.iterate(at: "14:00:00")
            #expect(
                try await table.runs("a") == ["13:00 done", "01:00 done", "14:00 done"])
            try await table.iterate(at: "2026-12-02T01:00:00Z")
            #expect(try await table.runs("a").last == "01:00 done")
            #expect(try await table.runs("a").count == 4)
        }
    }

    @Test func `A clock step forward skips no fixed time, and after a correction the latest runs`()
        async throws
    {
        let lines = """
            CRON_TZ=UTC
            10,40 12,13,18 * * * id=fixed doctor
            */20 * * * * id=wild doctor
            10,40 12,13,18 * * * id=none catch-up=none doctor
            """
        try await withTimetable(lines) { table in
            try await table.iterate()
            try await table.step(seconds: 2 * 3600)
            #expect(
                try await table.runs("fixed") == [
                    "12:10 done", "12:40 done", "13:10 done", "13:40 done",
                ])
            #expect(try await table.runs("wild") == ["14:00 done"])
            #expect(try await table.runs("none").count == 4)
            try await table.step(seconds: 5 * 3600)
            #expect(try await table.runs("fixed").suffix(1) == ["18:40 done"])
            #expect(try await table.runs("fixed").count == 5)
            #expect(try await table.runs("wild") == ["14:00 done", "19:00 done"])
            #expect(try await table.runs("none").count == 4)
        }
    }

    // MARK: The file

    @Test func `A faulty crontab is logged, and the previous one stays in use`() async throws {
        try await withTimetable("CRON_TZ=UTC\n5 * * * * id=a tzdata check") { table in
            try await table.iterate()
            try table.write("CRON_TZ=UTC\n5 * * * * id=a tzdata check\n99 * * * * backup")
            try await table.iterate(at: "12:05:00")
            #expect(try await table.runs("a") == ["12:05 done"])
            let fault = "\(table.world.home.crontab), line 3: minute: 99 is not in 0-59."
            #expect(table.book.lines(fault).count == 1)
            #expect(table.book.lines("the previous crontab stays in use").count == 1)
            // The fault is logged once, not every minute.
            try await table.iterate(at: "12:06:00")
            #expect(table.book.lines(fault).count == 1)
            try table.write("CRON_TZ=UTC\n7 * * * * id=a tzdata check")
            try await table.iterate(at: "12:07:00")
            try await table.iterate(at: "12:08:00")
            #expect(try await table.runs("a") == ["12:05 done", "12:07 done"])
        }
    }

    @Test func `A crontab that is deleted is replaced by the built-in one`() async throws {
        try await withTimetable("CRON_TZ=UTC\n5 * * * * id=a doctor") { table in
            try await table.iterate()
            try FileManager.default.removeItem(atPath: table.world.home.crontab)
            try await table.iterate(at: "12:05:30")
            #expect(table.book.lines("crontab read").count == 2)
            try await table.iterate(at: "13:06:00")
            // The time had come before the removal of its line was noticed.
            #expect(try await table.runs("a") == ["12:05 skipped"])
        }
    }

    // MARK: Machine boot

    @Test func `An @reboot line runs once for each boot`() async throws {
        try await withTemporaryHome(now: "2026-12-01T12:00:30Z") { world in
            let first = try await Timetable(world, "@reboot id=a doctor")
            try await first.iterate()
            try await first.iterate(at: "12:05:00")
            try await Timetable(world, nil).iterate()
            #expect(try await first.runs("a") == ["12:00 done"])
            // Adding a line does not start it.
            try first.write("@reboot id=a doctor\n@reboot id=b doctor")
            try await Timetable(world, nil).iterate()
            #expect(try await first.runs("b") == [])
            world.clock.set(try Moment.parse("2026-12-01T12:30:00Z"))
            try await Timetable(world, nil, boot: "boot 2").iterate()
            #expect(try await first.runs("a") == ["12:00 done", "12:30 done"])
            #expect(try await first.runs("b") == ["12:30 done"])
        }
    }

    // MARK: Failures

    @Test func `A failed job is recorded with its reason, and other jobs still run`() async throws {
        let lines = "CRON_TZ=UTC\n5 12 * * * id=a contacts sync\n5 12 * * * id=b doctor"
        try await withTimetable(lines, settings: [.contactsFolder: "/nowhere/at/all"]) { table in
            try await table.iterate()
            try await table.iterate(at: "12:05:00")
            #expect(try await table.runs("a") == ["12:05 failed"])
            #expect(try await table.runs("b") == ["12:05 done"])
            #expect(table.book.lines("failed").count == 1)
        }
    }
}
