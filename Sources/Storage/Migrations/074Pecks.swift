extension Migrations {
    /// The inboxes of accounts. A row is one notification as its person sees it, named by the key
    /// of the delivery that brought it first. Its title is the one that was told: the person may
    /// not learn of later ones. Of earlier deliveries, nothing is unread.
    static let pecks074 = """
        CREATE TABLE peck (
            number INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE CHECK (length(key) = 26),
            person_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            meeting_id TEXT REFERENCES meeting ON DELETE CASCADE,
            occurrence TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind <> ''),
            mark TEXT NOT NULL,
            title TEXT NOT NULL,
            shown_at INTEGER NOT NULL,
            read_at INTEGER,
            snoozed_until INTEGER,
            UNIQUE (person_id, meeting_id, occurrence, kind, mark)
        ) STRICT;
        CREATE INDEX peck_by_time ON peck (person_id, shown_at, number);
        CREATE INDEX peck_unread ON peck (person_id, snoozed_until) WHERE read_at IS NULL;
        CREATE INDEX peck_by_meeting ON peck (meeting_id);
        CREATE UNIQUE INDEX peck_about_no_meeting ON peck (person_id, kind, mark)
            WHERE meeting_id IS NULL;
        CREATE TABLE peck_muted_kind (
            person_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind <> ''),
            PRIMARY KEY (person_id, kind)
        ) STRICT, WITHOUT ROWID;
        /* SQLite */ INSERT INTO peck (
            key, person_id, meeting_id, occurrence, kind, mark, title, shown_at, read_at)
        SELECT d.key, a.person_id, d.meeting_id, d.occurrence, d.kind, d.mark, m.title, d.due, d.due
        FROM account a
        JOIN person p ON p.id = a.person_id OR p.merged_into = a.person_id
        JOIN delivery d ON d.person_id = p.id
        JOIN meeting m ON m.id = d.meeting_id
        WHERE d.state IN ('accepted', 'ambiguous')
            AND d.kind IN ('invitation', 'change', 'cancellation', 'reminder', 'nudge', 'message',
                'answer', 'proposal', 'refusal')
        ORDER BY d.due, d.id
        ON CONFLICT DO NOTHING;
        """
}
