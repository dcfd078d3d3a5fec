import Agenda
import GRDB
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// The changes that open pages hear of: each account only of those that it may see.
@Suite struct AccountChangesTests {
    private static let anna = id("a")
    private static let ben = id("b")
    private static let cleo = id("c")
    private static let meeting = id("m")

    private static func id(_ letter: String) -> String { String(repeating: letter, count: 16) }

    /// Anna and Ben have accounts, and Cleo has none. Anna has a card of Cleo, and organizes a
    /// lunch with Ben.
    private static let people =
        [("a", "Anna"), ("b", "Ben"), ("c", "Cleo")].map { letter, name in
            "INSERT INTO person (id, name, created_at) VALUES ('\(id(letter))', '\(name)', 0);"
        }.joined() + """
            INSERT INTO account (person_id, role, made_at)
            VALUES ('\(anna)', 'owner', 0), ('\(ben)', 'member', 0);
            INSERT INTO contact (number, owner_id, person_id, sort_key, card)
            VALUES (1, '\(anna)', '\(cleo)', 'cleo', 'BEGIN:VCARD');
            INSERT INTO circle (id, owner_id, name, folded)
            VALUES ('choir', '\(anna)', 'Choir', 'choir');
            INSERT INTO channel (name, sink, person_id, circle_id, url, target, secret, kinds,
                added_at)
            VALUES ('b', 'slack', '\(ben)', NULL, '', '', '', '[]', 0),
                ('c', 'slack', NULL, 'choir', '', '', '', '[]', 0);
            INSERT INTO person_address (person_id, folded, address, position)
            VALUES ('\(cleo)', 'c@e.org', 'c@e.org', 0);
            INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone,
                duration, starts_at, ends_at, status, revision, sequence, reminders, created_at)
            VALUES ('\(meeting)', 'u', '\(anna)', 'Lunch', '', '', '1970-01-01T02:00:00',
                'Europe/Helsinki', 'PT1H', 2, 3, 'confirmed', 1, 0, '[]', 0);
            INSERT INTO participant (meeting_id, person_id, position)
            VALUES ('\(meeting)', '\(ben)', 0), ('\(meeting)', '\(cleo)', 1);
            INSERT INTO answer (meeting_id, occurrence, person_id, answer, answered_at)
            VALUES ('\(meeting)', '', '\(cleo)', 'going', 0);
            INSERT INTO delivery (id, key, meeting_id, person_id, kind, mark, channel, address, due,
                deadline, state)
            VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaaaa', '\(meeting)', '\(cleo)', 'invitation', '',
                'mail', 'cleo@example.org', 1, 2, 'planned');
            """

    /// Statements with the mark that they need to run on no other engine.
    private static func marked(_ sql: String) -> String {
        sql.replacing("INSERT INTO", with: "/* SQLite */ INSERT INTO")
    }

    /// The changes that accounts hear of after some statements, such as `Anna people`.
    private func heard(_ sql: String) async throws -> [String] {
        try await withTemporaryStore { store in
            try await store.write { try $0.execute(sql: Self.marked(Self.people)) }
            let mark = try await store.changeMark()
            try await store.write { try $0.execute(sql: Self.marked(sql)) }
            let changes = try await store.changes(after: mark, limit: 100)
            #expect(changes.mark.exceeds(mark))
            let names = [Self.anna: "Anna", Self.ben: "Ben", Self.cleo: "Cleo"]
            return changes.changes.map { "\(names[$0.person.text] ?? "?") \($0.topic)" }.sorted()
        }
    }

    @Test(arguments: [
        ("UPDATE contact SET sort_key = 'x'", ["Anna people"]),
        ("DELETE FROM contact", ["Anna people"]),
        ("UPDATE person SET name = 'Cleopatra' WHERE id = '\(cleo)'", ["Anna people"]),
        ("UPDATE person SET name = 'Benjamin' WHERE id = '\(ben)'", ["Ben me"]),
        ("UPDATE person SET zone = 'Asia/Tokyo' WHERE id = '\(cleo)'", ["Anna people"]),
        ("UPDATE person_address SET is_verified = 1", ["Anna people"]),
        ("DELETE FROM person_address", ["Anna people"]),
        ("UPDATE channel SET is_paused = 1", ["Anna circles", "Ben me"]),
        ("UPDATE account SET language = 'de' WHERE person_id = '\(ben)'", ["Ben me"]),
        (
            "INSERT INTO circle_member (circle_id, person_id) VALUES ('choir', '\(ben)')",
            ["Anna circles"]
        ),
        ("UPDATE circle SET name = 'Band', folded = 'band'", ["Anna circles"]),
        (
            """
            INSERT INTO saved_place (id, owner_id, name, folded)
            VALUES ('p', '\(ben)', 'Home', 'home')
            """, ["Ben places"]
        ),
        (
            "INSERT INTO dataset (name, attribution, loaded_at) VALUES ('Turku', '', 0)",
            ["Anna places", "Ben places"]
        ),
    ])
    func `The books and settings of an account are told to it alone`(
        _ sql: String, _ told: [String]
    ) async throws {
        let seen: [String] = try await heard(sql)
        #expect(seen == told)
    }

    @Test(arguments: [
        ("UPDATE meeting SET title = 'Dinner'", ["Anna", "Ben"]),
        ("UPDATE answer SET note = 'With cake'", ["Anna", "Ben"]),
        ("UPDATE delivery SET state = 'parked'", ["Anna"]),
        ("DELETE FROM participant WHERE person_id = '\(ben)'", ["Anna", "Ben"]),
        (
            "UPDATE meeting SET title = 'x'; "
                + "UPDATE account SET is_enabled = 0 WHERE role = 'member'",
            ["Anna"]
        ),
    ])
    func `A meeting is told to its people with accounts, what was sent to its organizer`(
        _ sql: String, _ persons: [String]
    ) async throws {
        let seen: [String] = try await heard(sql)
        #expect(seen == persons.map { "\($0) m/\(Self.meeting)" })
    }

    @Test func `A row that is saved unchanged is told to nobody`() async throws {
        try await withTemporaryStore { store in
            try await store.write { try $0.execute(sql: Self.marked(Self.people)) }
            let mark = try await store.changeMark()
            try await store.write { db in
                try db.execute(
                    sql: """
                        UPDATE person SET name = name, zone = zone, language = language;
                        UPDATE person_address SET position = position;
                        UPDATE channel SET is_paused = is_paused
                        """)
            }
            let after: ChangeMark = try await store.changeMark()
            #expect(after.others == mark.others)
        }
    }

    @Test func `A disabled account hears that its sessions have ended, and nothing else`()
        async throws
    {
        let seen: [String] = try await heard(
            """
            INSERT INTO session (hash, id, person_id, device, made_at, seen_at, confirmed_at)
            VALUES ('\(String(repeating: "0", count: 64))', 's', '\(Self.ben)', '', 0, 0, 0);
            UPDATE account SET is_enabled = 0 WHERE role = 'member';
            UPDATE person SET name = 'Benjamin' WHERE id = '\(Self.ben)';
            DELETE FROM session;
            """)
        #expect(seen == ["Ben sessions"])
    }

    @Test func `Outcomes of deliveries are told to the organizer once`() async throws {
        try await withTemporaryStore { store in
            try await store.write { try $0.execute(sql: Self.marked(Self.people)) }
            let mark = try await store.changeMark()
            let attempts = [1, 99].map {
                FinishedAttempt(
                    id: $0, report: AttemptReport(.accepted), verdict: Verdict(.accepted))
            }
            _ = try await store.finishAttempts(attempts, now: Moment(seconds: 9)) { _ in
                { $0.unrevised }
            }
            let changes = try await store.changes(after: mark, limit: 100)
            let told = AccountChanges.Change(
                topic: ChangeTopic.meeting(MeetingID(text: Self.meeting)),
                person: PersonID(text: Self.anna))
            #expect(changes.changes == [told])
            #expect(changes.mark == ChangeMark(meetings: mark.meetings, others: mark.others + 1))
        }
    }

    @Test func `A person hears nothing of the changes of others`() async throws {
        try await withTemporaryStore { store in
            let mark = try await store.changeMark()
            try await store.write { try $0.execute(sql: Self.marked(Self.people)) }
            let own = try await store.changes(
                after: mark, for: PersonID(text: Self.ben), limit: 100)
            #expect(Set(own.changes.map(\.person.text)) == [Self.ben])
            #expect(own.changes.map(\.topic) == ["m/\(Self.meeting)", "me"])
            let few = try await store.changes(after: mark, limit: 1)
            #expect(few.areTooMany && few.changes.isEmpty && few.mark == own.mark)
        }
    }

    @Test func `A mark is read as it was written, and other texts are none`() {
        let mark = ChangeMark(meetings: 17, others: 5)
        #expect(mark.text == "17.5" && ChangeMark(text: "17.5") == mark)
        for text in ["", "17", "17.", ".5", "17.5.1", "-1.5", "a.b"] {
            #expect(ChangeMark(text: text) == nil, "\(text)")
        }
        #expect(mark.exceeds(ChangeMark(meetings: 17, others: 4)))
        #expect(mark.exceeds(ChangeMark(meetings: 16, others: 9)))
        #expect(!mark.exceeds(mark))
        #expect(
            mark.joined(with: ChangeMark(meetings: 3, others: 9))
                == ChangeMark(meetings: 17, others: 9))
    }
}
