extension Migrations {
    /// Calendars with people's busy times. Only the times are stored: as text, so that they can be
    /// expanded further, and as spans of milliseconds since 1970, expanded up to a moment. Also
    /// whether an imported meeting takes its owner's time.
    static let busyTimes024 = """
        CREATE TABLE busy_calendar (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            owner_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            url TEXT NOT NULL DEFAULT '',
            file TEXT NOT NULL DEFAULT '',
            etag TEXT NOT NULL DEFAULT '',
            last_modified TEXT NOT NULL DEFAULT '',
            times TEXT NOT NULL,
            spans BLOB NOT NULL,
            laid_out_until INTEGER NOT NULL,
            read_at INTEGER NOT NULL,
            tried_at INTEGER NOT NULL,
            failure TEXT NOT NULL DEFAULT '',
            CHECK ((url = '') <> (file = ''))
        ) STRICT;
        CREATE INDEX busy_calendar_by_person ON busy_calendar (person_id);
        CREATE INDEX busy_calendar_by_owner ON busy_calendar (owner_id);

        ALTER TABLE calendar_object ADD COLUMN takes_time INTEGER NOT NULL DEFAULT 1
            CHECK (takes_time IN (0, 1));

        CREATE TRIGGER calendar_mark_busy_calendar_insert AFTER INSERT ON busy_calendar BEGIN
            UPDATE calendar_mark SET mark = mark + 1;
        END;
        CREATE TRIGGER calendar_mark_busy_calendar_update
        AFTER UPDATE OF spans, person_id ON busy_calendar BEGIN
            UPDATE calendar_mark SET mark = mark + 1;
        END;
        CREATE TRIGGER calendar_mark_busy_calendar_delete AFTER DELETE ON busy_calendar BEGIN
            UPDATE calendar_mark SET mark = mark + 1;
        END;
        """
}
