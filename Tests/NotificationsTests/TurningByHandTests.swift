import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

/// `ledger retry` and `ledger drop`: the state changes that a person may make.
@Suite(.timeLimit(.minutes(5))) struct TurningByHandTests {
    @Test func `Several deliveries are dropped together or not at all`() async throws {
        try await withLunch { lunch in
            let planner = lunch.planner
            let keys = try await planner.outbox().map(\.key)
            for bad in ["zzzzzzzz", keys[0] + "z"] {
                let refused = await refusal {
                    _ = try await planner.dropDeliveries([keys[0], keys[1], bad])
                }
                #expect(refused?.code == "unknown_delivery")
            }
            let sink = ScriptedSink()
            _ = try await lunch.world.engine(planner, sinks: [sink]).runOnce()
            let sent = try #require(sink.messages.first).identity
            let waiting = try await planner.outbox().map(\.key)
            let refused = await refusal {
                _ = try await planner.dropDeliveries([waiting[0], sent])
            }
            #expect(refused?.code == "illegal_turn")
            #expect(try await lunch.states() == ["accepted": 2, "planned": 6])
            let dropped = try await planner.dropDeliveries([waiting[0], waiting[0], waiting[1]])
            #expect(dropped.deliveries.map(\.state) == [.suppressed, .suppressed])
        }
    }

    @Test func `A delivery being sent can neither be dropped nor retried`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { outgoing, _ in
                let refusals = [
                    await refusal {
                        _ = try await lunch.planner.retryDeliveries([outgoing.identity])
                    },
                    await refusal {
                        _ = try await lunch.planner.dropDeliveries([outgoing.identity])
                    },
                ].map { $0?.code ?? "" }
                let areRefused = refusals == ["illegal_turn", "illegal_turn"]
                return AttemptReport(areRefused ? .accepted : .permanent, reply: "\(refusals)")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 2))
        }
    }

    @Test func `A reminder for an old start cannot be retried`() async throws {
        try await withLunch { lunch in
            let old = try await lunch.reminderKey()
            var edit = MeetingEdit()
            edit.start = "2026-12-06T12:00"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            let planner = lunch.planner
            #expect(
                await refusal { _ = try await planner.retryDeliveries([old]) }?.code
                    == "illegal_turn")
        }
    }

    @Test func `A dropped reminder cannot be retried after its meeting was cancelled`()
        async throws
    {
        try await withLunch { lunch in
            let (planner, key) = (lunch.planner, try await lunch.reminderKey())
            _ = try await planner.dropDeliveries([key])
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            #expect(
                await refusal { _ = try await planner.retryDeliveries([key]) }?.code == "unwanted")
            #expect(try await planner.verifyLedger().holds)
        }
    }

    @Test func `A preview changes no state`() async throws {
        try await withLunch { lunch in
            let (planner, key) = (lunch.planner, try await lunch.reminderKey())
            let shown = try await planner.dropDeliveries([key, key], saving: false)
            #expect(shown.deliveries.map(\.state) == [.suppressed])
            #expect(shown.notifications.superseded.count == 1)
            #expect(shown.daemon == .none)
            #expect(try await planner.delivery(key).delivery.state == .planned)
            _ = try await planner.dropDeliveries([key])
            let back = try await planner.retryDeliveries([key], saving: false)
            #expect(back.notifications.added.map(\.key) == [key])
            #expect(try await planner.delivery(key).delivery.state == .suppressed)
        }
    }

    @Test func `A delivery past its deadline is not listed as waiting`() async throws {
        try await withLunch { lunch in
            #expect(try await lunch.planner.outbox().count == 8)
            // Reminders are useful until the start of the meeting, invitations until its end.
            lunch.world.clock.set(try Moment.parse("2026-12-05T10:00:00Z"))
            let left = try await lunch.planner.outbox()
            #expect(Set(left.map(\.kind)) == ["invitation"])
            lunch.world.clock.set(try Moment.parse("2026-12-05T11:00:00Z"))
            #expect(try await lunch.planner.outbox().isEmpty)
        }
    }

    @Test func `A retried reminder keeps its due time`() async throws {
        try await withLunch { lunch in
            let (planner, key) = (lunch.planner, try await lunch.reminderKey())
            let due = try await planner.delivery(key).delivery.due.text
            _ = try await planner.dropDeliveries([key])
            let outcome = try await planner.retryDeliveries([key])
            let delivery = try #require(outcome.deliveries.first)
            #expect(delivery.state == .planned)
            #expect(delivery.due.text == due)
        }
    }

    @Test(arguments: [
        ("2026-12-02T12:00", "2026-12-03T12:00:00Z", nil),
        ("2026-12-02T12:00", "2027-01-15T12:00:00Z", "too_late"),
        ("2026-12-08T12:00", "2026-12-07T12:00:00Z", nil),
    ])
    func `A dropped message can be retried until its deadline, or the end of a later meeting`(
        _ start: String, _ clock: String, _ code: String?
    ) async throws {
        try await withLunch { lunch in
            let planner = lunch.planner
            _ = try await planner.message("Lunch", "Bring cake.", to: [], saving: true)
            let lines = try await planner.outbox(to: "Anna")
            let key = try #require(lines.first { $0.kind == "message" }).key
            _ = try await planner.dropDeliveries([key])
            var edit = MeetingEdit()
            edit.start = start
            let id = try await planner.meeting("Lunch").id
            _ = try await planner.editMeeting(id, edit, saving: true)
            lunch.world.clock.set(try Moment.parse(clock))
            let refused = await refusal { _ = try await planner.retryDeliveries([key]) }
            #expect(refused?.code == code)
            #expect(try await planner.verifyLedger().holds)
        }
    }

    @Test func `A retried delivery gets all its attempts again`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { _, _ in AttemptReport(.retry, reply: "busy") }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            func spend() async throws -> [String: Int] {
                for _ in 1...8 {
                    _ = try await engine.runOnce()
                    lunch.world.clock.advance(bySeconds: 4400)
                }
                return try await lunch.states()
            }
            #expect(try await spend() == ["failed": 2, "planned": 6])
            let key = try #require(sink.messages.first?.identity)
            let story = try await lunch.planner.delivery(key)
            #expect(story.events.last?.what == "failed: gave up after 8 attempts: busy")
            _ = try await lunch.planner.retryDeliveries([key])
            _ = try await engine.runOnce()
            let after = try await lunch.states()
            #expect(after == ["failed": 1, "planned": 7])
            #expect(try await lunch.planner.verifyLedger().holds)
        }
    }

    @Test func `A failed delivery is retried at once`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { _, number in
                AttemptReport(number <= 2 ? .permanent : .accepted, reply: "no such person")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(failed: 2))
            for outgoing in sink.messages {
                _ = try await lunch.planner.retryDeliveries([outgoing.identity])
            }
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 2))
            #expect(try await lunch.planner.verifyLedger().holds)
        }
    }
}

extension Lunch {
    fileprivate func reminderKey() async throws -> String {
        let line = try await planner.outbox(to: "Anna").first { $0.kind == "reminder" }
        return try #require(line).key
    }
}
