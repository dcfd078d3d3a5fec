import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

/// Reminders whose time has passed when they are planned, and clocks that were set back.
@Suite struct LateTests {
    private func lunch(_ planner: Planner, start: String) async throws -> MeetingOutcome {
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = ["anna@example.org", "ben@example.org"]
        request.start = start
        return try await planner.createMeeting(request, saving: true)
    }

    @Test func `A reminder that is too late is mentioned once, by the act that requests it`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: ["LETSMEET_SINKS": "stdout"])
            let made = try await lunch(planner, start: "2026-12-01T18:00")
            #expect(made.remarks.count == 1)
            #expect(made.remarks.first?.text.contains("1 day before") == true)
            let moved = try await planner.uninvite(["ben@example.org"], from: "Lunch", saving: true)
            #expect(moved.remarks.isEmpty)
        }
    }

    @Test func `The remark names the people if it does not concern everybody`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await lunch(planner, start: "2026-12-04T18:00")
            _ = try await planner.setReminders(
                [TimeSpan(days: 5, seconds: 0)], of: "ben@example.org", saving: true)
            var edit = MeetingEdit()
            edit.start = "2026-12-05T18:00"
            let moved = try await planner.editMeeting("Lunch", edit, saving: true)
            #expect(moved.remarks.count == 1)
            #expect(moved.remarks.first?.text.contains("5 days before") == true)
            #expect(moved.remarks.first?.text.contains("for ben@example.org") == true)
        }
    }

    @Test func `A preview of a policy shows its consequences, but saves nothing`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await lunch(planner, start: "2026-12-04T18:00")
            let spans = [TimeSpan(days: 5, seconds: 0), TimeSpan(days: 0, seconds: 1800)]
            let shown = try await planner.setReminders(
                spans, of: "ben@example.org", saving: false)
            #expect(try await planner.policy(of: "ben@example.org").reminders == nil)
            let done = try await planner.setReminders(
                spans, of: "ben@example.org", saving: true)
            #expect(
                try await planner.policy(of: "ben@example.org").reminders == spans.map(\.iso))
            for outcome in [shown, done] {
                #expect(outcome.notifications.added.map(\.name) == ["ben@example.org"])
                #expect(outcome.notifications.superseded.count == 2)
                #expect(
                    outcome.notifications.superseded.allSatisfy {
                        $0.state == .superseded && !$0.reason.isEmpty
                    })
                #expect(
                    outcome.remarks
                        == ["The reminder 5 days before Lunch is not planned: its time has passed."]
                )
            }
        }
    }

    @Test func `The ledger is valid if the clock is three days behind`() async throws {
        try await withTemporaryHome { world in
            _ = try await lunch(try await world.planner(), start: "2026-12-01T18:00")
            world.clock.advance(bySeconds: -3 * 86_400)
            let report = try await world.planner().verifyLedger()
            #expect(report.holds, "\(report.faults)")
        }
    }

    @Test func `A change shows the old start even if no time passed in between`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await lunch(planner, start: "2026-12-04T18:00")
            let sink = ScriptedSink()
            let engine = try world.engine(planner, sinks: [sink])
            _ = try await engine.runOnce()
            var edit = MeetingEdit()
            edit.start = "2026-12-05T19:00"
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
            _ = try await engine.runOnce()
            let change = try #require(sink.messages.last { $0.kind == .change })
            #expect(change.text.contains("Fri 4 December 2026, 18:00"))
            #expect(change.text.contains("Sat 5 December 2026, 19:00"))
        }
    }
}
