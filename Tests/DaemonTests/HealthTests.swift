import Agenda
import Foundation
import Ledger
import Logging
import Notifications
import Planning
import Settings
import Sinks
import Storage
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Daemon

/// The answers of `/healthz` when the engine or the store of a daemon fails.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HealthTests {
    /// A clock that only the test moves.
    private final class Uptime: Sendable {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func pass(_ span: Duration) { time.withLock { $0 += span } }
    }

    private struct Rig: Sendable {
        let world: TestWorld
        let planner: Planner
        let pages: DaemonPages
        let uptime: Uptime

        /// Runs the server while the body runs.
        func serving(_ body: @Sendable (_ port: Int) async throws -> Void) async throws {
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let address = try #require(try ListenAddress.parse("127.0.0.1:0"))
            // These tests are not about a store that responds late on a busy machine.
            let service = pages.service(
                on: address, store: planner.store, clock: ManualClock(world.clock.now),
                logger: .silent
            ) { port.yield($0?.port ?? 0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                for await port in ports {
                    try await body(port)
                    break
                }
                group.cancelAll()
            }
        }
    }

    private static func withRig(_ body: (Rig) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let uptime = Uptime()
            let planner = try await world.planner()
            var person = ContactEdit()
            person.name = "Anna"
            person.emails = ["anna@example.org"]
            _ = try await planner.addPerson(person)
            var request = MeetingRequest()
            (request.title, request.with) = ("Lunch", ["Anna"])
            request.start = "2026-12-05T12:00"
            _ = try await planner.createMeeting(request, saving: true)
            try await body(
                Rig(
                    world: world, planner: planner,
                    pages: DaemonPages(uptime: { uptime.now }), uptime: uptime))
        }
    }

    private static func ask(_ path: String, _ port: Int) async throws -> String {
        try await RawConnection(port: port).ask("GET \(path) HTTP/1.0\r\n\r\n")
    }

    @Test func `A sink that never answers makes the daemon unhealthy until it answers`()
        async throws
    {
        try await Self.withRig { rig in
            let (hook, opener) = AsyncStream.makeStream(of: Void.self)
            let (begins, begin) = AsyncStream.makeStream(of: Void.self)
            let sink = ScriptedSink { _, _ in
                begin.yield()
                for await _ in hook { break }
                return AttemptReport(.accepted)
            }
            let engine = try rig.world.engine(
                rig.planner, sinks: [sink], monitor: rig.pages.monitor)
            let watch = try StoreWatch(path: rig.planner.store.path)
            try await rig.serving { port in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await engine.run(watch: watch) }
                    for await _ in begins { break }
                    let well = try await Self.ask("/healthz", port)
                    #expect(well.hasPrefix("HTTP/1.1 200 OK"))
                    rig.uptime.pass(.seconds(91))
                    // The delivery loop keeps running, whatever one destination does.
                    await rig.world.clock.untilSomebodySleeps()
                    rig.world.clock.advance(bySeconds: 60)
                    while try await !Self.ask("/healthz", port).hasPrefix("HTTP/1.1 200 OK") {}
                    await rig.world.clock.untilSomebodySleeps()
                    rig.uptime.pass(.seconds(1140))
                    let red = try await Self.ask("/healthz", port)
                    #expect(red.hasPrefix("HTTP/1.1 503 "))
                    let name = try #require(sink.messages.first?.identity)
                    #expect(red.contains("delivery \(name) is overdue by 31 seconds"))
                    #expect(red.contains("the delivery loop is overdue by 1080 seconds"))
                    opener.yield()
                    // The end of the send wakes the loop. Otherwise the suite's time limit ends the
                    // test.
                    while try await !Self.ask("/healthz", port).hasPrefix("HTTP/1.1 200 OK") {}
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `A clock step in either direction does not make the daemon unhealthy`()
        async throws
    {
        try await Self.withRig { rig in
            let engine = try rig.world.engine(
                rig.planner, sinks: [ScriptedSink()], monitor: rig.pages.monitor)
            let watch = try StoreWatch(path: rig.planner.store.path)
            try await rig.serving { port in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await engine.run(watch: watch) }
                    await rig.world.clock.untilSomebodySleeps()
                    for hours in [5, -9] {
                        rig.world.clock.advance(bySeconds: Int64(hours) * 3600)
                        let answer = try await Self.ask("/healthz", port)
                        #expect(answer.hasPrefix("HTTP/1.1 200 OK"), "\(answer)")
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `A missing database makes the daemon unhealthy, and its path is not revealed`()
        async throws
    {
        try await Self.withRig { rig in
            let path = rig.planner.store.path
            try await rig.serving { port in
                try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                let red = try await Self.ask("/healthz", port)
                #expect(red.hasPrefix("HTTP/1.1 503 "))
                #expect(red.contains("the database file was removed or replaced"))
                #expect(!red.contains("sqlite"))
                try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            }
        }
    }

    @Test func `Metrics show the content of the ledger and the attempts made`() async throws {
        try await Self.withRig { rig in
            rig.pages.measure(rig.planner.store)
            let engine = try rig.world.engine(
                rig.planner, sinks: [ScriptedSink()], monitor: rig.pages.monitor)
            _ = try await engine.runOnce()
            try await rig.serving { port in
                let text = try await Self.ask("/metrics", port)
                for line in [
                    "letsmeet_deliveries{channel=\"stdout\",state=\"accepted\"} 1",
                    "letsmeet_deliveries{channel=\"stdout\",state=\"planned\"} 4",
                    #"letsmeet_attempts_total{channel="stdout",class="none",outcome="accepted"} 1"#,
                    #"letsmeet_fires_total{result="begun",schedule="meetings"} 1"#,
                    "letsmeet_fire_lateness_seconds_count 1", "letsmeet_delivery_seconds_count 1",
                    "letsmeet_queue_oldest_seconds 0",
                    "letsmeet_build_info{version=\"\(Version.current)\"} 1",
                ] {
                    #expect(text.contains("\n\(line)\n"), "\(line) is not in \(text)")
                }
                #expect(!text.contains("letsmeet_commit_seconds_count 0\n"))
                for word in ["anna", "Anna", "example.org", rig.world.home.path] {
                    #expect(!text.contains(word))
                }
            }
        }
    }
}

@Suite struct StoreFiguresTests {
    @Test func `A large ledger is counted in parts, and shown once all parts are counted`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let first = try await StoreFigures(store: planner.store, clock: world.clock).read()
            #expect(first.counts?.isEmpty == true)
            #expect(first.oldestDueMilliseconds == 0)
            var request = MeetingRequest()
            (request.title, request.with) = ("Lunch", ["a@example.org", "b@example.org"])
            request.start = "2026-12-05T12:00"
            _ = try await planner.createMeeting(request, saving: true)
            let rows = try await planner.store.countDeliveries(after: 0, rowsMax: .max).counts
            #expect(rows == [DeliveryCount(state: .planned, channel: "stdout", count: 8)])
            let small = StoreFigures(store: planner.store, clock: world.clock, sliceRowsMax: 4)
            #expect(try await small.read().counts == nil)
            world.clock.advance(bySeconds: 90)
            let reading = try await small.read()
            #expect(reading.counts == rows)
            #expect(reading.countedAt == world.clock.now)
            #expect(reading.oldestDueMilliseconds == 90_000)
            // The next part starts a new count. Until that is complete, the old one is shown.
            #expect(try await small.read().counts == rows)
        }
    }
}
