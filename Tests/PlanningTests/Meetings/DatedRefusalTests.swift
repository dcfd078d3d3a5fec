import Planning
import TestKit
import Testing

/// Refusals of times say which time they mean. It is Tuesday, 1 December 2026, at 14:00.
@Suite struct DatedRefusalTests {
    @Test(arguments: [
        ("2026-12-01 09:00", nil, "The start, Tue 1 Dec 2026, 09:00 EET, has passed."),
        (
            "2026-12-05 18:00", "2026-12-04 12:00",
            "The end, Fri 4 December 2026, 12:00, is not after the start, "
                + "Sat 5 December 2026, 18:00."
        ),
    ])
    func `A start or an end that cannot be is named`(
        _ start: String, _ end: String?, _ words: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: start)
            request.end = end
            let refused = await refusal { _ = try await planner.create(request) }
            #expect(refused?.message.hasPrefix(words) == true, "\(refused?.message ?? "")")
        }
    }

    @Test(arguments: [
        ("2026-11-30", nil, "Mon 30 November 2026 has passed."),
        (
            "2026-12-12", "2026-12-11",
            "The last day, Fri 11 December 2026, is before the first, Sat 12 December 2026."
        ),
    ])
    func `So are days`(_ start: String, _ end: String?, _ words: String) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: start)
            (request.end, request.isAllDay) = (end, true)
            let refused = await refusal { _ = try await planner.create(request) }
            #expect(refused?.message == words)
        }
    }

    @Test func `A meeting that is over is named with its day`() async throws {
        try await withTemporaryHome { world in
            try await world.planner().create(.lunch(with: "anna@example.org"))
            let later = try await world.later(minutes: 10 * 24 * 60).planner()
            let refused = await refusal {
                _ = try await later.cancelMeeting("Lunch", saving: true)
            }
            #expect(
                refused?.message
                    == "Lunch on Sat 5 December 2026 is over, so it cannot be cancelled.")
        }
    }
}
