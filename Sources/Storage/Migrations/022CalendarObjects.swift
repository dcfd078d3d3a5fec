extension Migrations {
    /// What was read from calendar files, with all that stands there: of what a meeting is made the
    /// meeting says how it is now, and the rest of the text goes with it when it is written again.
    static let calendarObjects022 = """
        CREATE TABLE calendar_object (
            owner_id TEXT NOT NULL REFERENCES person,
            kind TEXT NOT NULL CHECK (kind <> ''),
            uid TEXT NOT NULL CHECK (uid <> ''),
            text TEXT NOT NULL CHECK (text <> ''),
            meeting_id TEXT REFERENCES meeting ON DELETE SET NULL,
            imported_at INTEGER NOT NULL,
            PRIMARY KEY (owner_id, kind, uid)
        ) STRICT;
        CREATE INDEX calendar_object_by_meeting ON calendar_object (meeting_id);
        """
}
