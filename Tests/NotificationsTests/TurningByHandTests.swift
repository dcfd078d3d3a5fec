import Agenda
import Ledger
import Notifications
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

/// `ledger retry` and `ledger drop`: what a person may turn, and what not.
@Suite(.timeLimit(.minutes(1))) struct TurningByHandTests {
    @Test func `What is being sent cannot be turned by hand`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { parcel, _ in
                let refusals = [
                    await refusal { _ = try await lunch.planner.retryDelivery(parcel.identity) },
                    await refusal { _ = try await lunch.planner.dropDelivery(parcel.identity) },
                ].map { $0?.code ?? "" }
                let areRefused = refusals == ["illegal_turn", "illegal_turn"]
                return AttemptReport(areRefused ? .accepted : .permanent, reply: "\(refusals)")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 2))
        }
    }

    @Test func `A reminder of an old start is not taken up again`() async throws {
        try await withLunch { lunch in
            let old = try await lunch.reminderKey()
            var edit = MeetingEdit()
            edit.start = "2026-12-06T12:00"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            let planner = lunch.planner
            #expect(
                await refusal { _ = try await planner.retryDelivery(old) }?.code == "illegal_turn")
        }
    }

    @Test func `What was dropped is not taken up again after its meeting was called off`()
        async throws
    {
        try await withLunch { lunch in
            let (planner, key) = (lunch.planner, try await lunch.reminderKey())
            _ = try await planner.dropDelivery(key)
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            #expect(await refusal { _ = try await planner.retryDelivery(key) }?.code == "unwanted")
            #expect(try await planner.verifyLedger().holds)
        }
    }

    @Test func `A reminder that is taken up again keeps its time`() async throws {
        try await withLunch { lunch in
            let (planner, key) = (lunch.planner, try await lunch.reminderKey())
            let due = try await planner.delivery(key).delivery.due.text
            _ = try await planner.dropDelivery(key)
            let story = try await planner.retryDelivery(key)
            #expect(story.delivery.state == "planned")
            #expect(story.delivery.due.text == due)
        }
    }

    @Test func `What failed is tried again at once`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { _, number in
                AttemptReport(number <= 2 ? .permanent : .accepted, reply: "no such person")
            }
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(failed: 2))
            for parcel in sink.parcels {
                _ = try await lunch.planner.retryDelivery(parcel.identity)
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
