import Agenda
import Planning
import TestKit
import Testing

/// Who sees deliveries, and who turns them: Anna organizes a lunch with Ben and Carla.
@Suite struct AccessTests {
    private func lunch(
        _ body: (_ owner: Planner, _ anna: Planner, _ ben: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            for name in ["Anna Aalto", "Ben Berg", "Carla Costa"] { try await owner.add(name) }
            let anna = try await world.planner(actingAs: "Anna")
            try await anna.create(.lunch(with: "Ben", "Carla"))
            try await body(owner, anna, try await world.planner(actingAs: "Ben"))
        }
    }

    private func isRefused(_ action: () async throws -> Void) async -> Bool {
        await refusal(action)?.code == "not_allowed"
    }

    @Test func `Owner and organizer see all deliveries of a meeting, others their own`()
        async throws
    {
        try await lunch { owner, anna, ben in
            #expect(try await owner.deliveries(of: "Lunch", to: nil).count == 8)
            #expect(try await anna.deliveries(of: "Lunch", to: nil).count == 8)
            #expect(try await ben.deliveries(of: "Lunch", to: "Ben").count == 3)
            #expect(await isRefused { _ = try await ben.deliveries(of: "Lunch", to: nil) })
            #expect(await isRefused { _ = try await ben.deliveries(of: "Lunch", to: "Carla") })
            #expect(try await owner.outbox().count == 8)
            #expect(try await anna.outbox(to: "Anna").count == 2)
            #expect(await isRefused { _ = try await anna.outbox() })
            let all = try await owner.ledger(states: [], meeting: nil, limit: 9).rows
            #expect(all.count == 8)
            #expect(try await anna.ledger(states: [], meeting: "Lunch", limit: 9).rows.count == 8)
            #expect(
                await isRefused { _ = try await anna.ledger(states: [], meeting: nil, limit: 9) })
            let refused = await refusal { _ = try await ben.outbox() }
            #expect(
                refused?.message
                    == "Only Olga Owner, whose installation this is, and a meeting's organizer "
                    + "may see what is sent to others.")
        }
    }

    @Test func `Only owner and organizer turn deliveries`() async throws {
        try await lunch { owner, anna, ben in
            let mine = try #require(try await ben.deliveries(of: "Lunch", to: "Ben").first)
            let key = mine.delivery.key
            let carlas = try await owner.deliveries(of: "Lunch", to: "Carla").map(\.delivery.key)
            #expect(try await ben.delivery(key).delivery.key == key)
            #expect(await isRefused { _ = try await ben.delivery(carlas[0]) })
            #expect(await isRefused { _ = try await ben.dropDeliveries([key]) })
            #expect(try await anna.dropDeliveries([key]).first?.delivery.state == "suppressed")
            #expect(await isRefused { _ = try await ben.retryDeliveries([key]) })
            #expect(try await owner.retryDeliveries([key]).first?.delivery.state == "planned")
        }
    }

    @Test func `Lists hold the meetings that somebody organizes or takes part in`() async throws {
        try await lunch { owner, anna, ben in
            var request = MeetingRequest.lunch(with: "Anna")
            request.title = "Dinner"
            try await owner.create(request)
            let day = try owner.day("2026-12-05")
            for (planner, titles) in [
                (owner, ["Dinner", "Lunch"]), (anna, ["Dinner", "Lunch"]), (ben, ["Lunch"]),
            ] {
                for lines in [
                    try await planner.meetings(.coming), try await planner.meetings(on: day),
                ] {
                    #expect(lines.meetings.map(\.title).sorted() == titles)
                }
            }
            #expect(await isRefused { _ = try await anna.erasePerson("Ben") { _ in true } })
        }
    }
}
