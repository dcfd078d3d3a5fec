import Agenda
import Ledger
import Planning
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct NudgingTests {
    @Test func `Guests of a cancelled meeting get messages, but no nudges`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org"))
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            let refused = await refusal {
                _ = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            }
            #expect(refused?.code == "meeting_cancelled")
            #expect(
                refused?.message == "Lunch was cancelled, so nobody was nudged.")
            #expect(refused?.advice == [.meetings(.write)])
            let told = try await planner.message("Lunch", "Sorry!", to: [], saving: true)
            // Who never heard of the meeting learns that it is off.
            #expect(Set(told.notifications.added.map(\.kind)) == [.message, .cancellation])
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A message can go to some guests alone`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let lunch = try await planner.create(
                .lunch(with: "anna@example.org", "ben@example.org"))
            let id = MeetingID(text: lunch.meeting.id)
            let anna = try await planner.participants(named: ["anna@example.org"], of: id)
            let told = try await planner.message(
                id, "Your coat is here", to: [], people: anna, saving: true)
            #expect(told.notifications.added.map(\.name) == ["anna@example.org"])
            let refused = await refusal {
                _ = try await planner.message(
                    id, "Coats", to: [.declined], people: anna, saving: true)
            }
            #expect(refused?.code == "nobody_to_tell")
        }
    }

    @Test func `Nobody is nudged twice within 24 hours, in any time zone`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org"))
            func nudge(in zone: String) async throws -> String? {
                let planner = try await world.planner(tz: zone)
                return await refusal {
                    _ = try await planner.nudge("Lunch", who: [], note: "", saving: true)
                }?.code
            }
            #expect(try await nudge(in: "Europe/Helsinki") == nil)
            #expect(try await nudge(in: "Pacific/Kiritimati") == "nudged_today")
            world.clock.advance(bySeconds: 24 * 3600 - 1)
            #expect(try await nudge(in: "Europe/Helsinki") == "nudged_today")
            #expect(try await nudge(in: "Pacific/Pago_Pago") == "nudged_today")
            world.clock.advance(bySeconds: 1)
            #expect(try await nudge(in: "Europe/Helsinki") == nil)
        }
    }

    @Test func `Of several simultaneous nudges, one succeeds`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org"))
            let nudged = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let planner = try await world.planner(
                            tz: number % 2 == 0 ? "UTC" : "Pacific/Kiritimati")
                        world.clock.advance(bySeconds: 1)
                        return await refusal {
                            _ = try await planner.nudge("Lunch", who: [], note: "", saving: true)
                        } == nil
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(nudged.filter { $0 }.count == 1)
        }
    }

    @Test func `A guest nudged recently is skipped, and the others are nudged`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let anna = try await planner.add("Anna Aalto")
            let ben = try await planner.add("Ben Berg")
            try await planner.create(.lunch(with: "Anna", "Ben"))
            let first = try await planner.nudge("Lunch", who: ["Anna"], note: "", saving: true)
            #expect(first.notifications.added.map(\.person) == [anna.id])
            world.clock.advance(bySeconds: 60)
            let second = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            #expect(second.notifications.added.map(\.person) == [ben.id])
        }
    }

    @Test func `A nudge to a suppressed address counts as a nudge`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto", "anna@example.org")
            try await planner.create(.lunch(with: "Anna"))
            _ = try await planner.suppress(
                "anna@example.org", channel: nil, until: nil, reason: nil, saving: true)
            _ = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            world.clock.advance(bySeconds: 60)
            let refused = await refusal {
                _ = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            }
            #expect(refused?.code == "nudged_today")
        }
    }

    @Test func `A dropped nudge does not count as a nudge`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto")
            try await planner.create(.lunch(with: "Anna"))
            let first = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            _ = try await planner.dropDeliveries(first.notifications.added.map(\.key))
            world.clock.advance(bySeconds: 60)
            let second = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            #expect(second.notifications.added.count == 1)
        }
    }

    @Test func `A nudge of guests who have answered is refused with their names`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["Anna Aalto", "Ben Berg", "Carla Costa"] { try await planner.add(name) }
            try await planner.create(.lunch(with: "Anna", "Ben", "Carla"))
            for name in ["Anna", "Ben"] {
                _ = try await planner.answer(
                    "Lunch", .going, who: name, plus: nil, note: nil, saving: true)
            }
            func sentence(_ who: String...) async -> String? {
                await refusal {
                    _ = try await planner.nudge("Lunch", who: who, note: "", saving: true)
                }?.message
            }
            #expect(await sentence("Anna") == "Anna Aalto has answered already. Nobody was nudged.")
            #expect(
                await sentence("Anna", "Ben")
                    == "Anna Aalto and Ben Berg have answered already. Nobody was nudged.")
            _ = try await planner.answer(
                "Lunch", .declined, who: "Carla", plus: nil, note: nil, saving: true)
            #expect(await sentence() == "Everybody has answered. Nobody was nudged.")
        }
    }
}
