import Agenda
import Planning
import TestKit
import Testing

@Suite struct RequestKeyTests {
    @Test func `A repeated request gives the same meeting, even after its start`()
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
                second.remarks == [
                    "This meeting already exists: an earlier request with the same key created it."
                ])
            #expect(second.notifications.added.isEmpty)
            world.clock.advance(bySeconds: 30 * 86_400)
            request.with = ["nobody"]
            for isSaving in [true, false] {
                let later = try await planner.createMeeting(request, saving: isSaving)
                #expect(later.meeting.id == first.meeting.id)
            }
        }
    }

    @Test func `The same key of another organizer is another request`() async throws {
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

    @Test func `An empty key is refused`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.key = ""
            let refused = await refusal { [request] in try await planner.create(request) }
            #expect(refused?.code == "usage")
        }
    }
}
