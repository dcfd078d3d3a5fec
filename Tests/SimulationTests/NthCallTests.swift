import Agenda
import Foundation
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import Storage
import Synchronization
import TestKit
import Testing

/// Fails each call of a store and of a sink once.
@Suite(.timeLimit(.minutes(60))) struct NthCallTests {
    private static let told: [NotificationKind] = [.invitation, .change, .cancellation]

    @Test(arguments: [false, true])
    func `A failing call of the store loses no notification and doubles none`(
        _ losesAnswer: Bool
    ) async throws {
        var (nth, isReached) = (0, true)
        while isReached {
            nth += 1
            let gate = NthAccessHook(nth: nth, losesAnswer: losesAnswer)
            let sink = Self.hesitantSink()
            try await withTemporaryHome { world in
                let errand = SendTask(world: world, parts: try world.parts([sink]))
                let errors = try await Store.$hook.withValue(gate) { try await errand.run(nil) }
                #expect(errors.count <= 1, "call \(nth)")
                try await expectAllTold(by: sink, in: world, "call \(nth) of the store")
            }
            isReached = gate.isReached
        }
        #expect(nth > 50)
    }

    @Test(arguments: AttemptOutcome.allCases)
    func `A failing call of the sink loses no notification and doubles none`(
        _ outcome: AttemptOutcome
    ) async throws {
        // Six deliveries, each of which is sent twice.
        for nth in 1...12 {
            let sink = Self.hesitantSink(nth: nth, outcome)
            try await withTemporaryHome { world in
                let errand = SendTask(world: world, parts: try world.parts([sink]))
                #expect(try await errand.run(nil).isEmpty)
                guard outcome != .permanent else {
                    let planner = try await world.planner()
                    #expect(try await planner.verifyLedger().holds)
                    return #expect(try await planner.ledgerStats().states["failed"] == 1)
                }
                try await expectAllTold(by: sink, in: world, "call \(nth) of the sink")
            }
        }
    }

    /// A sink that refuses each first attempt; its nth call ends with `outcome`.
    fileprivate static func hesitantSink(
        nth: Int = 0, _ outcome: AttemptOutcome = .accepted
    ) -> ScriptedSink {
        let known = Seen()
        return ScriptedSink { outgoing, number in
            let isFirst = known.insert(outgoing.identity)
            if number == nth { return AttemptReport(outcome, reply: "the call that fails") }
            return AttemptReport(isFirst ? .retry : .accepted, reply: isFirst ? "not now" : "")
        }
    }

    fileprivate func expectAllTold(
        by sink: ScriptedSink, in world: TestWorld, _ words: Comment
    ) async throws {
        let planner = try await world.planner()
        let faults = try await planner.verifyLedger().faults.map(\.rule)
        #expect(faults == [], words)
        #expect(try await planner.outbox().isEmpty, words)
        for name in ["Anna Aalto", "Ben Berg"] {
            let messages = sink.messages.filter { $0.name == name }
            var kinds: [NotificationKind] = []
            for outgoing in messages where !kinds.contains(outgoing.kind) {
                kinds.append(outgoing.kind)
            }
            #expect(kinds == Self.told, words)
        }
        for identity in Set(sink.messages.map(\.identity)) {
            var filter = LedgerFilter(limit: 1)
            filter.keyPrefix = identity
            let story = try #require(try await planner.store.stories(filter).first)
            let outcomes = story.attempts.map(\.outcome)
            #expect(story.record.row.state == .accepted, words)
            #expect(outcomes.count { $0 == .accepted } == 1, words)
            // Each send is in the history; one that was sent twice is there as ambiguous.
            #expect(sink.messages.count { $0.identity == identity } <= outcomes.count, words)
        }
    }
}

/// Fails each call of the disk once. There is one disk, so its tests run one at a time.
@Suite(.serialized, .timeLimit(.minutes(60))) struct NthDiskCallTests {
    /// Trying every call of a kind takes minutes: `LETSMEET_EVERY=1` does that, and by default each
    /// 29th is tried.
    private static let stride =
        ProcessInfo.processInfo.environment["LETSMEET_EVERY"].flatMap { Int($0) } ?? 29

    @Test(arguments: FaultyDisk.Call.allCases)
    func `A failing disk call loses no notification and doubles none`(
        _ call: FaultyDisk.Call
    ) async throws {
        var (nth, isReached) = (1, true)
        while isReached {
            let sink = NthCallTests.hesitantSink()
            try await withTemporaryHome { world in
                FaultyDisk.watch(world.home.path)
                let planner = try await world.planner()
                FaultyDisk.fail(call, nth: nth)
                let errand = SendTask(world: world, parts: try world.parts([sink]))
                let errors = try await errand.run(planner)
                isReached = FaultyDisk.heal()
                #expect(errors.count <= 1, "\(call) \(nth)")
                #expect(errors.allSatisfy(Self.isOfDisk), "\(call) \(nth): \(errors)")
                try await NthCallTests().expectAllTold(
                    by: sink, in: world, "\(call) \(nth) of the disk")
            }
            nth += Self.stride
        }
        #expect(nth > 2 * Self.stride)
    }

    private static func isOfDisk(_ error: any Error) -> Bool {
        guard case StoreError.disk = error else { return false }
        return true
    }
}

/// Remembers the names it was given.
private final class Seen: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ name: String) -> Bool {
        names.withLock { $0.insert(name).inserted }
    }
}
