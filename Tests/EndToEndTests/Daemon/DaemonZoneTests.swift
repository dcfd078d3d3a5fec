import Foundation
import TestKit
import Testing

/// An update of tzdata while a daemon runs, and while none runs.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DaemonZoneTests {
    /// Runs a test on a home with a lunch in Helsinki and its own time zone rules.
    private static func withHome(
        _ body: (_ home: String, _ settings: [String: String]) async throws -> Void
    ) async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let zones = folder + "/zones"
            try FileManager.default.createDirectory(
                atPath: zones + "/Europe", withIntermediateDirectories: true)
            try install("Europe/Helsinki", in: zones)
            let settings = ["TZDIR": zones, "LETSMEET_LISTEN": "none"]
            let made = try await Program("letsmeet", home: home, settings: settings).run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start",
                "2099-01-05T12:00", "--tz", "Europe/Helsinki", "--json")
            #expect(made.status == 0)
            try await body(home, settings)
        }
    }

    /// Replaces the file with the rules of Helsinki as packages do: by renaming a new file.
    private static func install(_ zone: String, in zones: String) throws {
        let target = zones + "/Europe/Helsinki"
        try? FileManager.default.removeItem(atPath: target + ".new")
        try FileManager.default.copyItem(
            atPath: "/usr/share/zoneinfo/\(zone)", toPath: target + ".new")
        #expect(rename(target + ".new", target) == 0)
    }

    @Test func `A running daemon logs which meeting moved, with its old and new time`() async throws
    {
        try await Self.withHome { home, settings in
            let daemon = try await RunningDaemon(home: home, settings: settings, log: "debug")
            #expect(await daemon.output.wait(for: 1).count == 1)
            // The daemon watches the folder from then on.
            _ = await daemon.errors.wait { $0.contains { $0.contains("zone rules checked") } }
            try Self.install("Europe/Berlin", in: settings["TZDIR"] ?? "")
            let lines = await daemon.errors.wait { $0.contains { $0.contains("a meeting moved") } }
            let line = try #require(lines.first { $0.contains("a meeting moved") })
            #expect(line.contains("from=2099-01-05T10:00:00.000Z"))
            #expect(line.contains("to=2099-01-05T11:00:00.000Z zone=Europe/Helsinki"))
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
            #expect(daemon.output.lines.count == 1)
        }
    }

    @Test func `A run of letsmeetd once follows new time zone rules`() async throws {
        try await Self.withHome { home, settings in
            let letsmeetd = Program("letsmeetd", home: home, settings: settings)
            let letsmeet = Program("letsmeet", home: home, settings: settings)
            #expect(try await letsmeetd.run("once", "--json").status == 0)
            try Self.install("Europe/Berlin", in: settings["TZDIR"] ?? "")
            #expect(try await letsmeetd.run("once", "--json").status == 0)
            let shown = try await letsmeet.run("outbox", "--json").output
            #expect(shown.contains("\"due\":\"2099-01-05T10:00:00.000Z\""))
            let doctor = try await letsmeet.run("doctor").output
            #expect(doctor.contains("from 2099-01-05T10:00:00.000Z to 2099-01-05T11:00:00.000Z"))
        }
    }
}
