import GRDB
import Ledger
import TestKit
import Testing

@testable import Storage

@Suite struct SchemaTests {
    @Test func `The schema allows the same state changes as the code`() async throws {
        try await withTemporaryStore { store in
            let known = DeliveryState.allCases.flatMap { state in
                state.successors.map { [state.rawValue, $0.rawValue] }
            }
            let turns = try await store.read { db in
                try Row.fetchAll(db, sql: "SELECT before, after FROM legal_turn")
                    .map { [$0["before"], $0["after"]] as [String] }
            }
            #expect(Set(turns) == Set(known))
        }
    }

    /// Two persons, a meeting, and a planned delivery to one of them.
    private static let rows = """
        INSERT INTO person (id, name, created_at) VALUES ('aaaaaaaaaaaaaaaa', 'Anna', 0),
            ('bbbbbbbbbbbbbbbb', 'Ben', 0);
        INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone, duration,
            starts_at, ends_at, status, revision, sequence, reminders, created_at)
        VALUES ('mmmmmmmmmmmmmmmm', 'u', 'aaaaaaaaaaaaaaaa', 'Lunch', '', '',
            '2026-12-05T12:00:00', 'Europe/Helsinki', 'PT1H', 1, 2, 'confirmed', 1, 0, '[]', 0);
        INSERT INTO delivery (key, meeting_id, person_id, kind, mark, channel, address, due,
            deadline) VALUES ('kkkkkkkkkkkkkkkkkkkkkkkkkk', 'mmmmmmmmmmmmmmmm',
            'bbbbbbbbbbbbbbbb', 'invitation', '1', 'stdout', '', 1, 2);
        """

    @Test(arguments: [
        "UPDATE delivery SET state = 'accepted'",
        "UPDATE delivery SET state = 'wrong'",
        "UPDATE delivery SET person_id = NULL",
        "UPDATE delivery SET audience = 'installation'",
        "UPDATE delivery SET ambiguities = -1",
        "UPDATE delivery SET due = 'soon'",
        "UPDATE delivery SET kind = 'gossip'",
        "UPDATE delivery SET meeting_id = 'nowhere'",
        "INSERT INTO delivery (id, key, meeting_id, person_id, kind, mark, channel, address, due, "
            + "deadline) SELECT 9, key, meeting_id, person_id, kind, mark, channel, address, due, "
            + "deadline FROM delivery",
        "UPDATE delivery SET hold = 'mood', wanted = 1",
        "UPDATE meeting SET ends_at = starts_at",
        "UPDATE meeting SET title = ''",
        "UPDATE meeting SET revision = 0",
        "UPDATE meeting SET place_reference = 'osm:node/1'",
        "UPDATE meeting SET place_latitude = 91, place_longitude = 0, place_text = 'x'",
        "UPDATE meeting SET place_latitude = 60, place_text = 'x'",
        "UPDATE meeting SET reminders = 'soon'",
        "UPDATE person SET id = 'short'",
        "UPDATE person SET merged_into = id",
        "INSERT INTO person_address VALUES ('aaaaaaaaaaaaaaaa', 'a@b', 'a@b', 0, 1), "
            + "('bbbbbbbbbbbbbbbb', 'a@b', 'A@b', 0, 1)",
        "UPDATE delivery SET state = 'claimed'",
        "INSERT INTO intent VALUES (1, 9, 1, 1, 1)",
        "INSERT INTO worker VALUES (7, 'w', 0); INSERT INTO intent VALUES (1, 7, 0, 1, 1)",
        "INSERT INTO worker VALUES (7, 'w', 0); "
            + "INSERT INTO intent VALUES (1, 7, 1, 1, 1), (1, 7, 2, 1, 1)",
        "INSERT INTO outcome VALUES (1, 1, 'accepted', '', '', 'accepted', '', NULL)",
        "INSERT INTO worker VALUES (7, 'w', 0); INSERT INTO intent VALUES (1, 7, 1, 1, 1); "
            + "INSERT INTO outcome VALUES (1, 1, 'retry', '', '', 'accepted', '', NULL)",
        "INSERT INTO participant VALUES ('mmmmmmmmmmmmmmmm', 'nobody', 0)",
        "INSERT INTO answer (meeting_id, person_id, answer, answered_at) "
            + "VALUES ('mmmmmmmmmmmmmmmm', 'bbbbbbbbbbbbbbbb', 'going', 0)",
    ])
    func `The schema refuses inconsistent rows`(_ statement: String) async throws {
        try await withTemporaryStore { store in
            try await store.write { db in try db.execute(sql: Self.rows) }
            await #expect(throws: StoreError.self) {
                try await store.write { db in try db.execute(sql: statement) }
            }
        }
    }

    /// For a list of three, SQLite would fill a temporary table whenever a row is written.
    @Test func `Allowed words of a column are checked with comparisons, not with a list`()
        async throws
    {
        try await withTemporaryStore { store in
            let tables = try await store.read { db in
                try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table'")
            }
            let lists = tables.filter { $0.contains(#/CHECK \(\w+ IN\s*\('\w+',\s*'\w+',/#) }
            #expect(lists == [])
            let delivery = tables.first { $0.hasPrefix("CREATE TABLE delivery (") }
            #expect(
                delivery?.contains("(hold = 'hours' OR hold = 'flood' OR hold = 'list')") == true)
        }
    }

    @Test(arguments: [
        ("CHECK (a IN ('x', 'y'))", "CHECK (a IN ('x', 'y'))"),
        ("CHECK (a IN\n    ('x',\n 'y', 'z')),", "CHECK (a = 'x' OR a = 'y' OR a = 'z'),"),
        ("CHECK (a IN (0, 1))", "CHECK (a IN (0, 1))"),
        ("CHECK (b > 1 AND a IN ('x', 'y', 'z'))", "CHECK (b > 1 AND a IN ('x', 'y', 'z'))"),
    ])
    func `Only a list that is the whole constraint becomes comparisons`(_ list: (String, String)) {
        #expect(CheckLists.unrolled(list.0) == list.1)
    }

    @Test func `An unverified address may belong to several persons`() async throws {
        try await withTemporaryStore { store in
            try await store.write { db in
                try db.execute(sql: Self.rows)
                try db.execute(
                    sql: """
                        INSERT INTO person_address VALUES
                            ('aaaaaaaaaaaaaaaa', 'a@b', 'a@b', 0, 1),
                            ('bbbbbbbbbbbbbbbb', 'a@b', 'a@b', 0, 0)
                        """)
            }
        }
    }

    /// Text columns that an erasure leaves unchanged, by the reason why.
    private static let leftByErasing: [String: [String]] = [
        "made by this program": [
            "*.id", "*.*_id", "*.uid", "*.occurrence", "*.hold", "*.origin", "*.period",
            "suppression.channel", "open_breaker.channel", "open_breaker.destination",
            "*.start_wall", "*.zone", "*.duration",
            "*.status", "*.state", "*.act", "*.answer", "*.kind", "*.mark", "*.merged_into",
            "*.answered_by", "*.repetition", "meeting.reminders", "delivery.key", "peck.key",
            "delivery.channel", "delivery.audience", "legal_turn.before", "legal_turn.after",
            "attempt.outcome", "worker.name", "card_source.digest", "zone_rules.digest",
            "imported_contact.digest",
            "meeting_history.whole_digest", "meeting_history.facts_digest",
            "circle_source.name_digest", "circle_source.card_digest",
            "grdb_migrations.identifier", "access_link.purpose",
            "answer.proposal", "channel.sink", "channel.kinds", "channel_trouble.sink",
            "channel_trouble.outcome",
            "channel_trouble.closed_for",
        ],
        "folded before erasing": [
            "outcome.outcome", "outcome.code", "outcome.reply", "outcome.reason",
        ],
        "set up by the operator": [
            "cron_line.name", "cron_line.timing", "cron_run.job", "channel.name", "channel.url",
            "channel.secret", "channel.old_secret", "installation.sinks", "channel_trouble.name",
            "mail_folder.name",
        ],
        "updated by person id": ["person.name"],
        "deleted by person id": [
            "person.language", "person_address.folded", "person_address.address",
            "contact.sort_key", "contact.birthday", "contact.card", "contact.picture",
            "person_merge.changes", "card_source.card", "card_source.name",
            "imported_contact.card", "imported_contact.sources", "contact.photo",
            "imported_contact.old_picture", "imported_contact.old_photo",
            "imported_contact.new_picture",
            "contact_key.key", "reminder_policy.offsets", "known_as.text",
            "sending_hours.quiet", "sending_hours.windows", "circle_hours.quiet",
            "installation.quiet", "suppression.folded",
            "suppression.address", "access_link.token_hash", "feed.token_hash",
            "share_link.token_hash",
            "busy_calendar.url", "busy_calendar.file", "busy_calendar.etag",
            "busy_calendar.last_modified", "busy_calendar.times", "busy_calendar.failure",
            "busy_calendar.remarks",
            "account.role", "account.language", "account.password", "account.name",
            "account.area", "session.hash", "session.device", "sign_in_ticket.hash",
            "sign_in_ticket.code_hash",
            "sign_in_ticket.browser_hash", "sign_in_ticket.address", "passkey.name",
            "address_request.folded", "address_request.address", "address_request.hash",
            "access_act.detail", "draft.fields", "answer.reply_mail", "account_mark.topic",
        ],
        "rewritten together with their folded form": [
            "circle.name", "circle.folded", "saved_place.name", "saved_place.folded",
        ],
        "published by others": [
            "*.place_reference", "saved_place.reference", "dataset.attribution",
            "map.attribution",
            "catalogue_place.name", "catalogue_place.address", "catalogue_place.url",
            "catalogue_place.hours", "catalogue_category.label",
        ],
    ]

    @Test func `Erasing a person rewrites every text column that is not exempt`() async throws {
        try await withTemporaryStore { store in
            let columns = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT t.name || '.' || c.name FROM sqlite_master t
                        JOIN pragma_table_info(t.name) c
                        WHERE t.type = 'table' AND upper(c.type) = 'TEXT'
                        """)
            }
            let left = Set(Self.leftByErasing.values.joined())
            let rewritten = TextErasure.columns.map { "\($0.table).\($0.name)" }
            let unknown = columns.filter { column in
                let name = column.split(separator: ".").last.map(String.init) ?? ""
                let excuses = [column, "*.\(name)"] + (name.hasSuffix("_id") ? ["*.*_id"] : [])
                return !rewritten.contains(column) && left.isDisjoint(with: excuses)
            }
            #expect(columns.count > 90)
            #expect(unknown == [])
            #expect(rewritten.filter { !columns.contains($0) } == [])
            #expect(TextErasure.namedTables == ["circle", "saved_place"])
        }
    }

    @Test func `A manual change of the database is detected`() async throws {
        try await withTemporaryStore { store in
            try await store.write { db in
                try db.execute(sql: Self.rows)
                try db.execute(
                    sql: """
                        DROP TRIGGER delivery_turns_legally;
                        UPDATE delivery SET state = 'accepted'
                        """)
            }
            let faults = try await store.ledgerFaults(limit: 10)
            #expect(
                faults.map(\.rule) == [
                    "accepted or ambiguous without an attempt",
                    "no state change and no attempt explains the state",
                ])
        }
    }
}
