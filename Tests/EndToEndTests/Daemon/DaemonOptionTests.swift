import Foundation
import TestKit
import Testing

/// The daemon's short commands accept a clock and a time zone.
@Suite(.timeLimit(.minutes(5))) struct DaemonOptionTests {
    private static let clock = ["--now", "2026-12-01T12:00:00Z", "--tz", "America/New_York"]

    private func withMeeting(_ body: (_ letsmeetd: Program) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let made = try await Program("letsmeet", home: home).run([
                "meeting", "new", "Games", "--with", "a@example.org", "--start", "2026-12-02T18:00",
                "--now", "2026-12-01T12:00:00Z",
            ])
            #expect(made.status == 0)
            try await body(Program("letsmeetd", home: home))
        }
    }

    @Test(arguments: ["once", "check"])
    func `A clock and a time zone are accepted, also before the command`(
        command: String
    ) async throws {
        try await withMeeting { letsmeetd in
            for arguments in [[command] + Self.clock, Self.clock + [command]] {
                let called = try await letsmeetd.run(arguments + ["--json"])
                #expect(called.status == 0, "\(called.output) \(called.errors)")
            }
            let refused = try await letsmeetd.run(command, "--tz", "Mars/Base", "--json")
            #expect(refused.status == 2)
            #expect(refused.code == "unknown_zone")
            #expect(try await letsmeetd.run(command, "--now", "sometime").status == 2)
        }
    }

    @Test func `A check with another clock finds deliveries that are late by it`() async throws {
        try await withMeeting { letsmeetd in
            let late = try await letsmeetd.run("check", "--now", "2026-12-02T15:00:00Z")
            #expect(late.status == 1)
            #expect(late.output.contains("the oldest due for"))
        }
    }

    @Test func `A simulation reads its times by the given clock and in the given time zone`()
        async throws
    {
        try await withMeeting { letsmeetd in
            // The reminders are due at 16:00 UTC, a day before and on the day an hour before 15:00.
            func lines(_ more: String...) async throws -> [String] {
                let called = try await letsmeetd.run(
                    ["simulate", "--from", "today 09:30", "--to", "today 11:30"] + more)
                #expect(called.status == 0, "\(called.errors)")
                return called.output.split(separator: "\n").map(String.init)
            }
            let seen = try await lines(
                "--now", "2026-12-01T12:00:00Z", "--tz", "America/New_York", "--json")
            #expect(seen.count == 2)
            #expect(seen.allSatisfy { $0.contains("\"due\":\"2026-12-01T16:00:00.000Z\"") })
            #expect(try await lines("--now", "2026-12-01T12:00:00Z", "--tz", "Asia/Tokyo").isEmpty)
        }
    }

    @Test func `The daemon itself refuses another clock`() async throws {
        for arguments in [["run", "--now", "2026-12-01"], ["--now", "2026-12-01", "run"]] {
            let called = try await Program("letsmeetd", home: "/none").run(arguments)
            #expect(called.status == 2)
            #expect(called.errors.contains("--now"))
        }
    }
}
