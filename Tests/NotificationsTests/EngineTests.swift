import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

@Suite(.timeLimit(.minutes(5))) struct EngineTests {
    @Test func `A due delivery is sent once`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce().accepted == 2)
            #expect(try await engine.runOnce() == DeliveryTally())
            #expect(sink.messages.map(\.kind) == [.invitation, .invitation])
            #expect(Set(sink.messages.map(\.name)) == ["Anna Aalto", "Ben Berg"])
        }
    }

    @Test func `The intent is recorded before anything is sent`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { outgoing, _ in
                let story = try? await lunch.planner.delivery(outgoing.identity).delivery
                let isRecorded =
                    story?.state == .claimed && story?.attempts.count == 1
                    && story?.attempts.first?.outcome == nil
                return AttemptReport(isRecorded ? .accepted : .permanent, reply: "not recorded")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 2))
        }
    }

    @Test func `A delivery interrupted by a crash is sent again with the same identity`()
        async throws
    {
        try await withLunch { lunch in
            let ids = try await lunch.due().map(\.id)
            try await lunch.planner.store.beginAndDie(ids, now: lunch.world.clock.now)
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce().accepted == 2)
            for outgoing in sink.messages {
                let row = try await lunch.planner.delivery(outgoing.identity).delivery
                #expect(row.key == outgoing.identity)
                #expect(row.attempts.map(\.outcome) == ["ambiguous", "accepted"])
                #expect(row.attempts.first?.code == "restart")
            }
            #expect(try await lunch.planner.verifyLedger().holds)
        }
    }

    @Test func `A delivery that was begun and not handed to its sink is as new after a crash`()
        async throws
    {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let ids = try await lunch.due().map(\.id)
            try await store.beginAndDie(ids, now: lunch.world.clock.now)
            let worker = try #require(try await store.orphanedDeliveries().first?.worker)
            try {
                let (marks, _) = SendingMarks.begin(at: store.path + ".sending", worker: worker)
                try #require(marks).mark(ids[0])
            }()
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce().accepted == 2)
            let outcomes = try await sink.messages.asyncMap {
                try await lunch.planner.delivery($0.identity).delivery.attempts.map(\.outcome)
            }
            #expect(outcomes == [["accepted"], ["ambiguous", "accepted"]])
            #expect(try await lunch.planner.verifyLedger().holds)
            // What is recorded leaves no mark.
            let (_, before) = SendingMarks.begin(at: store.path + ".sending", worker: 99)
            #expect(before == nil)
        }
    }

    @Test func `A delivery whose deadline passes inside the sink is not sent and expires`()
        async throws
    {
        try await withLunch { lunch in
            let clock = lunch.world.clock
            let sink = ScriptedSink(name: "stdout") { outgoing, _ in
                // Another delivery before it took this long.
                clock.advance(bySeconds: 5 * 86_400)
                return outgoing.isWanted() ? AttemptReport(.accepted) : .held
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(expired: 2))
            _ = try await engine.runOnce()
            let states = try await lunch.states()
            #expect(states["expired"] == 8)
            #expect(try await lunch.planner.verifyLedger().holds)
        }
    }

    @Test func `Three crashes during one delivery park it`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            for _ in 0..<3 {
                let ids = try await lunch.due().map(\.id)
                #expect(ids.count == 2)
                try await lunch.planner.store.beginAndDie(ids, now: lunch.world.clock.now)
                try await lunch.world.engine(lunch.planner, sinks: [sink]).recover()
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally())
            #expect(sink.messages.isEmpty)
            #expect(try await lunch.states() == ["parked": 2, "planned": 6])
            // Retried manually, they survive three more crashes.
            let parked = try await lunch.planner.ledger(
                states: [.parked], meeting: "Lunch", limit: 9)
            _ = try await lunch.planner.retryDeliveries(parked.rows.map(\.delivery.key))
            lunch.world.clock.advance(bySeconds: 1)
            try await lunch.planner.store.beginAndDie(
                lunch.due().map(\.id), now: lunch.world.clock.now)
            try await engine.recover()
            #expect(try await lunch.states() == ["ambiguous": 2, "planned": 6])
        }
    }

    @Test func `Deliveries under way during a crash are sent alone and last`() async throws {
        try await withLunch { lunch in
            let first = try await lunch.due().map(\.id).prefix(1)
            for _ in 0..<2 {
                try await lunch.planner.store.beginAndDie(Array(first), now: lunch.world.clock.now)
                try await lunch.world.engine(lunch.planner, sinks: []).recover()
            }
            let second = try await lunch.due().map(\.id).filter { !first.contains($0) }
            try await lunch.planner.store.beginAndDie(second, now: lunch.world.clock.now)
            try await lunch.world.engine(lunch.planner, sinks: []).recover()
            _ = try await lunch.planner.message("Lunch", "Hi", to: [], saving: true)
            let sink = ScriptedSink { outgoing, _ in
                // The first of the two messages may not be recorded yet when the second one is
                // sent.
                let claimed = (try? await lunch.states()["claimed"]) ?? 0
                let isAlone = outgoing.kind == .message ? claimed <= 2 : claimed == 1
                return AttemptReport(isAlone ? .accepted : .permanent, reply: "not alone")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 4))
            let deaths = try await sink.messages.asyncMap {
                try await lunch.planner.delivery($0.identity).delivery.attempts.count - 1
            }
            #expect(deaths == [0, 0, 1, 2])
        }
    }

    @Test func `A delivery superseded before its attempt is not sent`() async throws {
        try await withLunch { lunch in
            let ids = try await lunch.due().map(\.id)
            _ = try await lunch.planner.cancelMeeting("Lunch", saving: true)
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.deliver(ids) == DeliveryTally())
            #expect(sink.messages.isEmpty)
        }
    }

    @Test func `A late reminder expires and is not sent`() async throws {
        try await withLunch { lunch in
            lunch.world.clock.set(try Moment.parse("2026-12-05T12:00:00+02:00"))
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await engine.runOnce()
            #expect(sink.messages.map(\.kind) == [.invitation, .invitation])
            #expect(try await lunch.states() == ["accepted": 2, "expired": 6])
        }
    }

    @Test func `A delivery that becomes too late during a round is not sent`() async throws {
        try await withLunch { lunch in
            let clock = lunch.world.clock
            clock.set(try Moment.parse("2026-12-05T11:59:59+02:00"))
            let sink = ScriptedSink { _, _ in
                clock.advance(bySeconds: 1)
                return AttemptReport(.accepted)
            }
            _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
            // One reminder took the last second; the invitations are useful until the end.
            #expect(sink.messages.filter { $0.kind == .reminder }.count <= 1)
            #expect(sink.messages.filter { $0.kind == .invitation }.count == 2)
            #expect(try await lunch.planner.verifyLedger().holds)
        }
    }

    @Test func `A failing delivery does not stop a batch`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { _, number in
                number == 1
                    ? AttemptReport(.permanent, code: "550", reply: "no such user")
                    : AttemptReport(.accepted)
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 1, failed: 1))
        }
    }

    @Test func `A delivery to a sink that is not enabled uses up no attempts`() async throws {
        try await withLunch { lunch in
            let engine = try lunch.world.engine(lunch.planner, sinks: [])
            for _ in 0..<9 {
                #expect(try await engine.runOnce().misconfigured == 2)
                lunch.world.clock.advance(bySeconds: 60)
            }
            #expect(try await lunch.states() == ["planned": 8])
        }
    }

    @Test func `A change made during a failed attempt is planned correctly`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { _, _ in
                var edit = MeetingEdit()
                edit.start = "2026-12-06T12:00"
                _ = try? await lunch.planner.editMeeting("Lunch", edit, saving: true)
                return AttemptReport(.permanent, reply: "gone")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            let ids = try await lunch.due().map(\.id)
            _ = try await engine.deliver(ids)
            // Nobody was notified of anything: an invitation with the new facts, and no change.
            let open = try await lunch.planner.outbox().filter { $0.kind != "reminder" }
            #expect(open.map(\.kind) == ["invitation", "invitation"])
            #expect(try await lunch.planner.verifyLedger().holds)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct RunLoopTests {
    @Test func `A change made while the daemon stops is planned by what was really sent`()
        async throws
    {
        try await withLunch { lunch in
            let (arrivals, arrive) = AsyncStream.makeStream(of: OutgoingMessage.self)
            let sink = ScriptedSink { outgoing, _ in
                // Both invitations are under way; the second one is not sent any more.
                _ = try? await lunch.planner.uninvite(["Anna", "Ben"], from: "Lunch", saving: true)
                arrive.yield(outgoing)
                await Stuck.untilCancelled()
                return AttemptReport(.accepted)
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            try await lunch.run(engine, untilFirstOf: arrivals)
            #expect(try await lunch.planner.verifyLedger().holds)
            let later = ScriptedSink()
            _ = try await lunch.world.engine(lunch.planner, sinks: [later]).runOnce()
            #expect(later.messages.map(\.kind) == [.cancellation])
            #expect(later.messages.map(\.name) == sink.messages.map(\.name))
        }
    }

    @Test func `The rest of a round does not delay the end of the daemon`() async throws {
        try await withLunch { lunch in
            let (arrivals, arrive) = AsyncStream.makeStream(of: OutgoingMessage.self)
            let sink = ScriptedSink { outgoing, _ in
                arrive.yield(outgoing)
                // A stuck reader: the wait ends only when the task is cancelled.
                await Stuck.untilCancelled()
                return AttemptReport(.ambiguous, reply: "nobody read it to its end")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            try await lunch.run(engine, untilFirstOf: arrivals)
            #expect(sink.messages.count == 1)
            #expect(try await lunch.states() == ["ambiguous": 1, "planned": 7])
        }
    }

    @Test func `The loop delivers at the due time, and notices a change at once`() async throws {
        try await withLunch { lunch in
            let (arrivals, arrive) = AsyncStream.makeStream(of: OutgoingMessage.self)
            let sink = ScriptedSink { outgoing, _ in
                arrive.yield(outgoing)
                return AttemptReport(.accepted)
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            let watch = try StoreWatch(path: lunch.planner.store.path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await engine.run(watch: watch) }
                var next = arrivals.makeAsyncIterator()
                #expect(await next.next()?.kind == .invitation)
                #expect(await next.next()?.kind == .invitation)
                // The clock does not move: only the change itself can wake the loop.
                _ = try await lunch.planner.message("Lunch", "Hi", to: [], saving: true)
                #expect(await next.next()?.kind == .message)
                #expect(await next.next()?.kind == .message)
                let due = try Moment.parse("2026-12-04T12:00:00+02:00")
                lunch.world.clock.set(due.advanced(bySeconds: -30))
                while sink.messages.count == 4, lunch.world.clock.now < due {
                    await lunch.world.clock.untilSomebodySleeps()
                    // The timer wheel may ask to be checked several times on the way.
                    lunch.world.clock.set(min(lunch.world.clock.deadlines.first ?? due, due))
                }
                let reminder = await next.next()
                #expect(reminder?.kind == .reminder)
                #expect(reminder?.due == due)
                group.cancelAll()
            }
        }
    }
}

private enum Stuck {
    static func untilCancelled() async {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        continuation.finish()
    }
}

extension Array {
    fileprivate func asyncMap<Value>(
        _ transform: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}

extension Lunch {
    /// Runs an engine until the first message arrives, then stops it.
    fileprivate func run(
        _ engine: DeliveryEngine, untilFirstOf arrivals: AsyncStream<OutgoingMessage>
    ) async throws {
        let watch = try StoreWatch(path: planner.store.path)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await engine.run(watch: watch) }
            var next = arrivals.makeAsyncIterator()
            _ = await next.next()
            group.cancelAll()
        }
    }
}
