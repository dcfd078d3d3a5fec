extension Migrations {
    /// Imported calendar objects with their complete text. Properties that became part of a meeting
    /// come from the meeting on export; the rest of the text is exported unchanged.
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
