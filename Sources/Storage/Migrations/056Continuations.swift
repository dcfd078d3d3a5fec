extension Migrations {
    /// The series of which a meeting contains the later dates, and the name after which its dates
    /// went there: answers to the old series name them still.
    static let continuations056 = """
        ALTER TABLE meeting ADD COLUMN continues_id TEXT REFERENCES meeting;
        ALTER TABLE meeting ADD COLUMN continues_after TEXT
            CHECK ((continues_id IS NULL) = (continues_after IS NULL));
        CREATE INDEX meeting_by_continued ON meeting (continues_id, continues_after)
            WHERE continues_id IS NOT NULL;
        """
}
