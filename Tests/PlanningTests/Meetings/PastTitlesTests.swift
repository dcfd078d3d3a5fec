import Agenda
import Ledger
import Planning
import TestKit
import Testing

/// Meetings that are over, named by their titles.
@Suite struct PastTitlesTests {
    /// A planner in 2027, after lunches on 5 and 6 December 2026 and a picnic on 7 December.
    private func withPast(_ body: (Planner, _ ids: [String]) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var ids: [String] = []
            for (title, day) in [("Lunch", 5), ("Lunch", 6), ("Picnic in the park", 7)] {
                var request = MeetingRequest.lunch(start: "2026-12-0\(day)T12:00")
                request.title = title
                ids.append(try await planner.create(request).meeting.id)
            }
            try await body(try await world.later(minutes: 40 * 24 * 60).planner(), ids)
        }
    }

    @Test func `A title means a past meeting if no coming one has it`() async throws {
        try await withPast { planner, ids in
            #expect(try await planner.meetingID(named: "picnic").text == ids[2])
            let code = await refusalCode { _ = try await planner.meetingID(named: "dinner") }
            #expect(code == "unknown_meeting")
            var coming = MeetingRequest.lunch(start: "2027-02-01T12:00")
            coming.title = "Another picnic"
            let id = try await planner.create(coming).meeting.id
            #expect(try await planner.meetingID(named: "picnic").text == id)
        }
    }

    @Test func `Several past meetings of a title are listed with dates and ids, the latest first`()
        async throws
    {
        try await withPast { planner, ids in
            let refused = await refusal { _ = try await planner.meetingID(named: "lunch") }
            #expect(refused?.code == "ambiguous_meeting")
            let lines = refused?.candidates.map(\.label) ?? []
            #expect(lines.count == 2)
            #expect(lines.first?.contains("6 Dec 2026") == true)
            #expect(lines.first?.contains(ids[1]) == true)
            #expect(lines.last?.contains("5 Dec 2026") == true)
        }
    }

    @Test func `A change of a past meeting says that it is over`() async throws {
        try await withPast { planner, _ in
            let code = await refusalCode {
                _ = try await planner.cancelMeeting("Picnic", saving: true)
            }
            #expect(code == "meeting_over")
        }
    }

    @Test func `A series that has ended is found, too`() async throws {
        try await withTemporaryHome { world in
            var request = MeetingRequest.lunch()
            request.repetition = "weekly, 2 times"
            let id = try await world.planner().create(request).meeting.id
            let planner = try await world.later(minutes: 40 * 24 * 60).planner()
            #expect(try await planner.meetingID(named: "lunch").text == id)
        }
    }
}
