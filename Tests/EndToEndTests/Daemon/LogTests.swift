import Foundation
import TestKit
import Testing

/// The log of the daemon can be shown to others, at every log level.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LogTests {
    private static let owner = "olga.owner@example.org"
    private static let guest = "anna.secret@example.org"
    /// A second guest, whose delivery fails because the disk is full.
    private static let other = "ben.secret@example.org"

    /// The log of a daemon that delivers, reloads a valid and a broken configuration, and fails to
    /// deliver.
    private func log(at level: String) async throws -> [String] {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let settings = [
                "FOURSQUARE_SERVICE_KEY": FakeFoursquare.key, "LETSMEET_MAIL_FROM": Self.owner,
            ]
            let letsmeet = Program("letsmeet", home: home, settings: settings)
            let daemon = try await RunningDaemon(home: home, settings: settings, log: level)
            try await meet(letsmeet, Self.guest)
            #expect(await daemon.output.wait(for: 1).count == 1)
            daemon.send(SIGHUP)
            _ = await daemon.errors.wait { Self.has("templates reloaded", in: $0) }
            try "owner.address: \(Self.owner)\nsinks: smoke\n".write(
                toFile: home + "/letsmeet.yaml", atomically: true, encoding: .utf8)
            daemon.send(SIGHUP)
            _ = await daemon.errors.wait { Self.has("is not used", in: $0) }
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
            try FileManager.default.removeItem(atPath: home + "/letsmeet.yaml")
            try await meet(letsmeet, Self.other)
            let more = try await logOfFullDisk(home: home, settings: settings, level: level)
            #expect(Self.has("not delivered", in: more))
            return daemon.errors.lines + more
        }
    }

    @Test func `A wrong setting is said at the start and at a reload`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            func write(_ text: String) throws {
                try text.write(
                    toFile: home + "/letsmeet.yaml", atomically: true, encoding: .utf8)
            }
            try FileManager.default.createDirectory(
                atPath: home, withIntermediateDirectories: true)
            try write("language: fi\n")
            let run = try await Program("letsmeetd", home: home).run("run")
            #expect(run.status == 2)
            #expect(run.errors.contains("line 1: language: there are no texts"), "\(run.errors)")
            try write("allow_shell: perhaps\n")
            let daemon = try await RunningDaemon(home: home)
            _ = await daemon.errors.wait { Self.has("allow_shell: give true or false", in: $0) }
            try write("language: fi\n")
            daemon.send(SIGHUP)
            let lines = await daemon.errors.wait { Self.has("is not used", in: $0) }
            #expect(Self.has("language: there are no texts", in: lines))
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
        }
    }

    private func logOfFullDisk(
        home: String, settings: [String: String], level: String
    ) async throws -> [String] {
        var launch = Program("letsmeetd", home: home, settings: settings)
            .launch(["once", "--log", level])
        let errors = OutputLines()
        launch.output = FileHandle(forWritingAtPath: "/dev/full")
        launch.errors = errors.end
        #expect(try await launch.runToEnd() == 3)
        return await errors.wait(for: .max)
    }

    private func meet(_ letsmeet: Program, _ guest: String) async throws {
        let outcome = try await letsmeet.run(
            "meeting", "new", "Lunch", "--with", guest, "--start", "2099-01-01T12:00", "--json")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    private static func has(_ words: String, in lines: [String]) -> Bool {
        lines.contains { $0.contains(words) }
    }

    private static func namesDelivery(_ line: String) -> Bool { line.contains(" delivery=") }

    @Test(arguments: ["info", "trace"])
    func `No log names an address or a secret`(level: String) async throws {
        let lines = try await log(at: level)
        #expect(Self.has("delivered", in: lines))
        #expect(Self.has(" level=debug ", in: lines) == (level == "trace"))
        #expect(lines.filter { Self.has("delivered", in: [$0]) }.allSatisfy(Self.namesDelivery))
        for words in [Self.owner, Self.guest, Self.other, FakeFoursquare.key] {
            let naming = lines.filter { $0.contains(words) }
            #expect(naming.isEmpty, "\(words): \(naming)")
        }
    }
}
