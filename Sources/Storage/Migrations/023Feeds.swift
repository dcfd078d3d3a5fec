extension Migrations {
    /// Calendar feeds that programs poll at private addresses, of which the store keeps only
    /// hashes. Also a number that rises whenever something in a feed may have changed: while it
    /// stays the same, so do the feeds. And the dates of series to which circles were invited.
    static let feeds023 = """
        CREATE TABLE feed (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            owner_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            person_id TEXT REFERENCES person ON DELETE CASCADE,
            circle_id TEXT REFERENCES circle ON DELETE CASCADE,
            token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
            has_alarms INTEGER NOT NULL CHECK (has_alarms IN (0, 1)),
            is_busy_only INTEGER NOT NULL CHECK (is_busy_only IN (0, 1)),
            made_at INTEGER NOT NULL,
            CHECK ((person_id IS NULL) <> (circle_id IS NULL))
        ) STRICT;
        CREATE INDEX feed_by_owner ON feed (owner_id);
        CREATE INDEX feed_by_person ON feed (person_id) WHERE person_id IS NOT NULL;
        CREATE INDEX feed_by_circle ON feed (circle_id) WHERE circle_id IS NOT NULL;

        CREATE TABLE circle_asking (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            circle_id TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
            occurrence TEXT NOT NULL,
            PRIMARY KEY (meeting_id, circle_id, occurrence)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX circle_asking_by_circle ON circle_asking (circle_id);
        /* SQLite */ INSERT INTO circle_asking (meeting_id, circle_id, occurrence)
            SELECT meeting_id, circle_id, '' FROM meeting_circle;

        CREATE TABLE calendar_mark (
            id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
            mark INTEGER NOT NULL
        ) STRICT;
        /* SQLite */ INSERT INTO calendar_mark (id, mark) VALUES (1, 0);
        CREATE TABLE meeting_mark (
            meeting_id TEXT PRIMARY KEY NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX meeting_mark_by_mark ON meeting_mark (mark);
        \(marks)
        """

    /// The changes that raise the number, and the meetings whose own number they raise: the meeting
    /// named by a column, or all meetings of a circle. Planning more reminders and recording ledger
    /// data change nothing in a feed.
    private static let sources: [(table: String, meeting: String?, deeds: [String])] = [
        (
            "meeting", "id",
            [
                "INSERT", "DELETE",
                """
                UPDATE OF uid, organizer_id, title, note, link, place_text, place_latitude,
                place_longitude, start_wall, zone, duration, starts_at, ends_at, repetition,
                status, sequence, reminders, first_ends_at
                """,
            ]
        ),
        ("meeting_override", "meeting_id", ["INSERT", "DELETE", "UPDATE"]),
        ("answer", "meeting_id", ["INSERT", "DELETE", "UPDATE OF answer, is_removed, person_id"]),
        ("participant", "meeting_id", ["INSERT", "DELETE", "UPDATE"]),
        ("meeting_circle", "meeting_id", ["INSERT", "DELETE"]),
        ("circle_asking", "meeting_id", ["INSERT", "DELETE"]),
        ("circle_member", "circle_id", ["INSERT", "DELETE", "UPDATE"]),
        ("reminder_policy", nil, ["INSERT", "DELETE", "UPDATE"]),
        ("person", nil, ["UPDATE OF name"]),
    ]

    private static let marks = sources.flatMap { source in
        source.deeds.map { deed in
            let name = deed.prefix { $0 != " " }
            let row = name == "DELETE" ? "OLD" : "NEW"
            let meeting = source.meeting.map { column in
                let id = column == "circle_id" ? "c.meeting_id" : "\(row).\(column)"
                let circle =
                    column == "circle_id"
                    ? "JOIN meeting_circle c ON c.circle_id = \(row).circle_id" : ""
                return """
                    INSERT INTO meeting_mark (meeting_id, mark)
                    SELECT \(id), m.mark FROM calendar_mark m \(circle) WHERE m.id = 1
                    ON CONFLICT (meeting_id) DO UPDATE SET mark = excluded.mark;
                    """
            }
            return """
                CREATE TRIGGER calendar_mark_\(source.table)_\(name.lowercased())
                AFTER \(deed) ON \(source.table) BEGIN
                    UPDATE calendar_mark SET mark = mark + 1;
                    \(meeting ?? "")
                END;
                """
        }
    }.joined(separator: "\n")
}
