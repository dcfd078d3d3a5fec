import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Series with very many reminders.
@Suite struct DenseSeriesTests {
    private func series(
        _ rule: String, guests: Int, reminders: Int = 10
    ) -> MeetingRequest {
        var request = MeetingRequest.lunch(start: "2026-12-02T12:00")
        request.with = (0..<guests).map { "guest\($0)@example.org" }
        request.repetition = rule
        request.duration = TimeSpan(days: 0, seconds: 600)
        request.reminders = (1...reminders).map { TimeSpan(days: 0, seconds: 60 * $0) }
        return request
    }

    @Test func `The reminders of a dense series are planned a day ahead, and on from there`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(series("FREQ=HOURLY", guests: 4))
            // 5 people, 10 reminders: those of 40 dates are 2000.
            let first = try await planner.outbox(kind: .reminder, limit: 100_000).rows.map(
                \.due.moment)
            let last = try #require(first.max())
            #expect(first.count <= 2100)
            #expect(first.count > 1000, "\(first.count) until \(last)")
            #expect(last > world.clock.now.advanced(bySeconds: 20 * 3600))
            #expect(last < world.clock.now.advanced(bySeconds: 80 * 3600))
            world.clock.advance(bySeconds: 36 * 3600)
            let later = try await world.planner()
            #expect(try await later.planSeriesOn() == 1)
            let next = try await later.outbox(kind: .reminder, limit: 100_000).rows.map(
                \.due.moment)
            #expect(try #require(next.max()) > last)
            #expect(Set(next).isSuperset(of: first.filter { $0 > world.clock.now }))
            #expect(try await later.verifyLedger().holds)
        }
    }

    @Test func `The usual series are planned five weeks ahead`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(series("FREQ=WEEKLY", guests: 60, reminders: 2))
            let dues = Set(
                try await planner.outbox(kind: .reminder, limit: 100_000).rows.map(\.due.moment))
            #expect(dues.count == 10)
        }
    }

    @Test(arguments: [("FREQ=HOURLY", 20, true), ("FREQ=DAILY", 60, false)])
    func `Too many reminders in a day are refused`(
        _ rule: String, _ guests: Int, _ isRefused: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let request = series(rule, guests: guests)
            let code = await refusalCode { try await planner.create(request) }
            #expect(code == (isRefused ? "reminders_too_dense" : nil))
        }
    }

    @Test func `A dense series cannot get more people than its reminders allow`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let id = try await planner.create(series("FREQ=HOURLY", guests: 14)).meeting.id
            let names = (100..<115).map { "guest\($0)@example.org" }
            let code = await refusalCode {
                _ = try await planner.invite(names, to: id, saving: true)
            }
            #expect(code == "reminders_too_dense")
            // What makes it no denser is allowed.
            _ = try await planner.edit(id) { $0.title = "Tea" }
            _ = try await planner.edit(id) { $0.repetition = "daily" }
            _ = try await planner.invite(names, to: id, saving: true)
        }
    }
}
