import Foundation
import TestKit
import Testing

/// The crontab in the built programs: `letsmeet cron check`, `list` and `run`, and `letsmeetd`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CrontabCommandTests {
    private static func withHome(
        _ crontab: String, settings: String = "allow_shell: true\n",
        _ body: (_ home: String, _ letsmeet: Program) async throws -> Void
    ) async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            try FileManager.default.createDirectory(
                atPath: home, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try settings.write(
                toFile: home + "/letsmeet.yaml", atomically: true, encoding: .utf8)
            try write(crontab, home)
            let variables = ["LETSMEET_LISTEN": "none"]
            try await body(home, Program("letsmeet", home: home, settings: variables))
        }
    }

    private static func write(_ crontab: String, _ home: String) throws {
        try crontab.write(toFile: home + "/crontab", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: home + "/crontab")
    }

    private static func daemon(_ home: String) async throws -> RunningDaemon {
        try await RunningDaemon(home: home, settings: ["LETSMEET_LISTEN": "none"])
    }

    private static func trace(_ home: String) -> String {
        (try? String(contentsOfFile: home + "/trace", encoding: .utf8)) ?? ""
    }

    @Test func `Problems in a crontab are reported with file, line and field`() async throws {
        try await Self.withHome("0 4 * * * id=a backup\nCRON_TZ=Asia/Tokyo\n@daily doctor\n") {
            home, letsmeet in
            let sound = try await letsmeet.run("cron", "check", "--json")
            #expect(sound.status == 0)
            let lines = try #require(sound.json["lines"] as? [[String: Any]])
            #expect(lines.map { $0["id"] as? String } == ["a", "@daily doctor"])
            #expect(lines.last?["tz"] as? String == "Asia/Tokyo")
            #expect((lines.last?["next"] as? String)?.hasSuffix("T00:00:00+09:00") == true)

            let other = home + "/other"
            try "0 4 * * * backup\n0 25 * * * doctor\n0 4 * * * dance\n".write(
                toFile: other, atomically: true, encoding: .utf8)
            let wrong = try await letsmeet.run("cron", "check", other, "--json")
            #expect(wrong.status == 2)
            let problems = try #require(wrong.json["problems"] as? [[String: Any]])
            #expect(problems.map { $0["line"] as? Int } == [2, 3])
            #expect(problems.map { $0["field"] as? String } == ["hour", "job"])
            #expect(problems.allSatisfy { $0["file"] as? String == other })
            let missing = try await letsmeet.run("cron", "check", home + "/nowhere", "--json")
            #expect(missing.status == 2 && missing.code == "no_file")
        }
    }

    @Test func `A job runs by hand, and the list shows its result`() async throws {
        try await Self.withHome("0 4 * * * id=a backup --keep 2\n") { home, letsmeet in
            let run = try await letsmeet.run("cron", "run", "backup", "--keep", "2", "--json")
            #expect(run.status == 0)
            #expect(run.json["state"] as? String == "done")
            let list = try await letsmeet.run("cron", "list", "--json")
            let lines = try #require(list.json["lines"] as? [[String: Any]])
            let last = try #require(lines.first?["last"] as? [String: Any])
            #expect(last["state"] as? String == "done" && last["origin"] as? String == "hand")
            #expect(last["seconds"] as? Double != nil)
            try Self.write("0 4 * * * id=a backup --keep 2\n0 4 * * * dance\n", home)
            let broken = try await letsmeet.run("cron", "list", "--json")
            let sound = try #require(broken.json["lines"] as? [[String: Any]])
            #expect(broken.status == 2 && sound.count == 1)
            #expect(sound.first?["last"] is [String: Any] && sound.first?["next"] is NSNull)
            let problems = try #require(broken.json["problems"] as? [[String: Any]])
            #expect(problems.map { $0["line"] as? Int } == [2])
            let failed = try await letsmeet.run("cron", "run", "run exit 3", "--json")
            #expect(failed.status == 1 && failed.code == "job_failed")
            let unknown = try await letsmeet.run("cron", "run", "dance", "--json")
            #expect(unknown.status == 2 && unknown.code == "unknown_job")
        }
    }

    @Test func `The daemon runs a reboot job once for each start of the machine`() async throws {
        try await Self.withHome("@reboot id=a run echo hello >> \"$LETSMEET_TRACE\"\n") { home, _ in
            try Self.write(
                "LETSMEET_TRACE=\(home)/trace\n@reboot id=a run echo hello >> $LETSMEET_TRACE\n",
                home)
            let first = try await Self.daemon(home)
            _ = await first.errors.wait { $0.contains { $0.contains("done: ") } }
            #expect(Self.trace(home) == "hello\n")
            first.send(SIGKILL)
            _ = await first.end()
            let second = try await Self.daemon(home)
            _ = await second.errors.wait { $0.contains { $0.contains("crontab read") } }
            second.send(SIGTERM)
            #expect(await second.end() == 0)
            #expect(Self.trace(home) == "hello\n")
        }
    }

    @Test func `A broken crontab is reported at once, and so is its repair`() async throws {
        try await Self.withHome("0 4 * * * backup\n") { home, letsmeet in
            let daemon = try await Self.daemon(home)
            _ = await daemon.errors.wait { $0.contains { $0.contains("crontab read") } }
            try Self.write("0 4 * * * backup\n0 4 * * * dance\n", home)
            let lines = await daemon.errors.wait { $0.contains { $0.contains("stays in use") } }
            #expect(lines.contains { $0.contains("line 2: job: there is no job") })
            let check = try await Program("letsmeetd", home: home).run("check", "--json")
            #expect(check.status == 1)
            try Self.write("0 5 * * * backup\n", home)
            _ = await daemon.errors.wait { lines in
                lines.count { $0.contains("crontab read") } == 2
            }
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
        }
    }

    @Test func `The owner is notified of a failed job`() async throws {
        try await Self.withHome("@reboot id=a run echo no room left; exit 28\n") { home, letsmeet in
            let daemon = try await Self.daemon(home)
            #expect(await daemon.output.wait(for: 1).count == 1)
            let alarm = try #require(daemon.deliveries.first)
            #expect(alarm["kind"] as? String == "alarm")
            #expect((alarm["text"] as? String)?.contains("no room left") == true)
            #expect(alarm["meeting"] is NSNull)
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
            let doctor = try await letsmeet.run("doctor").output
            #expect(doctor.contains("line 1 of the crontab, run: failed"))
            let verified = try await letsmeet.run("ledger", "verify")
            #expect(verified.status == 0)
        }
    }
}
