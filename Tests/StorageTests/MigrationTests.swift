import Agenda
import GRDB
import Interchange
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Databases of earlier versions are migrated without loss.
@Suite struct MigrationTests {
    /// Anna's lunch with Ben, and deliveries in every state, as schema 2 stores them. Delivery 4 is
    /// being sent for the first time, 5 for the third time, after a retry and an attempt that may
    /// have arrived.
    private static let rows = """
        INSERT INTO person (id, name, created_at) VALUES ('aaaaaaaaaaaaaaaa', 'Anna', 0),
            ('bbbbbbbbbbbbbbbb', 'Ben', 0);
        INSERT INTO known_as (person_id, kind, text)
        VALUES ('bbbbbbbbbbbbbbbb', 'name', 'Benjamin Berg');
        INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone, duration,
            starts_at, ends_at, status, revision, sequence, reminders, created_at)
        VALUES ('mmmmmmmmmmmmmmmm', 'u', 'aaaaaaaaaaaaaaaa', 'Lunch', '', '',
            '2026-12-05T12:00:00', 'Europe/Helsinki', 'PT1H', 1, 2, 'confirmed', 1, 0, '[]', 0);
        INSERT INTO body (id, author_id, text, written_at)
        VALUES (1, 'aaaaaaaaaaaaaaaa', 'Bring wine', 1);
        INSERT INTO delivery (id, key, meeting_id, person_id, kind, mark, channel, address, due,
            deadline, state, reason, ambiguities, body_id)
        SELECT column1, 'kkkkkkkkkkkkkkkkkkkkkkkk' || (column1 + 10), 'mmmmmmmmmmmmmmmm',
            'bbbbbbbbbbbbbbbb', 'reminder', column1, 'stdout', 'ben@example.org', column2, 900,
            column3, column4, column5, column6
        FROM (VALUES
            (1, 500, 'planned', '', 0, NULL), (2, 510, 'planned', 'try again', 0, 1),
            (3, 520, 'ambiguous', 'no answer', 1, NULL), (4, 530, 'claimed', '', 0, NULL),
            (5, 540, 'claimed', 'no answer', 1, 1), (6, 550, 'accepted', '', 1, NULL),
            (7, 560, 'failed', 'no such box', 0, NULL), (8, 570, 'expired', 'too late', 0, NULL),
            (9, 580, 'superseded', 'moved', 0, NULL), (10, 590, 'suppressed', 'erased', 0, NULL),
            (11, 600, 'parked', 'three times', 3, NULL), (12, 610, 'accepted', '', 0, NULL));
        INSERT INTO delivery_turn (delivery_id, at, state, reason)
        SELECT id, 10 + id, 'planned', '' FROM delivery;
        INSERT INTO delivery_turn (delivery_id, at, state, reason)
        SELECT id, 30 + id, state, reason FROM delivery WHERE id BETWEEN 8 AND 10;
        INSERT INTO attempt (id, delivery_id, number, at, history_number)
        VALUES (1, 2, 1, 101, 1), (2, 3, 1, 102, 2), (3, 4, 1, 103, 2), (4, 5, 1, 104, 1),
            (5, 5, 2, 105, 2), (6, 5, 3, 106, 3), (7, 6, 1, 107, 1), (8, 6, 2, 108, 4),
            (9, 7, 1, 109, 1), (10, 11, 1, 110, 1), (11, 11, 2, 111, 1), (12, 11, 3, 112, 1),
            (13, 12, 1, 113, 1);
        INSERT INTO attempt_outcome (attempt_id, at, outcome, code, reply)
        VALUES (1, 201, 'retry', '451', 'later'), (2, 202, 'ambiguous', 'timeout', 'no answer'),
            (4, 204, 'retry', '452', 'full'), (5, 205, 'ambiguous', 'restart', 'cut off'),
            (7, 207, 'ambiguous', 'timeout', 'no answer'), (8, 208, 'accepted', '250', 'taken'),
            (9, 209, 'permanent', '550', 'no such box'), (10, 210, 'ambiguous', 'restart', 'a'),
            (11, 211, 'ambiguous', 'restart', 'b'), (12, 212, 'ambiguous', 'restart', 'c'),
            (13, 213, 'accepted', '250', 'taken');
        """

    /// Every delivery and every attempt as text.
    private struct Story: Equatable {
        let deliveries: [String]
        let attempts: [String]

        /// Reads a database with schema 2.
        init(before db: Database) throws {
            deliveries = try Self.texts(
                """
                SELECT id, key, meeting_id, occurrence, person_id, kind, mark, channel, address,
                    due, deadline, state, reason, ambiguities, coalesce(body_id, 0)
                FROM delivery
                """, in: db)
            attempts = try Self.texts(
                """
                SELECT a.delivery_id, a.number, a.at, a.history_number, o.at, o.outcome,
                    coalesce(o.code, ''), coalesce(o.reply, '')
                FROM attempt a LEFT JOIN attempt_outcome o ON o.attempt_id = a.id
                """, in: db)
        }

        /// Reads a database with the newest schema.
        init(after db: Database) throws {
            deliveries = try Self.texts(
                """
                SELECT id, key, meeting_id, occurrence, person_id, kind, mark, channel, address,
                    due, deadline, state, reason, ambiguities, coalesce(body_id, 0)
                FROM delivery_now
                """, in: db)
            attempts = try Self.texts(
                """
                SELECT delivery_id, number, at, history_number, ended_at, outcome, code, reply
                FROM attempt_now
                """, in: db)
        }

        private static func texts(_ sql: String, in db: Database) throws -> [String] {
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map(\.description).joined(separator: "|")
            }.sorted()
        }
    }

    /// Creates a file with schema 2, and returns its deliveries and attempts.
    private static func makeSecond(_ path: String) async throws -> Story {
        let queue = try DatabaseQueue(path: path)
        try Migrations.migrator.migrate(queue, upTo: "002 what persons were known as")
        let story = try await queue.write { db in
            try db.execute(sql: rows)
            return try Story(before: db)
        }
        try queue.close()
        return story
    }

    @Test func `Every delivery and attempt of schema 2 is kept`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let before = try await Self.makeSecond(path)
            #expect(before.deliveries.count == 12)
            #expect(before.attempts.count == 13)
            let store = try Store(path: path)
            let after = try await store.read { try Story(after: $0) }
            #expect(after == before)
            #expect(try await store.deliveryCounts()[.claimed] == 2)
            #expect(try await store.deliveryCounts().values.reduce(0, +) == 12)
            #expect(try await store.ledgerFaults(limit: 9) == [])
            let health = try await store.health()
            #expect(health.problems == [])
            #expect(health.foreignPart == nil)
            #expect(health.lastAttempt == Moment(milliseconds: 113))
            let known = try await store.read { db in
                try String.fetchAll(db, sql: "SELECT text FROM known_as")
            }
            #expect(known == ["Benjamin Berg"])
            try store.close()
        }
    }

    @Test func `Every delivery and attempt of schema 3 is kept and nothing is on hold`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            _ = try await Self.makeSecond(path)
            let queue = try DatabaseQueue(path: path)
            try Migrations.migrator.migrate(queue, upTo: "003 attempts under way")
            let before = try await queue.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO outcome (
                            delivery_id, at, outcome, code, reply, state, reason, due)
                        VALUES (4, 240, 'accepted', '250', 'taken', 'accepted', '', NULL)
                        """)
                return try Story(after: db)
            }
            try queue.close()
            #expect(before.attempts.count == 13)
            let store = try Store(path: path)
            #expect(try await store.read { try Story(after: $0) } == before)
            let holds = try await store.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM delivery_now WHERE hold IS NOT NULL")
            }
            #expect(holds == 0)
            #expect(try await store.ledgerFaults(limit: 9) == [])
            #expect(try await store.suppressions(limit: 9) == [])
            try store.close()
        }
    }

    @Test func `Deliveries that schema 2 was sending are found, finished and sent again`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            _ = try await Self.makeSecond(path)
            let store = try Store(path: path)
            let orphans = try await store.orphanedDeliveries()
            #expect(orphans.map(\.id) == [4, 5])
            #expect(orphans.map(\.attempts) == [1, 3])
            #expect(orphans.map(\.ambiguities) == [0, 1])
            let report = AttemptReport(.ambiguous, code: "restart", reply: "cut off")
            _ = try await store.finishAttempts(
                orphans.map {
                    FinishedAttempt(
                        id: $0.id, report: report,
                        verdict: Verdict(.ambiguous, due: Moment(milliseconds: 300), reason: "cut"))
                }, now: Moment(milliseconds: 250)
            ) { _ in { $0.unrevised } }
            let due = try await store.dueDeliveries(through: Moment(milliseconds: 400), limit: 9)
            #expect(due.map(\.id) == [4, 5])
            // The worker of the old version has no work left, and is removed.
            _ = try await store.takeOnWorker(named: "new", now: Moment(milliseconds: 400))
            let workers = try await store.read { db in
                try String.fetchAll(db, sql: "SELECT name FROM worker")
            }
            #expect(workers == ["new"])
            #expect(try await store.ledgerFaults(limit: 9) == [])
            try store.close()
        }
    }

    @Test func `Birthdays of earlier cards are found by the day`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let queue = try DatabaseQueue(path: path)
            try Migrations.migrator.migrate(queue, upTo: "046 default hours")
            try await queue.write { db in
                for (place, birthday) in [
                    "BDAY:19900412", "BDAY:--0412", "BDAY:1990", "BDAY:abcd0412", "BDAY:-",
                    "NOTE:\\nBDAY:19900412",
                ].enumerated() {
                    let id = String(repeating: "\(place)", count: 16)
                    try db.execute(
                        sql: "INSERT INTO person (id, name, created_at) VALUES (?, 'P', 0)",
                        arguments: [id])
                    let card = [
                        "BEGIN:VCARD", "VERSION:4.0", "FN:P\(place)", birthday, "END:VCARD",
                    ]
                    try db.execute(
                        sql: """
                            INSERT INTO contact (owner_id, person_id, sort_key, card)
                            VALUES ('0000000000000000', ?, ?, ?)
                            """,
                        arguments: [
                            id, "p\(place)", card.joined(separator: "\r\n") + "\r\n",
                        ])
                }
            }
            try queue.close()
            let store = try Store(path: path)
            let owner = PersonID(text: "0000000000000000")
            let date = try CivilDate(year: 2027, month: 4, day: 12)
            let found = try await store.birthdays(of: owner, on: date, limit: 9)
            #expect(found.map(\.card.formattedName) == ["P0", "P1"])
            #expect(try await store.birthdays(of: owner, limit: 9).count == 2)
            try store.close()
        }
    }

    @Test func `A backup with schema 2 is restored with all its deliveries`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let before = try await Self.makeSecond(folder + "/old.backup")
            let restored = try Store.restore(
                path, from: folder + "/old.backup", now: Moment(milliseconds: 545))
            // The waiting deliveries that are due by then, and those that were being sent.
            #expect(restored.dueDeliveries == 5)
            #expect(restored.contents.deliveries == 12)
            let store = try Store(path: path)
            #expect(try await store.read { try Story(after: $0) } == before)
            try store.close()
        }
    }
}
