import Agenda
import Planning
import TestKit
import Testing

@Suite struct InvitingCirclesTests {
    private func games(in planner: Planner) async throws -> String {
        for name in ["Anna", "Ben", "Cai"] { _ = try await planner.add(name) }
        _ = try await planner.addCircle("Chess", members: ["anna", "ben"])
        return try await planner.meet("Games", with: "anna")
    }

    @Test func `Inviting a circle skips people who are already in the meeting, with a remark`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let id = try await games(in: planner)
            let outcome = try await planner.invite(["chess", "cai"], to: id, saving: true)
            #expect(
                outcome.meeting.participants.map(\.name) == ["Olga Owner", "Anna", "Ben", "Cai"])
            #expect(outcome.remarks.contains("Anna is already in \"Games\"."))
            let again = try await planner.invite(["chess"], to: id, saving: true)
            #expect(again.notifications.added.isEmpty)
            #expect(again.remarks.contains("Anna, Ben are already in \"Games\"."))
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test(arguments: [["anna"], ["chess", "anna"], ["anna", "chess"]])
    func `A person who is named and already in the meeting is refused`(
        names: [String]
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let id = try await games(in: planner)
            let code = await refusalCode {
                _ = try await planner.invite(names, to: id, saving: true)
            }
            #expect(code == "already_invited")
            let twice = await refusalCode { _ = try await planner.meet("Go", with: "ben", "ben") }
            #expect(twice == "person_twice")
        }
    }
}
