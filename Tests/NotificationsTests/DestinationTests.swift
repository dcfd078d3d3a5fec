import Agenda
import Ledger
import Notifications
import Sinks
import Storage
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Planning

/// A failing destination does not affect any other.
@Suite(.timeLimit(.minutes(5))) struct DestinationTests {
    /// A sink whose destinations are the domains of mail addresses.
    private struct ByDomain: Sink {
        let base: ScriptedSink
        var limits = DestinationLimits()
        var name: String { base.name }
        var schedule: RetrySchedule { base.schedule }
        var policy: AmbiguityPolicy { base.policy }

        func destination(of address: String) -> String {
            String(address.split(separator: "@").last ?? "")
        }

        func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
            await base.deliver(outgoing)
        }
    }

    /// An installation with a meeting whose guests have these mail addresses.
    private func withGuests(
        _ addresses: [String], _ body: (TestWorld, Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            var planner = try await world.planner()
            planner.sinks = [SinkKind(name: "mail", needsAddress: true)]
            var request = MeetingRequest()
            request.title = "Lunch"
            request.with = addresses
            request.start = "2026-12-05T12:00"
            request.reminders = []
            _ = try await planner.createMeeting(request, saving: true)
            try await body(world, planner)
        }
    }

    private func addresses(_ count: Int, at domain: String) -> [String] {
        (1...count).map { "guest\($0)@\(domain)" }
    }

    /// Runs an engine while `body` runs.
    private func running(
        _ engine: DeliveryEngine, of planner: Planner, _ body: () async throws -> Void
    ) async throws {
        let watch = try StoreWatch(path: planner.store.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await engine.run(watch: watch) }
            try await body()
            group.cancelAll()
        }
        #expect(try await planner.verifyLedger().faults.isEmpty)
    }

    private func states(_ planner: Planner) async throws -> [String: Int] {
        try await planner.ledgerStats().states.filter { $0.value > 0 }
    }

    /// The most reads of the store while a test waits. An engine that works needs a small part of
    /// them, and a test ends if it does not work.
    private static let readsMax = 20_000

    /// Waits until the condition holds for the ledger's states. Calls `meanwhile` before each
    /// further read.
    private func wait(
        _ planner: Planner, until isReached: ([String: Int]) -> Bool,
        meanwhile: () -> Void = {}
    ) async throws {
        for _ in 0..<Self.readsMax {
            if isReached(try await states(planner)) { return }
            meanwhile()
            await Task.yield()
        }
        let last = try await states(planner)
        let isAtLast = isReached(last)
        try #require(isAtLast, "the ledger stays at \(last)")
    }

    /// Waits for the first open circuit breaker.
    private func openBreaker(_ planner: Planner) async throws -> OpenBreaker {
        for _ in 0..<Self.readsMax {
            if let breaker = try await planner.store.openBreakers(limit: 9).first {
                return breaker
            }
            await Task.yield()
        }
        return try #require(try await planner.store.openBreakers(limit: 9).first)
    }

    @Test func `A hanging destination delays no other, and the deliveries of others are recorded`()
        async throws
    {
        let guests = addresses(3, at: "stuck.example") + addresses(40, at: "well.example")
        try await withGuests(guests) { world, planner in
            let sink = ScriptedSink(name: "mail") { outgoing, _ in
                if outgoing.address.hasSuffix("stuck.example") { await Hanging.untilCancelled() }
                return AttemptReport(.accepted)
            }
            let engine = try world.engine(planner, sinks: [ByDomain(base: sink)])
            try await running(engine, of: planner) {
                try await wait(planner) { states in
                    states["accepted"] == 40
                        && sink.messages.contains { $0.address.hasSuffix("stuck.example") }
                }
            }
            #expect(sink.messages.count { $0.address.hasSuffix("stuck.example") } == 1)
        }
    }

    @Test func `Outcomes are recorded in batches, and a hanging attempt does not delay them`()
        async throws
    {
        try await withGuests(addresses(30, at: "example.org")) { world, planner in
            let sink = ScriptedSink(name: "mail") { _, number in
                if number == 1 { await Hanging.untilCancelled() }
                return AttemptReport(.accepted)
            }
            let engine = try world.engine(
                planner, sinks: [ByDomain(base: sink, limits: DestinationLimits(concurrency: 2))],
                recordRestMilliseconds: 5)
            try await running(engine, of: planner) {
                try await wait(planner) { ($0["accepted"] ?? 0) >= 1 }
                try await wait(planner) {
                    $0 == ["accepted": 29, "claimed": 1]
                } meanwhile: {
                    world.clock.advance(bySeconds: 1)
                }
            }
        }
    }

    @Test func `A slow delivery does not delay the outcome of the next one`() async throws {
        try await withGuests(addresses(9, at: "example.org")) { world, planner in
            let sink = ScriptedSink(name: "mail") { _, number in
                if number == 1 { await Hanging.untilCancelled() }
                return AttemptReport(.accepted)
            }
            let engine = try world.engine(
                planner, sinks: [ByDomain(base: sink, limits: DestinationLimits(concurrency: 2))])
            try await running(engine, of: planner) {
                try await wait(planner) { $0 == ["accepted": 8, "claimed": 1] }
            }
        }
    }

    @Test func `A destination gets no more concurrent deliveries than its limit`() async throws {
        try await withGuests(addresses(60, at: "example.org")) { world, planner in
            let atOnce = Mutex((now: 0, most: 0))
            let sink = ScriptedSink(name: "mail") { _, _ in
                atOnce.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                for _ in 0..<20 { await Task.yield() }
                atOnce.withLock { $0.now -= 1 }
                return AttemptReport(.accepted)
            }
            let engine = try world.engine(
                planner, sinks: [ByDomain(base: sink, limits: DestinationLimits(concurrency: 3))])
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 60))
            let most = atOnce.withLock { $0.most }
            #expect((1...3).contains(most))
        }
    }

    @Test func `A failing destination is paused, and no attempts are wasted meanwhile`()
        async throws
    {
        try await withGuests(addresses(40, at: "example.org")) { world, planner in
            let isWell = Mutex(false)
            let sink = ScriptedSink(name: "mail") { _, _ in
                isWell.withLock { $0 }
                    ? AttemptReport(.accepted)
                    : AttemptReport(.retry, code: "7", reply: "connection refused")
            }
            let engine = try world.engine(planner, sinks: [ByDomain(base: sink)])
            try await running(engine, of: planner) {
                try await wait(planner) { $0 == ["planned": 40] && sink.messages.count == 5 }
                let breaker = try await openBreaker(planner)
                #expect(breaker.destination == "example.org")
                #expect(breaker.reason == "connection refused")
                #expect(breaker.holdsUp(channel: "mail", address: "anna@example.org"))
                isWell.withLock { $0 = true }
                let start = world.clock.now
                while try await states(planner) != ["accepted": 40] {
                    await world.clock.untilSomebodySleeps()
                    world.clock.set(world.clock.deadlines.first ?? world.clock.now)
                    await Task.yield()
                }
                // The breaker was open for about half a minute.
                #expect(sink.messages.count == 45)
                #expect(world.clock.now >= start.advanced(bySeconds: 30))
            }
            #expect(try await planner.store.openBreakers(limit: 9).isEmpty)
            let rows = try await planner.ledger(states: [], meeting: nil, limit: 100)
            let burned = rows.flatMap(\.delivery.attempts).filter {
                $0.outcome == "retry" && $0.code == "7"
            }
            #expect(burned.count == 5)
        }
    }

    @Test func `A misconfigured sink is tried once, and at once after a new configuration`()
        async throws
    {
        try await withGuests(addresses(40, at: "example.org")) { world, planner in
            let broken = ScriptedSink(name: "mail") { _, _ in
                AttemptReport(.misconfigured, reply: "no key")
            }
            let well = ScriptedSink(name: "mail")
            let engine = try world.engine(planner, sinks: [ByDomain(base: broken)])
            let parts = try world.parts([ByDomain(base: well)])
            try await running(engine, of: planner) {
                try await wait(planner) { $0 == ["planned": 40] && broken.messages.count == 1 }
                #expect(try await openBreaker(planner).reason == "no key")
                engine.use(parts, planner: planner)
                // The delivery that failed does not wait for its retry, either. If the engine
                // notes the failure only after the new configuration, the next one brings it back.
                var reads = 0
                try await wait(planner) {
                    $0 == ["accepted": 40]
                } meanwhile: {
                    reads += 1
                    if reads.isMultiple(of: 100) { engine.use(parts, planner: planner) }
                }
            }
            #expect(broken.messages.count == 1)
            #expect(try await planner.store.openBreakers(limit: 9).isEmpty)
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A misconfigured sink is tried at once by the next engine`() async throws {
        try await withGuests(addresses(3, at: "example.org")) { world, planner in
            let broken = ScriptedSink(name: "mail") { _, _ in
                AttemptReport(.misconfigured, reply: "no key")
            }
            let first = try world.engine(planner, sinks: [ByDomain(base: broken)])
            #expect(try await first.runOnce() == DeliveryTally(misconfigured: 3))
            let second = try world.engine(
                planner, sinks: [ByDomain(base: ScriptedSink(name: "mail"))])
            try await running(second, of: planner) {
                try await wait(planner) { $0 == ["accepted": 3] }
            }
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A rate-limited destination gets no more than its rate`() async throws {
        try await withGuests(addresses(12, at: "example.org")) { world, planner in
            let clock = world.clock
            let times = Mutex<[Moment]>([])
            let sink = ScriptedSink(name: "mail") { _, _ in
                times.withLock { $0.append(clock.now) }
                return AttemptReport(.accepted)
            }
            let limits = DestinationLimits(rate: RateLimit(perSecond: 1, burst: 2))
            let engine = try world.engine(planner, sinks: [ByDomain(base: sink, limits: limits)])
            let start = clock.now
            try await running(engine, of: planner) {
                while try await states(planner) != ["accepted": 12] {
                    await clock.untilSomebodySleeps()
                    clock.set(clock.deadlines.first ?? clock.now)
                    await Task.yield()
                }
            }
            let seconds = times.withLock { $0.map { $0.milliseconds(since: start) / 1000 } }
            for (number, second) in seconds.enumerated() {
                #expect(second >= Int64(number - 1))
            }
        }
    }

    @Test func `A hundred due deliveries are each attempted once, even if half of them fail`()
        async throws
    {
        let guests = addresses(50, at: "a.example") + addresses(50, at: "b.example")
        try await withGuests(guests) { world, planner in
            let sink = ScriptedSink(name: "mail") { outgoing, _ in
                outgoing.address.hasSuffix("a.example")
                    ? AttemptReport(.accepted) : AttemptReport(.retry, reply: "busy")
            }
            let engine = try world.engine(planner, sinks: [ByDomain(base: sink)])
            let tally = try await engine.runOnce()
            #expect(tally == DeliveryTally(accepted: 50, retry: 50))
            #expect(Set(sink.messages.map(\.identity)).count == 100)
        }
    }
}

private enum Hanging {
    static func untilCancelled() async {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        continuation.finish()
    }
}
