import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

/// The quiet hours of people who have none of their own. It is Tuesday noon in London, 14:00 in
/// Helsinki.
@Suite(.timeLimit(.minutes(5))) struct DefaultHoursTests {
    private let quiet = try? WeekSpan.parse("13:00-20:00")

    private func due(_ planner: Planner, _ name: String) async throws -> String? {
        try await planner.outbox(to: name).rows.first?.due.text
    }

    private let held = "2026-12-01T18:00:00.000Z"

    @Test func `The setting holds deliveries back, also those that were planned before`()
        async throws
    {
        try await withLunch { lunch in
            let hours = try await lunch.world.planner(settings: [
                .quietHours: "13:00-20:00", .sinks: "stdout",
            ])
            let count = try await hours.followQuietHours()
            #expect(count?.count == 1)
            #expect(try await hours.followQuietHours() == nil)
            #expect(try await due(hours, "Anna") == held)
            #expect(try await lunch.planner.verifyLedger().faults.isEmpty)
            #expect(try await lunch.planner.policy(of: "Anna").hoursFrom == "installation")
            let none = try await lunch.world.planner(settings: [.sinks: "stdout"])
            #expect(try await none.followQuietHours()?.count == 1)
            #expect(try await due(none, "Anna") != held)
        }
    }

    @Test func `Those of a circle begin and end with the membership`() async throws {
        try await withLunch { lunch in
            let planner = lunch.planner
            let anna = try await planner.people(named: ["Anna"])
            _ = try await planner.addCircle("Choir", members: [PersonID]())
            let circle = try await planner.circle(named: "Choir")
            let span = try #require(quiet)
            _ = try await planner.setQuietHours([span], of: circle, saving: true)
            #expect(try await due(planner, "Anna") != held)
            _ = try await planner.addMembers(anna, to: circle)
            #expect(try await due(planner, "Anna") == held)
            #expect(try await planner.verifyLedger().faults.isEmpty)
            #expect(try await lunch.world.deliver().count == 1)
            _ = try await planner.removeMembers(anna, from: circle)
            #expect(try await due(planner, "Anna") != held)
            _ = try await planner.addMembers(anna, to: circle)
            _ = try await planner.deleteCircle(circle)
            #expect(try await due(planner, "Anna") != held)
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `Circles add up, and a person's own choice replaces them`() async throws {
        try await withLunch { lunch in
            let planner = lunch.planner
            let anna = try await planner.people(named: ["Anna"])
            for (name, text) in [("Choir", "13:00-16:00"), ("Chess", "15:00-20:00")] {
                _ = try await planner.addCircle(name, members: anna)
                _ = try await planner.setQuietHours(
                    [try WeekSpan.parse(text)], of: try await planner.circle(named: name),
                    saving: true)
            }
            #expect(try await due(planner, "Anna") == held)
            var edit = PolicyEdit()
            edit.quietHours = []
            let chosen = try await planner.setPolicy(edit, of: "Anna", saving: true)
            #expect(chosen.policy.hoursFrom == "person" && chosen.policy.quietHours.isEmpty)
            #expect(try await due(planner, "Anna") != held)
            edit = PolicyEdit()
            edit.followsDefaultHours = true
            let back = try await planner.setPolicy(edit, of: "Anna", saving: true)
            #expect(back.policy.hoursFrom == "circle" && back.policy.quietHours.count == 2)
            #expect(try await due(planner, "Anna") == held)
        }
    }

    @Test func `Circles that together leave no time count by the first alone`() async throws {
        try await withLunch { lunch in
            let planner = lunch.planner
            let anna = try await planner.people(named: ["Anna"])
            for (name, text) in [("A", "00:00-12:00"), ("B", "12:00-24:00")] {
                _ = try await planner.addCircle(name, members: anna)
                _ = try await planner.setQuietHours(
                    [try WeekSpan.parse(text)], of: try await planner.circle(named: name),
                    saving: true)
            }
            #expect(try await planner.policy(of: "Anna").quietHours.count == 1)
        }
    }

    @Test func `Only the owner gives a circle quiet hours`() async throws {
        try await withLunch { lunch in
            let anna = try await lunch.world.planner(actingAs: "Anna")
            _ = try await anna.addCircle("Mine", members: [anna.actor.id])
            let circle = try await anna.circle(named: "Mine")
            let span = try #require(quiet)
            #expect(
                await refusal {
                    _ = try await anna.setQuietHours([span], of: circle, saving: true)
                }?
                .code == "not_allowed")
            #expect(
                await refusal { _ = try await anna.quietHours(of: circle) }?.code == "not_allowed")
        }
    }

    @Test(arguments: ["all night", "22:00-08:00,nonsense", "00:00-24:00"])
    func `A setting that cannot be read is refused`(text: String) async throws {
        try await withLunch { lunch in
            let planner = try await lunch.world.planner(settings: [.quietHours: text])
            #expect(await refusal { _ = try await planner.followQuietHours() } != nil)
        }
    }
}
