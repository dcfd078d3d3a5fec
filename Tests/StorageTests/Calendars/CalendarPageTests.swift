import Ledger
import GRDB
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// Pages of the meetings that a calendar file shows.
@Suite struct CalendarPageTests {
    private static let anna = Person(id: PersonID(text: "aaaaaaaaaaaaaaaa"), name: "Anna")

    private static func insert(_ number: Int, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone,
                    duration, starts_at, ends_at, status, revision, sequence, reminders, created_at)
                VALUES (:id, :id, :person, 'Lunch', '', '', '2026-12-05T12:00:00',
                    'Europe/Helsinki', 'PT1H', :start, 99000, 'confirmed', 1, 0, '[]', 0)
                """,
            arguments: [
                "id": "meeting0000000\(number)", "person": anna.id.text, "start": 1000 + number / 4,
            ])
    }

    @Test func `A page of meetings takes as many statements as any other, and leaves out none`()
        async throws
    {
        let seen = Mutex<[String]>([])
        try await withTemporaryFolder { folder in
            let store = try Store.$statementListener.withValue({ sql in
                seen.withLock { $0.append(sql) }
            }) { try Store(path: folder + "/letsmeet.sqlite") }
            try await store.write { db in
                try Self.anna.insert(in: db, now: Moment(seconds: 1))
                for number in 10..<40 { try Self.insert(number, in: db) }
            }
            var counts: Set<Int> = []
            for limit in [1, 7, 30] {
                var ids: [String] = []
                var last = (startsAt: Moment.earliest, id: "")
                while ids.count < 30 {
                    seen.withLock { $0 = [] }
                    let page: [CalendarMeeting] = try await store.calendarMeetings(
                        of: Self.anna.id, after: last, limit: limit)
                    counts.insert(seen.withLock { $0.count { $0.contains("FROM meeting m") } })
                    let end: Meeting = try #require(page.last?.bundle.meeting)
                    ids += page.map(\.bundle.meeting.id.text)
                    last = (end.time.startsAt, end.id.text)
                }
                #expect(ids == (10..<40).map { "meeting0000000\($0)" })
            }
            #expect(counts == [4])
            try store.close()
        }
    }
}
