extension Migrations {
    /// The meeting that continues a series which was split in two. The new meeting is inserted
    /// after the old one refers to it.
    static let seriesParts055 = """
        ALTER TABLE meeting ADD COLUMN continued_id TEXT
            REFERENCES meeting DEFERRABLE INITIALLY DEFERRED;
        CREATE INDEX meeting_by_continued ON meeting (continued_id)
            WHERE continued_id IS NOT NULL;
        """
}
