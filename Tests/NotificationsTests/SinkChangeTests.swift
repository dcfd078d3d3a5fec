import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing

/// Deliveries that were planned with other sinks than the ones they are sent through.
@Suite struct SinkChangeTests {
    private static let mail = [
        "LETSMEET_SMTP_URL": "smtp://127.0.0.1:2525", "LETSMEET_MAIL_FROM": "olga@example.org",
    ]

    @Test func `A delivery that waits for a disabled sink goes through the enabled one`()
        async throws
    {
        try await withTemporaryHome { world in
            // A shell without the settings of the mail server.
            var request = MeetingRequest()
            request.title = "Walk"
            request.with = ["anna@example.org"]
            request.start = "2026-12-05T12:00"
            _ = try await world.planner().createMeeting(request, saving: true)
            let sender = try await world.planner(environment: Self.mail).sending()
            let sink = ScriptedSink(name: "mail")
            let engine = try world.engine(sender, sinks: [sink])
            _ = try await engine.runOnce()
            world.clock.advance(bySeconds: 1)
            _ = try await engine.runOnce()
            #expect(sink.messages.map(\.kind) == [.invitation])
            #expect(try await sender.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A delivery under way when its sink was disabled goes through the enabled one`()
        async throws
    {
        try await withTemporaryHome { world in
            var request = MeetingRequest()
            request.title = "Walk"
            request.with = ["anna@example.org"]
            request.start = "2026-12-05T12:00"
            let planner = try await world.planner()
            _ = try await planner.createMeeting(request, saving: true)
            let now = world.clock.now
            let ids = try await planner.store.dueDeliveries(through: now, limit: 9).map(\.id)
            try await planner.store.beginAndDie(ids, now: now)
            let sender = try await world.planner(environment: Self.mail).sending()
            _ = try await sender.followSinks()
            let sink = ScriptedSink(name: "mail")
            let engine = try world.engine(sender, sinks: [sink])
            for _ in 0..<3 {
                _ = try await engine.runOnce()
                world.clock.advance(bySeconds: 1)
            }
            #expect(sink.messages.map(\.kind) == [.invitation])
            #expect(try await sender.verifyLedger().faults.isEmpty)
        }
    }
}
