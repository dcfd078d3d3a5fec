import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Snoozed reminders of a lunch with Anna on 5 December at noon in Helsinki. The clock shows 11:20
/// of that day.
@Suite(.timeLimit(.minutes(5))) struct SnoozingTests {
    private func lunch(_ body: (TestWorld, Planner) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto", "anna@example.org")
            try await planner.create(.lunch(with: "Anna"))
            world.clock.set(try Moment.parse("2026-12-05T11:20:00+02:00"))
            _ = try await world.deliver()
            try await body(world, planner)
        }
    }

    private func times(_ planner: Planner, of who: String) async throws -> [String] {
        try await planner.outbox(to: who, kind: .reminder).rows.map(\.due.text)
    }

    private let ten = SnoozeTime.after(Snooze.spanDefault)

    @Test func `A snooze plans one more reminder, and a second snooze replaces it`() async throws {
        try await lunch { world, planner in
            let shown = try await planner.snooze("Lunch", ten, who: "Anna", saving: false)
            #expect(shown.notifications.added.map(\.due.text) == ["2026-12-05T09:30:00.000Z"])
            #expect(try await times(planner, of: "Anna") == [])
            let first = try await planner.snooze("Lunch", ten, who: "Anna", saving: true)
            #expect(first.snoozed?.text == "2026-12-05T09:30:00.000Z")
            #expect(try await times(planner, of: "Anna") == ["2026-12-05T09:30:00.000Z"])
            let again = try await planner.snooze(
                "Lunch", .until(try planner.moment("11:45")), who: "Anna", saving: true)
            #expect(again.notifications.superseded.map(\.reason) == ["snoozed again"])
            #expect(try await times(planner, of: "Anna") == ["2026-12-05T09:45:00.000Z"])
            world.clock.advance(bySeconds: 25 * 60)
            let lines = try await world.deliver()
            #expect(lines.map { $0["kind"] as? String } == ["reminder"])
            #expect(try await world.deliver().isEmpty)
            let story = try await planner.deliveries(of: "Lunch", to: "Anna").rows.last
            #expect(story?.which == "after a snooze")
            #expect(story?.delivery.state == .accepted)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
            // There is time for one more.
            _ = try await planner.snooze("Lunch", ten, who: "Anna", saving: true)
            #expect(try await times(planner, of: "Anna") == ["2026-12-05T09:55:00.000Z"])
        }
    }

    @Test func `A snoozed reminder stays planned while the start does not change`() async throws {
        try await lunch { _, planner in
            _ = try await planner.snooze("Lunch", ten, who: "Anna", saving: true)
            _ = try await planner.edit("Lunch") { ($0.title, $0.isNotified) = ("Late lunch", true) }
            _ = try await planner.setReminders([], of: "Anna")
            let due = ["2026-12-05T09:30:00.000Z"]
            #expect(try await times(planner, of: "Anna") == due)
            _ = try await planner.edit("lunch") { $0.start = "2026-12-05T13:00" }
            #expect(try await times(planner, of: "Anna") == [])
            _ = try await planner.edit("lunch") { $0.start = "2026-12-05T12:00" }
            #expect(try await times(planner, of: "Anna") == due)
            _ = try await planner.answer(
                "lunch", .declined, who: "Anna", plus: nil, note: nil, saving: true)
            #expect(try await times(planner, of: "Anna") == [])
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `An impossible snooze is refused`() async throws {
        try await lunch { world, planner in
            func code(_ time: SnoozeTime, _ who: String?) async -> String? {
                await refusal {
                    _ = try await planner.snooze("Lunch", time, who: who, saving: true)
                }?.code
            }
            #expect(await code(.after(TimeSpan(days: 0, seconds: 2400)), nil) == "snooze_too_late")
            #expect(await code(.until(try planner.moment("12:00")), nil) == "snooze_too_late")
            #expect(
                await code(.until(try planner.moment("2026-12-05T11:20")), nil) == "snooze_in_past")
            #expect(await code(.after(.zero), nil) == "snooze_in_past")
            _ = try await planner.answer(
                "Lunch", .declined, who: "Anna", plus: nil, note: nil, saving: true)
            #expect(await code(ten, "Anna") == "not_expected")
            let anna = try await world.planner(actingAs: "Anna")
            let owners = await refusal {
                _ = try await anna.snooze("Lunch", ten, who: "Olga Owner", saving: true)
            }
            #expect(owners?.code == "not_organizer")
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            #expect(await code(ten, nil) == "meeting_cancelled")
        }
    }

    @Test func `Of several simultaneous snoozes, one stays planned`() async throws {
        try await lunch { world, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let planner = try await world.planner()
                        _ = try await planner.snooze("Lunch", ten, who: "Anna", saving: true)
                    }
                }
                try await group.waitForAll()
            }
            let planner = try await world.planner()
            #expect(try await times(planner, of: "Anna").count == 1)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A snoozed reminder ignores quiet hours and follows a merge`() async throws {
        try await lunch { world, planner in
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse("11:00-20:00")]
            _ = try await planner.setPolicy(edit, of: "Anna", saving: true)
            _ = try await planner.snooze("Lunch", ten, who: "Anna", saving: true)
            try await planner.add("Ann Aalto", "ann@example.org")
            _ = try await planner.mergePeople("ann@example.org", "anna@example.org")
            #expect(
                try await times(planner, of: "ann@example.org") == ["2026-12-05T09:30:00.000Z"])
            world.clock.advance(bySeconds: 600)
            #expect(try await world.deliver().count == 1)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }
}
