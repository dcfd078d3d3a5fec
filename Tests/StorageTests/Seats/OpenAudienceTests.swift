import Agenda
import GRDB
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// The people for whom a meeting is open.
@Suite struct OpenAudienceTests {
    private static let meeting = MeetingID(text: "mmmmmmmmmmmmmmmm")

    private static let people = """
        /* SQLite */ INSERT INTO person (id, name, created_at)
        VALUES ('olgaolgaolgaolga', 'Olga', 0);
        /* SQLite */ INSERT INTO person (id, name, created_at)
        VALUES ('annaannaannaanna', 'Anna', 0);
        /* SQLite */ INSERT INTO account (person_id, role, made_at)
        VALUES ('olgaolgaolgaolga', 'member', 0);
        /* SQLite */ INSERT INTO account (person_id, role, made_at)
        VALUES ('annaannaannaanna', 'member', 0);
        /* SQLite */ INSERT INTO circle (id, owner_id, name, folded)
        VALUES ('choirchoirchoirc', 'olgaolgaolgaolga', 'Choir', 'choirchoirchoirc');
        /* SQLite */ INSERT INTO meeting (
            id, uid, organizer_id, title, note, link, start_wall, zone, duration,
            starts_at, ends_at, status, revision, sequence, reminders, created_at)
        VALUES ('mmmmmmmmmmmmmmmm', 'u', 'olgaolgaolgaolga', 'Games', '', '', '1970-01-01T02:00:00',
            'Europe/Helsinki', 'PT1H', 2, 3, 'confirmed', 1, 0, '[]', 0);
        """

    private static let follows = """
        INSERT INTO follow (follower_id, followed_id, is_accepted, asked_at, accepted_at)
        VALUES ('annaannaannaanna', 'olgaolgaolgaolga', 1, 0, 0)
        """
    private static let asks = """
        INSERT INTO follow (follower_id, followed_id, is_accepted, asked_at)
        VALUES ('annaannaannaanna', 'olgaolgaolgaolga', 0, 0)
        """
    private static let inChoir =
        """
        INSERT INTO circle_member (circle_id, person_id)
        VALUES ('choirchoirchoirc', 'annaannaannaanna')
        """
    private static let blocked = "INSERT INTO block (blocker_id, blocked_id, at) VALUES "

    private func mayJoin(_ statements: [String]) async throws -> Bool {
        try await withTemporaryStore { store in
            try await store.write { db in
                try db.execute(sql: Self.people)
                for sql in statements { try db.execute(sql: "/* SQLite */ " + sql) }
            }
            return try await store.mayJoin(PersonID(text: "annaannaannaanna"), Self.meeting)
        }
    }

    private static func open(to audience: String) -> String {
        "UPDATE meeting SET audience = '\(audience)', audience_circle_id = 'choirchoirchoirc'"
    }

    @Test(
        arguments: [
            ([], false),
            ([open(to: "public")], true),
            ([open(to: "link")], false),
            ([open(to: "followers")], false),
            ([open(to: "followers"), asks], false),
            ([open(to: "followers"), follows], true),
            ([open(to: "circle")], false),
            ([open(to: "circle"), inChoir], true),
            (
                [open(to: "circle"), inChoir, "UPDATE circle SET owner_id = 'annaannaannaanna'"],
                false
            ),
            ([open(to: "public"), "UPDATE account SET is_enabled = 0"], false),
            ([open(to: "public"), blocked + "('olgaolgaolgaolga', 'annaannaannaanna', 0)"], false),
            ([open(to: "public"), blocked + "('annaannaannaanna', 'olgaolgaolgaolga', 0)"], false),
        ] as [([String], Bool)])
    func `A meeting is open to its audience, unless one blocks the other`(
        _ statements: [String], _ expected: Bool
    ) async throws {
        let isOpen = try await mayJoin(statements)
        #expect(isOpen == expected)
    }

    @Test func `The rules of seats are read as they were written`() async throws {
        var seating = Seating(audience: .circle(CircleID(text: "choirchoirchoirc")), seats: 4)
        seating.hasWaitingList = false
        seating.needsApproval = true
        seating.namesFor = .everyone
        seating.lastAsked = 9
        seating.quorum = Quorum(
            minimum: 3, deadline: Moment(milliseconds: 1), confirmsEarly: true,
            decision: Quorum.Decision(.cancelled, joined: 2, at: Moment(milliseconds: 2)))
        let written = seating
        let read = try await withTemporaryStore { store in
            try await store.write { db in
                try db.execute(sql: Self.people)
                var meeting = try #require(try Meeting.fetch(Self.meeting, in: db))
                #expect(meeting.seating == nil)
                meeting.seating = written
                try meeting.update(in: db)
                return try Meeting.fetch(Self.meeting, in: db)?.seating
            }
        }
        #expect(read == written)
    }

    @Test func `Requests to join are read as they were written, and deleted`() async throws {
        let anna = JoinRequest(
            person: PersonID(text: "annaannaannaanna"), plus: 2, note: "Hi", asked: 5,
            isRefused: true,
            at: Moment(milliseconds: 7))
        let (kept, gone) = try await withTemporaryStore { store in
            try await store.write { db in
                try db.execute(sql: Self.people)
                var meeting = try #require(try Meeting.fetch(Self.meeting, in: db))
                meeting.seating = Seating(audience: .everyone)
                try JoinRequest.save(["": [anna]], of: meeting, in: db)
                let kept = try JoinRequest.fetchAll(of: meeting, in: db)
                try JoinRequest.save([:], of: meeting, in: db)
                return (kept, try JoinRequest.fetchAll(of: meeting, in: db))
            }
        }
        #expect(kept == ["": [anna]])
        #expect(gone.isEmpty)
    }

    @Test func `Minimums are decided from their deadline on, once`() async throws {
        let due = try await withTemporaryStore { store in
            try await store.write { db in
                try db.execute(sql: Self.people)
                try db.execute(sql: "/* SQLite */ UPDATE meeting SET minimum = 2, minimum_by = 10")
            }
            let early = try await store.minimums(dueBy: Moment(milliseconds: 9), limit: 5)
            let due = try await store.minimums(dueBy: Moment(milliseconds: 10), limit: 5)
            let next = try await store.nextMinimum()
            try await store.write { db in
                try db.execute(
                    sql: "/* SQLite */ UPDATE meeting SET minimum_outcome = 'confirmed'")
            }
            let decided = try await store.minimums(dueBy: Moment(milliseconds: 10), limit: 5)
            return (early, due, next, decided)
        }
        #expect(due.0.isEmpty)
        #expect(due.1 == [Self.meeting])
        #expect(due.2 == Moment(milliseconds: 10))
        #expect(due.3.isEmpty)
    }
}
