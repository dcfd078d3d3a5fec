extension Migrations {
    /// Calendars that programs read again and again by private addresses, which the store knows by
    /// their hashes alone; and a number that rises whenever something changes that they may show:
    /// while it is the same, so are they.
    static let feeds023 = """
        CREATE TABLE feed (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            owner_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            person_id TEXT REFERENCES person ON DELETE CASCADE,
            circle_id TEXT REFERENCES circle ON DELETE CASCADE,
            token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
            has_alarms INTEGER NOT NULL CHECK (has_alarms IN (0, 1)),
            made_at INTEGER NOT NULL,
            CHECK ((person_id IS NULL) <> (circle_id IS NULL))
        ) STRICT;
        CREATE INDEX feed_by_owner ON feed (owner_id);
        CREATE INDEX feed_by_person ON feed (person_id) WHERE person_id IS NOT NULL;
        CREATE INDEX feed_by_circle ON feed (circle_id) WHERE circle_id IS NOT NULL;

        CREATE TABLE calendar_mark (
            id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
            mark INTEGER NOT NULL
        ) STRICT;
        INSERT INTO calendar_mark (id, mark) VALUES (1, 0);
        \(marks)
        """

    /// Planning reminders on, and what is noted for the ledger, changes nothing that is shown.
    private static let marks =
        [
            "meeting": [
                "INSERT", "DELETE",
                """
                UPDATE OF uid, organizer_id, title, note, link, place_text, place_latitude,
                place_longitude, start_wall, zone, duration, starts_at, ends_at, repetition,
                status, sequence, reminders, first_ends_at
                """,
            ],
            "meeting_override": ["INSERT", "DELETE", "UPDATE"],
            "answer": ["INSERT", "DELETE", "UPDATE OF answer, is_removed"],
            "participant": ["DELETE", "UPDATE"],
            "meeting_circle": ["INSERT", "DELETE"],
            "reminder_policy": ["INSERT", "DELETE", "UPDATE"],
            "person": ["UPDATE OF name, merged_into"],
        ]
        .sorted { $0.key < $1.key }
        .flatMap { table, deeds in
            deeds.map { deed in
                let name = deed.prefix { $0 != " " }.lowercased()
                return """
                    CREATE TRIGGER calendar_mark_\(table)_\(name) AFTER \(deed) ON \(table) BEGIN
                        UPDATE calendar_mark SET mark = mark + 1;
                    END;
                    """
            }
        }
        .joined(separator: "\n")
}
