import Agenda
import Ledger
import Planning
import TestKit
import Testing

/// Refusals say which action helps.
@Suite struct AdviceTests {
    @Test func `A refusal of an unknown object lists or adds objects of its kind`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            func advice(_ body: () async throws -> Void) async -> [Advice]? {
                await refusal(body)?.advice
            }
            let last = await advice { _ = try await planner.meetingID(named: "last") }
            #expect(last == [.meetings(.list)])
            let next = await advice { _ = try await planner.meetingID(named: "next") }
            #expect(next == [.meetings(.plan)])
            let circle = await advice { _ = try await planner.circle(named: "Hikers") }
            #expect(circle == [.people(.listCircles)])
            let channel = await advice { _ = try await planner.removeChannel("phone") }
            #expect(channel == [.channels(.list)])
            let place = await advice { _ = try await planner.showPlace("osm:node/1") }
            #expect(place == [.places(.listSaved)])
            let person = await advice { _ = try await planner.person(named: "a@example.net") }
            #expect(person == [.people(.add(address: "a@example.net"))])
        }
    }

    @Test func `A refusal because a person is not invited leads to the meeting`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Ben", "ben@example.org")
            let games = try await planner.meet("Games", with: "anna@example.org")
            let id = try await planner.meetingID(named: games)
            let found = await refusal {
                _ = try await planner.participant(named: "Ben", of: id)
            }
            #expect(found?.advice == [.meetings(.show(id.text))])
        }
    }
}
