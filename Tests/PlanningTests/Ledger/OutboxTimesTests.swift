import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// The first and the last moment of the outbox.
@Suite struct OutboxTimesTests {
    private static let ranges: [(from: String?, until: String?, count: Int)] = [
        ("2026-12-05 11:00", "2026-12-05 11:00", 1), ("2026-12-05 11:01", nil, 0),
        (nil, "2026-12-05 10:59", 0), ("2026-12-05", "2026-12-05", 1),
        ("2026-12-06", nil, 0), (nil, "2026-12-04", 0),
    ]

    @Test(arguments: ranges)
    func `Deliveries due at either end are shown, and days count as a whole`(
        _ from: String?, _ until: String?, _ count: Int
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.reminders = [TimeSpan(days: 0, seconds: 3600)]
            try await planner.create(request)
            let lines = try await planner.outbox(
                from: try from.map { try planner.moment($0, dayMeans: .start) },
                until: try until.map { try planner.moment($0, dayMeans: .last) },
                kind: .reminder
            ).rows.filter { $0.to.name == "anna@example.org" }
            #expect(lines.count == count)
        }
    }

    @Test func `A day ends just before the next one`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let end = try planner.moment("2026-12-05", dayMeans: .last)
            let next = try planner.moment("2026-12-06", dayMeans: .start)
            #expect(end.advanced(byMilliseconds: 1) == next)
            let code = await refusalCode { _ = try await planner.outbox(from: next, until: end) }
            #expect(code == "usage")
        }
    }
}
