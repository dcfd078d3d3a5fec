import Planning
import TestKit
import Testing

@Suite struct RequestKeyTests {
    @Test func `A request that is made again gives the same meeting, also after its start`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.key = "once"
            let first = try await planner.create(request)
            let second = try await planner.create(request)
            #expect(second.meeting.id == first.meeting.id)
            #expect(
                second.remarks == ["Made before by a request of this key: nothing is made anew."])
            #expect(second.notifications.added.isEmpty)
            world.clock.advance(bySeconds: 30 * 86_400)
            request.with = ["nobody"]
            for isSaving in [true, false] {
                let later = try await planner.createMeeting(request, saving: isSaving)
                #expect(later.meeting.id == first.meeting.id)
            }
        }
    }

    @Test func `Another organizer's key is another request`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna Aalto", "anna@example.org")
            let anna = try await world.planner(actingAs: "Anna")
            var request = MeetingRequest.lunch(with: "ben@example.org")
            request.key = "once"
            let first = try await owner.create(request).meeting
            let second = try await anna.create(request).meeting
            #expect(first.id != second.id)
            #expect(second.organizer.name == "Anna Aalto")
        }
    }

    @Test func `An empty key names no request`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.key = ""
            let refused = await refusal { [request] in try await planner.create(request) }
            #expect(refused?.code == "usage")
        }
    }
}
