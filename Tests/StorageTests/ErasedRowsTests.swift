import Agenda
import GRDB
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// The rows that are left of an erased person: Anna, with an earlier person who was merged into
/// her. Ben stays. All of them took part in a lunch that is over, and each has a row in every table
/// that refers to people.
@Suite struct ErasedRowsTests {
    private static let now = Moment(seconds: 1_000_000)
    private static let anna = id("a")
    private static let ben = id("b")
    private static let merged = id("c")
    private static let owner = id("o")

    /// The tables that keep the rows of an erased person: past meetings, the deliveries about them,
    /// and the log of access.
    private static let kept: Set = ["participant", "answer", "snooze", "delivery", "access_act"]

    private static func id(_ letter: String) -> String { String(repeating: letter, count: 16) }

    /// Statements with the mark that they need to run on no other engine.
    private static func marked(_ sql: String) -> String {
        sql.replacing("INSERT INTO", with: "/* SQLite */ INSERT INTO")
    }

    private static let meeting = """
        INSERT INTO person (id, name, created_at) VALUES ('\(owner)', 'Olga Owner', 0);
        INSERT INTO circle (id, owner_id, name, folded)
        VALUES ('choir', '\(owner)', 'Choir', 'choir');
        INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone, duration,
            starts_at, ends_at, status, revision, sequence, reminders, created_at)
        VALUES ('mmmmmmmmmmmmmmmm', 'u', '\(owner)', 'Lunch', '', '', '1970-01-01T02:00:00',
            'Europe/Helsinki', 'PT1H', 2, 3, 'confirmed', 1, 0, '[]', 0);
        """

    /// A person, and a row of theirs in every table that refers to people.
    private static func person(_ letter: String, _ name: String, into other: String? = nil)
        -> String
    {
        let id = Self.id(letter)
        let redirect = other.map { "'\($0)'" } ?? "NULL"
        return """
            INSERT INTO person (id, name, zone, language, merged_into, created_at)
            VALUES ('\(id)', '\(name)', 'Asia/Tokyo', 'de', \(redirect), 0);
            INSERT INTO person_address (person_id, folded, address, position)
            VALUES ('\(id)', '\(letter)@example.org', '\(letter)@example.org', 0);
            INSERT INTO known_as (person_id, kind, text) VALUES ('\(id)', 'name', 'Old \(name)');
            \(contact(letter, name))
            INSERT INTO circle_member (circle_id, person_id) VALUES ('choir', '\(id)');
            INSERT INTO circle_leaver (circle_id, person_id) VALUES ('choir', '\(id)');
            INSERT INTO reminder_policy (person_id, offsets) VALUES ('\(id)', '[]');
            INSERT INTO sending_hours (person_id, quiet, windows) VALUES ('\(id)', '[]', '[]');
            INSERT INTO digest_policy (person_id, period) VALUES ('\(id)', 'weekly');
            \(invitation(letter))
            INSERT INTO channel
                (name, sink, person_id, url, target, secret, kinds, added_at)
            VALUES ('\(letter)', 'slack', '\(id)', '', '', '', '[]', 0);
            \(calendars(letter))
            \(access(letter))
            INSERT INTO ignored_mail
                (id, read_at, sender, subject, reason, is_answer, is_date_open, person_id)
            VALUES ('\(letter)', 0, 's', 's', 'r', 1, 0, '\(id)');
            INSERT INTO task (id, person_id, kind, subject, queued_at)
            VALUES ('\(id)', '\(id)', 'import', 'people.vcf', 0);
            INSERT INTO seat_request
                (meeting_id, occurrence, person_id, plus, note, asked, is_refused, at)
            VALUES ('mmmmmmmmmmmmmmmm', '', '\(id)', 0, '\(name)', 1, 0, 0);
            """
    }

    /// A person's contact, as an import made it.
    private static func contact(_ letter: String, _ name: String) -> String {
        let id = Self.id(letter)
        return """
            INSERT INTO contact (number, owner_id, person_id, uid, sort_key, card)
            VALUES (unicode('\(letter)'), '\(owner)', '\(id)', '\(letter)', '\(letter)',
                'BEGIN:VCARD' || char(13, 10) || 'VERSION:4.0' || char(13, 10)
                || 'FN:\(name)' || char(13, 10) || 'END:VCARD' || char(13, 10));
            INSERT INTO contact_key (owner_id, key, rank, contact_number)
            VALUES ('\(owner)', '\(letter)', 0, unicode('\(letter)'));
            INSERT INTO contact_alias (owner_id, uid, contact_number)
            VALUES ('\(owner)', '\(letter)2', unicode('\(letter)'));
            INSERT INTO card_source (owner_id, uid, contact_number, digest)
            VALUES ('\(owner)', '\(letter)', unicode('\(letter)'), 'd');
            INSERT INTO contact_text (rowid, name) VALUES (unicode('\(letter)'), '\(name)');
            INSERT INTO contact_import (id, owner_id, made_at) VALUES ('\(id)', '\(owner)', 0);
            INSERT INTO imported_contact
                (import_id, contact_number, sources, digest, is_new_person, is_joined)
            VALUES ('\(id)', unicode('\(letter)'), '{}', 'd', 1, 0);
            INSERT INTO imported_member (import_id, circle_id, person_id)
            VALUES ('\(id)', 'choir', '\(id)');
            """
    }

    /// A person's part of the lunch.
    private static func invitation(_ letter: String) -> String {
        let id = Self.id(letter)
        func long(_ digit: Int) -> String {
            String(repeating: letter, count: 63) + "\(digit)"
        }
        return """
            INSERT INTO participant (meeting_id, person_id, position)
            VALUES ('mmmmmmmmmmmmmmmm', '\(id)', unicode('\(letter)'));
            INSERT INTO answer (meeting_id, person_id, answer, note, reply_mail, answered_at)
            VALUES ('mmmmmmmmmmmmmmmm', '\(id)', 'going', 'By bike', 'r', 0);
            INSERT INTO snooze (meeting_id, person_id, starts_at, due)
            VALUES ('mmmmmmmmmmmmmmmm', '\(id)', 2, 1);
            INSERT INTO delivery (key, meeting_id, person_id, kind, mark, channel, address, due,
                deadline)
            VALUES ('\(String(repeating: letter, count: 26))', 'mmmmmmmmmmmmmmmm', '\(id)',
                'invitation', '1', 'mail', '\(letter)@example.org', 1, 2);
            INSERT INTO access_link
                (token_hash, person_id, meeting_id, purpose, number, made_at, revoked_at)
            VALUES ('\(long(1))', '\(id)', 'mmmmmmmmmmmmmmmm', 'guest', 1, 0, NULL),
                ('\(long(2))', '\(id)', NULL, 'reminders', 1, 0, NULL),
                ('\(long(3))', '\(id)', NULL, 'digests', 1, 0, 1);
            """
    }

    /// A feed and a calendar about a person, and another feed and calendar that they added.
    private static func calendars(_ letter: String) -> String {
        let pairs = [(owner, id(letter)), (id(letter), owner)]
        return pairs.enumerated().map { place, pair in
            let name = String(repeating: letter, count: 15) + "\(place)"
            let hash = String(repeating: letter, count: 63) + "\(place)"
            return """
                INSERT INTO feed (id, owner_id, person_id, token_hash, has_alarms, is_busy_only,
                    made_at)
                VALUES ('\(name)', '\(pair.0)', '\(pair.1)', '\(hash)', 0, 0, 0);
                INSERT INTO busy_calendar (id, owner_id, person_id, url, times, spans,
                    laid_out_until, read_at, tried_at)
                VALUES ('\(name)', '\(pair.0)', '\(pair.1)', 'https://example.org', '', x'', 0, 0,
                    0);
                """
        }.joined(separator: "\n")
    }

    /// A person's account, and everything that belongs to it.
    private static func access(_ letter: String) -> String {
        let (id, hash) = (Self.id(letter), String(repeating: letter, count: 64))
        return """
            INSERT INTO account (person_id, role, made_at) VALUES ('\(id)', 'member', 0);
            INSERT INTO session (hash, id, person_id, device, made_at, seen_at, confirmed_at)
            VALUES ('\(hash)', '\(letter)', '\(id)', 'Firefox', 0, 0, 0);
            INSERT INTO sign_in_ticket (hash, person_id, kind, expires_at)
            VALUES ('\(hash)', '\(id)', 'opened', 0);
            INSERT INTO address_request (person_id, folded, address, hash, asked_at, expires_at)
            VALUES ('\(id)', '\(letter)@c', '\(letter)@c', '\(hash)', 0, 0);
            INSERT INTO passkey
                (id, person_id, name, algorithm, public_key, counter, made_at, used_at)
            VALUES ('\(letter)', '\(id)', 'Phone', -7, x'00', 0, 0, 0);
            INSERT INTO draft (person_id, fields, changed_at) VALUES ('\(id)', '{}', 0);
            INSERT INTO peck
                (key, person_id, meeting_id, occurrence, kind, mark, title, shown_at)
            VALUES ('\(String(repeating: letter, count: 26))', '\(id)', 'mmmmmmmmmmmmmmmm', '',
                'change', '1', 'Lunch', 0);
            INSERT INTO peck_muted_kind (person_id, kind) VALUES ('\(id)', 'nudge');
            INSERT INTO account (person_id, role, made_at) VALUES ('\(owner)', 'owner', 0)
            ON CONFLICT DO NOTHING;
            INSERT INTO follow (follower_id, followed_id, is_accepted, asked_at, accepted_at)
            VALUES ('\(id)', '\(owner)', 1, 0, 0);
            INSERT INTO follow (follower_id, followed_id, is_accepted, asked_at)
            VALUES ('\(owner)', '\(id)', 0, 0);
            INSERT INTO block (blocker_id, blocked_id, at) VALUES ('\(owner)', '\(id)', 0);
            INSERT INTO access_act (at, person_id, act, detail)
            VALUES (0, '\(id)', 'signed_in', 'Firefox');
            """
    }

    private func withPeople(_ body: (Store) async throws -> Void) async throws {
        try await withTemporaryStore { store in
            try await store.write { db in
                for sql in [
                    Self.meeting, Self.person("a", "Anna Alder"), Self.person("b", "Ben Birch"),
                    Self.person("c", "Cleo Cedar", into: Self.anna),
                ] {
                    try db.execute(sql: Self.marked(sql))
                }
            }
            try await body(store)
        }
    }

    /// The number of rows with an id in a column, for each table that has this column.
    private func counts(
        of id: String, in column: String, _ store: Store
    ) async throws -> [String: Int] {
        try await store.read { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c
                    WHERE t.type = 'table' AND c.name = :column
                    """, arguments: ["column": column])
            var counts: [String: Int] = [:]
            for table in tables {
                counts[table] = try Int.fetchOne(
                    db, sql: "/* SQLite */ SELECT count(*) FROM \(table) WHERE \(column) = :id",
                    arguments: ["id": id])
            }
            return counts
        }
    }

    private func strings(_ sql: String, _ store: Store) async throws -> [String] {
        try await store.read { db in try String.fetchAll(db, sql: "/* SQLite */ \(sql)") }
    }

    @Test func `Every table of belongings loses the rows of an erased person, and of no other`()
        async throws
    {
        try await withPeople { store in
            for id in [Self.anna, Self.merged, Self.ben] {
                let counts = try await counts(of: id, in: "person_id", store)
                #expect(counts.count > 20 && !counts.values.contains(0))
            }
            // Open pages of Ben are told of what changed.
            func countsOfBen() async throws -> [String: Int] {
                try await counts(of: Self.ben, in: "person_id", store)
                    .filter { $0.key != "account_mark" }
            }
            let ben: [String: Int] = try await countsOfBen()
            _ = try await store.erase(PersonID(text: Self.anna), now: Self.now)
            for id in [Self.anna, Self.merged] {
                let left = try await counts(of: id, in: "person_id", store)
                #expect(Set(left.filter { $0.value > 0 }.keys) == Self.kept, "\(id)")
            }
            #expect(try await countsOfBen() == ben)
        }
    }

    @Test func `The follows of an erased person end, and nobody blocks them any more`() async throws
    {
        try await withPeople { store in
            _ = try await store.erase(PersonID(text: Self.anna), now: Self.now)
            let pairs = try await strings(
                "SELECT follower_id || followed_id FROM follow ORDER BY 1", store)
            #expect(pairs == [Self.ben + Self.owner, Self.owner + Self.ben])
            #expect(try await strings("SELECT blocked_id FROM block", store) == [Self.ben])
        }
    }

    @Test func `Nothing of an erased person's contact, and no calendar that they added, is left`()
        async throws
    {
        try await withPeople { store in
            let tables = ["contact_key", "contact_alias", "card_source", "imported_contact"]
            for table in tables {
                let all = try await strings("SELECT char(contact_number) FROM \(table)", store)
                #expect(all.sorted() == ["a", "b", "c"], "\(table)")
            }
            _ = try await store.erase(PersonID(text: Self.anna), now: Self.now)
            for table in tables {
                let left = try await strings("SELECT char(contact_number) FROM \(table)", store)
                #expect(left == ["b"], "\(table)")
            }
            #expect(try await strings("SELECT name FROM contact_text", store) == ["Ben Birch"])
            for table in ["feed", "busy_calendar"] {
                let owners = try await strings("SELECT owner_id FROM \(table)", store)
                #expect(Set(owners) == [Self.owner, Self.ben] && owners.count == 2, "\(table)")
            }
        }
    }

    @Test func `The rows that stay of an erased person say nothing about them`() async throws {
        try await withPeople { store in
            _ = try await store.erase(PersonID(text: Self.anna), now: Self.now)
            let pseudonym = Store.pseudonym(of: PersonID(text: Self.anna))
            let people = try await strings(
                """
                SELECT name || coalesce(zone, '') || coalesce(language, '') || is_erased
                FROM person WHERE id IN ('\(Self.anna)', '\(Self.merged)')
                """, store)
            #expect(people == [pseudonym + "1", pseudonym + "1"])
            let gone = "person_id IN ('\(Self.anna)', '\(Self.merged)')"
            #expect(
                try await strings(
                    "SELECT note || coalesce(reply_mail, '') FROM answer WHERE \(gone)", store)
                    == ["", ""])
            #expect(
                try await strings("SELECT detail FROM access_act WHERE \(gone)", store)
                    == ["", ""])
            let sent = "\(pseudonym) suppressed \(Store.erasureReason)"
            #expect(
                try await strings(
                    """
                    SELECT address || ' ' || state || ' ' || reason FROM delivery WHERE \(gone)
                    """, store) == [sent, sent])
            #expect(
                try await strings(
                    "SELECT note || reply_mail FROM answer WHERE NOT \(gone)", store)
                    == ["By biker"])
        }
    }

    @Test func `Merges of contacts of a deleted account can no longer be taken back`() async throws
    {
        try await withPeople { store in
            try await store.write { db in
                for book in [Self.anna, Self.ben] {
                    try db.execute(
                        sql: """
                            INSERT INTO person_merge (kept_id, other_id, merged_at, changes)
                            VALUES (:owner, :owner, 0, :changes)
                            """,
                        arguments: [
                            "owner": Self.owner, "changes": #"{"cards":[{"owner":"\#(book)"}]}"#,
                        ])
                }
            }
            try await store.closeAccount(of: PersonID(text: Self.anna), now: Self.now)
            let left = try await strings("SELECT changes FROM person_merge", store)
            #expect(left.count == 1 && left.first?.contains(Self.ben) == true)
        }
    }

    @Test func `Deleting an account removes what belongs to it, and leaves the person to others`()
        async throws
    {
        try await withPeople { store in
            try await store.closeAccount(of: PersonID(text: Self.anna), now: Self.now)
            let gone: Set = [
                "account", "session", "passkey", "draft", "sign_in_ticket", "address_request",
                "task", "channel", "busy_calendar", "digest_policy",
            ]
            for id in [Self.anna, Self.merged] {
                let left = try await counts(of: id, in: "person_id", store)
                #expect(gone.filter { left[$0] != 0 } == [], "\(id)")
                #expect(left["contact"] == 1 && left["participant"] == 1)
                let owned = try await counts(of: id, in: "owner_id", store)
                #expect(owned.values.allSatisfy { $0 == 0 }, "\(id)")
            }
            let bens = try await counts(of: Self.ben, in: "person_id", store)
            #expect(gone.filter { bens[$0] == 0 } == [])
        }
    }
}
