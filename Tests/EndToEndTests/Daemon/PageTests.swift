import Foundation
import TestKit
import Testing

/// The pages of the daemon for monitoring, requested over the network.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PageTests {
    /// Runs a test with a daemon on its own home that listens on a free port.
    static func withDaemon(
        _ body: (_ daemon: RunningDaemon, _ letsmeet: Program, _ port: Int) async throws -> Void
    ) async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let daemon = try await RunningDaemon(
                home: home, settings: ["LETSMEET_LISTEN": "127.0.0.1:0"])
            let lines = await daemon.errors.wait { $0.contains { $0.contains("listening") } }
            try await body(daemon, Program("letsmeet", home: home), try #require(port(in: lines)))
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
        }
    }

    private static func port(in lines: [String]) -> Int? {
        lines.lazy.compactMap { line in
            line.firstRange(of: "address=http://127.0.0.1:").flatMap { Int(line[$0.upperBound...]) }
        }.first
    }

    static func get(_ path: String, _ port: Int) async throws -> String {
        try await RawConnection(port: port).ask("GET \(path) HTTP/1.0\r\n\r\n")
    }

    @Test func `A healthy daemon reports its health and counts deliveries`() async throws {
        try await Self.withDaemon { daemon, letsmeet, port in
            let health = try await Self.get("/healthz", port)
            #expect(health.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(health.hasSuffix("\r\n\r\n{\"problems\":[],\"status\":\"ok\"}\n"))
            let made = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start",
                "2099-01-01T12:00", "--json")
            #expect(made.status == 0)
            #expect(await daemon.output.wait(for: 1).count == 1)
            // An outcome is counted right after its line is written.
            var text = ""
            while !text.contains("attempts_total{") { text = try await Self.get("/metrics", port) }
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for line in [
                #"letsmeet_attempts_total{channel="stdout",class="printed",outcome="accepted"} 1"#,
                "letsmeet_fire_lateness_seconds_count 1", "letsmeet_delivery_seconds_count 1",
                "letsmeet_ambiguous_total 0",
            ] {
                #expect(text.contains("\n\(line)\n"), "\(line)")
            }
            for name in ["process_resident_memory_bytes", "letsmeet_commit_seconds_bucket"] {
                #expect(text.contains("\n\(name)"))
            }
            #expect(!text.contains("anna"))
        }
    }

    @Test func `Open connections do not delay the end of the daemon`() async throws {
        try await withFolderOnDisk { folder in
            let clock = ContinuousClock()
            var ends: [Duration] = []
            for _ in 1...3 {
                let daemon = try await RunningDaemon(
                    home: folder + "/home", settings: ["LETSMEET_LISTEN": "127.0.0.1:0"])
                let lines = await daemon.errors.wait { $0.contains { $0.contains("listening") } }
                let port = try #require(Self.port(in: lines))
                let idle = try RawConnection(port: port)
                _ = await idle.ask(
                    "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", untilItHangsUp: false)
                let partial = try RawConnection(port: port)
                partial.send("GET /healthz HTT")
                let asked = clock.now
                daemon.send(SIGTERM)
                #expect(await daemon.end() == 0)
                ends.append(clock.now - asked)
            }
            print("SIGTERM ended the daemon beside open connections within \(ends)")
            #expect(ends.min() ?? .seconds(60) < .milliseconds(200))
        }
    }

    @Test func `If its port is taken, the daemon still delivers and says what to do`() async throws
    {
        let taken = try FakeHTTPServer { _ in .json("{}") }
        defer { taken.stop() }
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let daemon = try await RunningDaemon(
                home: home, settings: ["LETSMEET_LISTEN": "127.0.0.1:\(taken.port)"])
            let lines = await daemon.errors.wait { $0.contains { $0.contains("another program") } }
            let line = try #require(lines.first { $0.contains("another program listens there") })
            #expect(line.contains("level=error"))
            #expect(line.contains("LETSMEET_LISTEN"))
            let made = try await Program("letsmeet", home: home).run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start",
                "2099-01-01T12:00", "--json")
            #expect(made.status == 0)
            #expect(await daemon.output.wait(for: 1).count == 1)
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
        }
    }

    @Test func `The daemon answers on a socket, also if a killed one left it behind`() async throws
    {
        try await withFolderOnDisk { folder in
            let path = folder + "/page.sock"
            let settings = ["LETSMEET_LISTEN": "unix:\(path)"]
            for signal in [SIGKILL, SIGTERM] {
                let daemon = try await RunningDaemon(home: folder + "/home", settings: settings)
                let lines = await daemon.errors.wait { $0.contains { $0.contains("listening") } }
                #expect(lines.contains { $0.hasSuffix("address=unix:\(path)") })
                let health = try await RawConnection(path: path)
                    .ask("GET /healthz HTTP/1.0\r\n\r\n")
                #expect(health.hasPrefix("HTTP/1.1 200 OK\r\n"))
                daemon.send(signal)
                _ = await daemon.end()
                let isLeft = FileManager.default.fileExists(atPath: path)
                #expect(isLeft == (signal == SIGKILL))
            }
        }
    }

    @Test func `A wrong listen address is refused and found by the checks`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let settings = ["LETSMEET_LISTEN": "8420"]
            let letsmeetd = Program("letsmeetd", home: home, settings: settings)
            let run = try await letsmeetd.run("run")
            #expect(run.status == 2)
            #expect(run.errors.contains("LETSMEET_LISTEN: the port is missing"), "\(run.errors)")
            #expect(try await letsmeetd.run("check").status == 1)
            let check = try await Program("letsmeet", home: home, settings: settings)
                .run("config", "check")
            #expect(check.status != 0)
            #expect((check.output + check.errors).contains("LETSMEET_LISTEN"))
            // A single run does not listen.
            #expect(try await letsmeetd.run("once", "--json").status == 0)
        }
    }
}
