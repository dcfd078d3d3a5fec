import Foundation
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Jobs

/// Tests that run real commands in the machine's shell.
@Suite(.timeLimit(.minutes(5))) struct ShellRunTests {
    private func report(
        _ command: String, limitSeconds: Int = 60, variables: [String: String] = [:],
        name: String = "1", in home: Home, clock: any WallClock = MachineClock()
    ) async throws -> JobReport {
        try await ShellRun(
            ShellCommand(command), limitSeconds: limitSeconds, variables: variables, name: name,
            at: ShellRun.Place(
                home: home, clock: clock,
                uptime: { .milliseconds(MachineClock().now.milliseconds) })
        ).report()
    }

    @Test func `A command runs, and its output is kept`() async throws {
        try await withTemporaryHome { world in
            let done = try await report("echo one; echo two >&2", in: world.home)
            #expect(done.state == .done && done.words == "one\ntwo")
            let failed = try await report("echo oh no; exit 3", name: "2", in: world.home)
            #expect(failed.state == .failed && failed.words == "ended with status 3:\noh no")
            let killed = try await report("kill -9 $$", name: "3", in: world.home)
            #expect(killed.state == .failed && killed.words == "ended by signal 9")
            let missing = try await report("/no/such/program", name: "4", in: world.home)
            #expect(missing.state == .failed && missing.words.contains("status 127"))
        }
    }

    @Test func `A command gets the environment that cron provides, and its standard input`()
        async throws
    {
        try await withTemporaryHome { world in
            let variables = ["NAME": "two words", "LOGNAME": "somebody", "PATH": "/bin"]
            let said = try await report(
                "echo \"$NAME|$PATH|$SHELL|$LOGNAME|$LETSMEET_HOME|$PWD|$HOME\"",
                variables: variables, in: world.home)
            let parts = said.words.split(separator: "|", omittingEmptySubsequences: false)
            #expect(
                parts.prefix(5) == ["two words", "/bin", "/bin/sh", Substring(NSUserName()), ""])
            #expect(parts[5] == parts[6])
            let names = try await report("env | cut -d= -f1 | sort", name: "2", in: world.home)
            #expect(
                Set(names.words.split(separator: "\n")).subtracting(["PWD", "SHLVL", "_", "OLDPWD"])
                    == ["HOME", "LOGNAME", "PATH", "SHELL"])
            let input = try await report("cat%first%second", name: "3", in: world.home)
            #expect(input.words == "first\nsecond")
            let nothing = try await report("wc -c", name: "4", in: world.home)
            #expect(nothing.words == "0")
        }
    }

    @Test func `A command need not read its standard input`() async throws {
        signal(SIGPIPE, SIG_IGN)
        try await withTemporaryHome { world in
            let input = String(repeating: "much to read ", count: 100_000)
            let unread = try await report("echo done%\(input)", in: world.home)
            #expect(unread.words == "done")
            let closed = try await report(
                "exec <&-; echo closed%\(input)", name: "2", in: world.home)
            #expect(closed.words == "closed")
            let mutual = try await report(
                "head -c 300000 /dev/zero | tr '\\0' x; wc -c%\(input)", name: "3", in: world.home)
            #expect(mutual.words.hasSuffix("1300001"))
        }
    }

    @Test func `A command has the signal handling that a shell expects`() async throws {
        try await withTemporaryHome { world in
            signal(SIGPIPE, SIG_IGN)
            let said = try await report(
                "yes | head -1; grep SigIgn /proc/$$/status", in: world.home)
            #expect(said.words.hasPrefix("y\n") && said.words.hasSuffix("0000000"))
        }
    }

    @Test func `A command has its own process group, which is ended after the time limit`()
        async throws
    {
        try await withTemporaryHome { world in
            let file = "\(world.home.path)/pids"
            let report = try await report(
                "echo begun; sleep 1000 & echo $! $$ > \(file); ps -o pgid= $$ >> \(file); wait",
                limitSeconds: 1, in: world.home)
            #expect(report.state == .failed)
            #expect(report.words == "stopped because it ran for longer than 1 second:\nbegun")
            let numbers = try String(contentsOfFile: file, encoding: .utf8)
                .split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
            try #require(numbers.count == 3)
            #expect(numbers[1] == numbers[2] && numbers[1] != getpgrp())
            // The process was told to end but may need time to do so; then it may remain as a
            // zombie for a moment.
            while kill(numbers[0], 0) == 0, !isZombie(numbers[0]) { await Task.yield() }
        }
    }

    private func isZombie(_ process: pid_t) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.contains(") Z ") ?? true
    }

    @Test func `A background process does not delay the end of a command`() async throws {
        try await withTemporaryHome { world in
            let report = try await report(
                "setsid sleep 100 & echo $!; echo done", in: world.home)
            #expect(report.state == .done)
            let process = try #require(report.words.split(separator: "\n").first)
            kill(try #require(pid_t(process)), SIGKILL)
        }
    }

    @Test func `A process that ignores SIGTERM is killed with its group`() async throws {
        try await withTemporaryHome { world in
            let file = "\(world.home.path)/pid"
            let report = try await report(
                "(trap '' TERM; sleep 999; sleep 999) & echo $! > \(file); wait", limitSeconds: 1,
                in: world.home)
            #expect(report.state == .failed)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            // A signal takes a moment; without it the process would run for half an hour.
            while kill(process, 0) == 0, !isZombie(process) { await Task.yield() }
        }
    }

    @Test func `A background process that writes endlessly does not delay the end of a command`()
        async throws
    {
        try await withTemporaryHome { world in
            let report = try await report(
                "yes & echo $! > \(world.home.path)/pid", in: world.home)
            #expect(report.state == .done)
            let text = try String(contentsOfFile: "\(world.home.path)/pid", encoding: .utf8)
            kill(try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))), SIGKILL)
        }
    }

    @Test func `A PATH in the crontab and the exit statuses 78 and 79 of a command are harmless`()
        async throws
    {
        try await withTemporaryHome { world in
            let odd = try await report(
                "echo hello", variables: ["PATH": "/no/such/folder:$PATH"], in: world.home)
            #expect(odd.state == .done && odd.words == "hello")
            for status in [78, 79] {
                let own = try await report("exit \(status)", name: "s\(status)", in: world.home)
                #expect(own.state == .failed && own.words == "ended with status \(status)")
            }
            let homeless = try await report(
                "echo hello", variables: ["HOME": "/no/such/folder"], name: "h", in: world.home)
            #expect(homeless.state == .failed && homeless.words.contains("/no/such/folder"))
        }
    }

    @Test func `A command that outlives its daemon is found, and no other starts beside it`()
        async throws
    {
        let line = "CRON_TZ=UTC\n* * * * * id=a limit=10m run sleep 60"
        try await withTimetable(line, settings: allowed) { table in
            try await table.iterate()
            table.world.clock.set(try Moment.parse("2026-12-01T12:01:00Z"))
            let run = try await table.begin()
            async let carrying: Void = table.scheduler.carryOut(run)
            let sign = RunSign(home: table.world.home, run: run.run.signName)
            while !sign.isAlive { await Task.yield() }
            // Another daemon finds the command.
            let next = try await Timetable(table.world, nil, settings: allowed)
            try await next.iterate(at: "12:02:00")
            #expect(try await table.runs("a") == ["12:01 running", "12:02 skipped"])
            // The time limit passes.
            _ = try await next.scheduler.iterate { _ in }
            table.world.clock.set(try Moment.parse("2026-12-01T12:11:30Z"))
            _ = try await next.scheduler.iterate { _ in }
            while sign.isAlive { await Task.yield() }
            await carrying
            #expect(try await table.runs("a").first == "12:01 failed")
        }
    }

    @Test func `Only marks of runs in the home itself are removed`() async throws {
        try await withTemporaryHome { world in
            try world.home.make()
            let (files, outside) = (FileManager.default, world.home.path + ".outside")
            try files.createDirectory(
                atPath: outside + "/photos", withIntermediateDirectories: true)
            try files.createSymbolicLink(
                atPath: world.home.runs, withDestinationPath: outside)
            RunSign.removeAll(in: world.home, but: [])
            #expect(files.fileExists(atPath: outside + "/photos"))
            try files.removeItem(atPath: world.home.runs)
            try files.createDirectory(
                atPath: world.home.runs + "/ended", withIntermediateDirectories: true)
            RunSign.removeAll(in: world.home, but: [])
            #expect(!files.fileExists(atPath: world.home.runs + "/ended"))
        }
    }

    @Test func `The beginning and the end of a long output are kept`() async throws {
        try await withTemporaryHome { world in
            let long = try await report("seq 1 100000", in: world.home)
            #expect(long.state == .done)
            #expect(long.words.hasPrefix("1\n2\n3\n") && long.words.hasSuffix("99999\n100000"))
            #expect(long.words.contains("\n…\n"))
            #expect((4000...4010).contains(long.words.utf8.count))
            let odd = try await report("printf 'a\\033[31mb\\377c'", name: "2", in: world.home)
            #expect(odd.words == "a\\u{1b}[31mb\u{FFFD}c")
        }
    }

    @Test func `A run that has started does not start a second time`() async throws {
        try await withTemporaryHome { world in
            let file = "\(world.home.path)/count"
            let first = try await report("echo x >> \(file)", name: "7", in: world.home)
            let second = try await report("echo x >> \(file)", name: "7", in: world.home)
            #expect(first.state == .done && second.state == .interrupted)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "x\n")
        }
    }

    // MARK: In a crontab

    private let allowed: [SettingName: String] = [.allowShell: "true"]

    @Test func `A line runs a command if shell commands are allowed`() async throws {
        let line = "CRON_TZ=UTC\nWORD=hello\n5 12 * * * id=a run echo $WORD"
        try await withTimetable(line, settings: allowed) { table in
            try await table.iterate()
            try await table.iterate(at: "12:05:00")
            let run = try #require(
                try await table.planner.store.lastRuns(ofLine: "a", limit: 1).first)
            #expect(run.state == .done && run.detail == "hello")
            let signs = try FileManager.default.contentsOfDirectory(atPath: table.world.home.runs)
            #expect(signs == [])
        }
        try await withTimetable(line) { table in
            try await table.iterate()
            try await table.iterate(at: "12:05:00")
            #expect(try await table.runs("a") == [])
            let faults = table.book.lines.filter { $0.message.contains("allow_shell: true") }
            #expect(faults.count == 1)
        }
    }

    @Test func `A daemon that stops lets a command finish`() async throws {
        try await withTemporaryHome { world in
            let home = world.home
            let file = "\(home.path)/begun"
            let running = Task {
                // This clock never advances, so the grace period never ends.
                try await report(
                    "echo > \(file); sleep 0.5; echo done", in: home, clock: world.clock)
            }
            while !FileManager.default.fileExists(atPath: file) { await Task.yield() }
            running.cancel()
            let ended = try await running.value
            #expect(ended.state == .done && ended.words == "done")
        }
    }

    @Test func `A command that started before its daemon died is not repeated`() async throws {
        try await withTimetable("CRON_TZ=UTC\n5 12 * * * id=a run echo once", settings: allowed) {
            table in
            try await table.iterate()
            table.world.clock.set(try Moment.parse("2026-12-01T12:05:00Z"))
            let run = try await table.begin().run
            try await Timetable(table.world, nil, settings: allowed).beginAndDie()
            // The daemon died before the command left its sign.
            try await Timetable(table.world, nil, settings: allowed).beginAndDie()
            try FileManager.default.createDirectory(
                atPath: "\(table.world.home.runs)/\(run.signName)",
                withIntermediateDirectories: true)
            // Now a daemon died after that.
            try await Timetable(table.world, nil, settings: allowed).iterate()
            #expect(try await table.runs("a") == ["12:05 interrupted"])
        }
    }

    @Test func `A crontab that others can write to may not run commands`() async throws {
        try await withTimetable("CRON_TZ=UTC\n5 12 * * * id=a run echo once", settings: allowed) {
            table in
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o664], ofItemAtPath: table.world.home.crontab)
            let view = try table.planner.checkCrontab(nil)
            #expect(view.problems.map(\.field) == ["job"])
            #expect(view.problems.first?.message.contains("chmod go-w") == true)
        }
    }
}
