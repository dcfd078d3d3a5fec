import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

@Suite struct ListTests {
    /// Creates two lunches on 5 and 6 December. Anna organizes the second one.
    private func withLunches(_ body: (TestWorld, Planner) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            var anna = ContactEdit()
            anna.name = "Anna"
            anna.emails = ["anna@example.org"]
            _ = try await owner.addPerson(anna)
            var request = MeetingRequest()
            request.title = "First"
            request.with = ["Anna"]
            request.start = "2026-12-05T12:00"
            _ = try await owner.createMeeting(request, saving: true)
            request.title = "Second"
            request.with = ["ben@example.org"]
            request.start = "2026-12-06T12:00"
            let other = try await world.planner(actingAs: "Anna")
            _ = try await other.createMeeting(request, saving: true)
            try await body(world, owner)
        }
    }

    @Test func `Meetings are listed by organizer and by participant`() async throws {
        try await withLunches { world, owner in
            let anna = try await world.planner(actingAs: "Anna")
            #expect(try await owner.meetings(.mine).meetings.map(\.title) == ["First"])
            #expect(try await anna.meetings(.mine).meetings.map(\.title) == ["Second"])
            #expect(try await anna.meetings(.invited).meetings.map(\.title) == ["First"])
            #expect(try await anna.meetings(.coming).meetings.map(\.title) == ["First", "Second"])
            #expect(try await owner.meetings(.past).meetings.map(\.title) == [])
        }
    }

    @Test func `A range of due times includes both its ends`() async throws {
        try await withLunches { _, owner in
            let all = try await dues(LedgerFilter(limit: 99), in: owner.store)
            try #require(all.count > 4)
            var some = LedgerFilter(limit: 99)
            some.dueFrom = all[2]
            some.dueThrough = all[all.count - 2]
            let expected = all.filter { $0 >= all[2] && $0 <= all[all.count - 2] }
            #expect(expected.count < all.count)
            #expect(try await dues(some, in: owner.store) == expected)
        }
    }

    private func dues(_ filter: LedgerFilter, in store: Store) async throws -> [Moment] {
        try await store.deliveries(filter).map(\.row.due)
    }
}
