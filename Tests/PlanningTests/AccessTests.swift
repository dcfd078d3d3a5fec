import Agenda
import Ledger
import TestKit
import Testing

@testable import Planning

@Suite struct AccessTests {
    @Test func `Deliveries are seen by owner, organizer and receiver, and turned by the first two`()
        async throws
    {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            for name in ["Anna Aalto", "Ben Berg", "Carla Costa"] { try await owner.add(name) }
            let anna = try await world.planner(actingAs: "Anna")
            let ben = try await world.planner(actingAs: "Ben")
            let text = try await anna.create(.lunch(with: "Ben", "Carla")).meeting.id
            let meeting = MeetingID(text: text)
            func sees(_ planner: Planner, _ meeting: MeetingID?, _ person: PersonID?) async -> Bool
            {
                await refusal {
                    try await planner.checkMaySeeDeliveries(of: meeting, to: person)
                } == nil
            }
            func turns(_ planner: Planner) async -> Bool {
                await refusal { try await planner.checkMayTurnDeliveries(of: meeting) } == nil
            }
            #expect(await sees(owner, nil, nil))
            #expect(await sees(anna, meeting, nil))
            #expect(await sees(anna, meeting, ben.actor.id))
            #expect(await !sees(anna, nil, nil))
            #expect(await sees(anna, nil, anna.actor.id))
            #expect(await !sees(ben, meeting, nil))
            #expect(await !sees(ben, meeting, anna.actor.id))
            #expect(await sees(ben, meeting, ben.actor.id))
            #expect(await turns(owner))
            #expect(await turns(anna))
            #expect(await !turns(ben))
            let refused = await refusal {
                try await ben.checkMaySeeDeliveries(of: meeting, to: nil)
            }
            #expect(refused?.code == "not_allowed")
            #expect(
                refused?.message
                    == "Only Olga Owner, whose installation this is, and the meeting's organizer "
                    + "may see what is sent to others.")
        }
    }
}
