extension Migrations {
    /// The last news of each meeting that is or was open, for feeds: one row for its life until its
    /// end, and one for its end. `at` of the second is the end, so that the row is news only from
    /// then on. `is_public` repeats the audience of the meeting. Accounts have the time up to which
    /// they have seen their feed.
    static let openNews075 = """
        CREATE TABLE open_news (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            is_end INTEGER NOT NULL CHECK (is_end IN (0, 1)),
            organizer_id TEXT NOT NULL REFERENCES person,
            kind TEXT NOT NULL CHECK (
                kind = 'new' OR kind = 'moved' OR kind = 'full' OR kind = 'over'),
            at INTEGER NOT NULL,
            is_public INTEGER NOT NULL CHECK (is_public IN (0, 1)),
            PRIMARY KEY (meeting_id, is_end)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX open_news_by_organizer ON open_news (organizer_id, at, meeting_id);
        CREATE INDEX open_news_public ON open_news (at, meeting_id) WHERE is_public = 1;
        CREATE INDEX meeting_open_by_start ON meeting (audience, starts_at, id)
            WHERE audience IS NOT NULL AND repetition IS NULL;
        CREATE INDEX meeting_open_series ON meeting (audience, ends_at)
            WHERE audience IS NOT NULL AND repetition IS NOT NULL;
        CREATE INDEX meeting_open_next ON meeting (organizer_id, starts_at, id)
            WHERE audience IS NOT NULL AND repetition IS NULL;
        CREATE INDEX meeting_open_series_of ON meeting (organizer_id, ends_at)
            WHERE audience IS NOT NULL AND repetition IS NOT NULL;
        ALTER TABLE account ADD COLUMN feed_seen_at INTEGER;
        """
}
