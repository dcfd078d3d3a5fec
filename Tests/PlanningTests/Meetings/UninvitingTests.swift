import Agenda
import Ledger
import Planning
import TestKit
import Testing

/// Removing a circle from a meeting: who goes, and who stays.
@Suite struct UninvitingTests {
    /// A home with the circles Chess (Anna, Ben) and Choir (Ben, Carla).
    private func withCircles(_ body: (Planner) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for name in ["Anna", "Ben", "Carla"] {
                try await planner.add(name, "\(name.lowercased())@example.org")
            }
            try await planner.addCircle("Chess", members: ["Anna", "Ben"])
            try await planner.addCircle("Choir", members: ["Ben", "Carla"])
            try await body(planner)
        }
    }

    private func guests(_ planner: Planner, on date: String? = nil) async throws -> [String] {
        try await planner.meeting("Lunch", on: date).participants.map(\.name)
    }

    @Test func `A circle that is removed leaves those who were invited by name`() async throws {
        try await withCircles { planner in
            try await planner.create(.lunch(with: "Anna"))
            _ = try await planner.invite(["circle:Chess"], to: "Lunch", saving: true)
            let outcome = try await planner.uninvite(["circle:Chess"], from: "Lunch", saving: true)
            #expect(outcome.remarks.map(\.text) == ["Anna was invited by name and stays."])
            #expect(try await guests(planner) == ["Olga Owner", "Anna"])
            let code = await refusalCode {
                _ = try await planner.uninvite(["circle:Chess"], from: "Lunch", saving: true)
            }
            #expect(code == "not_a_participant")
            _ = try await planner.uninvite(["Anna"], from: "Lunch", saving: true)
            #expect(try await guests(planner) == ["Olga Owner"])
        }
    }

    @Test func `A person who is named beside their circle is invited by name`() async throws {
        try await withCircles { planner in
            try await planner.create(.lunch(with: "circle:Chess", "Anna"))
            _ = try await planner.uninvite(["circle:Chess"], from: "Lunch", saving: true)
            #expect(try await guests(planner) == ["Olga Owner", "Anna"])
        }
    }

    @Test func `A member of another invited circle stays`() async throws {
        try await withCircles { planner in
            try await planner.create(.lunch(with: "circle:Chess", "circle:Choir"))
            let outcome = try await planner.uninvite(["circle:Chess"], from: "Lunch", saving: true)
            #expect(
                outcome.remarks.map(\.text) == ["Ben is in another invited circle and stays."])
            #expect(try await guests(planner) == ["Olga Owner", "Ben", "Carla"])
        }
    }

    @Test func `Circles that are removed together take all their members along`() async throws {
        try await withCircles { planner in
            try await planner.create(.lunch(with: "circle:Chess", "circle:Choir"))
            _ = try await planner.uninvite(
                ["circle:Chess", "circle:Choir"], from: "Lunch", saving: true)
            #expect(try await guests(planner) == ["Olga Owner"])
        }
    }

    @Test func `The name of a circle that was not invited means its members`() async throws {
        try await withCircles { planner in
            try await planner.create(.lunch(with: "Anna", "Carla"))
            _ = try await planner.uninvite(["circle:Chess"], from: "Lunch", saving: true)
            #expect(try await guests(planner) == ["Olga Owner", "Carla"])
        }
    }

    @Test func `A circle is removed from a single date as from a meeting`() async throws {
        try await withCircles { planner in
            var request = MeetingRequest.lunch(with: "Anna")
            request.repetition = "weekly"
            try await planner.create(request)
            _ = try await planner.invite(
                ["circle:Chess"], to: "Lunch", on: "2026-12-12", saving: true)
            #expect(
                try await guests(planner, on: "2026-12-12") == ["Olga Owner", "Anna", "Ben"])
            _ = try await planner.uninvite(
                ["circle:Chess"], from: "Lunch", on: "2026-12-12", saving: true)
            #expect(try await guests(planner, on: "2026-12-12") == ["Olga Owner", "Anna"])
        }
    }

    @Test func `A new member who is invited to a meeting of their circle goes with it`()
        async throws
    {
        try await withCircles { planner in
            try await planner.create(.lunch(with: "circle:Chess"))
            try await planner.addMembers(["Carla"], to: "Chess")
            let missing = try await planner.missingInvitations(
                of: try await planner.people(named: ["Carla"]),
                in: try await planner.circle(named: "Chess"))
            _ = try await planner.invite(missing, saving: true)
            #expect(try await guests(planner).count == 4)
            _ = try await planner.uninvite(["circle:Chess"], from: "Lunch", saving: true)
            #expect(try await guests(planner) == ["Olga Owner"])
        }
    }
}
