extension Migrations {
    /// Digests of the facts after each act, to find that a change was taken back. Entries from
    /// before have none.
    static let factsDigests053 = """
        ALTER TABLE meeting_history ADD COLUMN whole_digest TEXT;
        ALTER TABLE meeting_history ADD COLUMN facts_digest TEXT;
        ALTER TABLE meeting_history ADD COLUMN is_announced INTEGER NOT NULL DEFAULT 0
            CHECK (is_announced IN (0, 1));
        ALTER TABLE meeting_history ADD COLUMN tells_texts INTEGER NOT NULL DEFAULT 0
            CHECK (tells_texts IN (0, 1));
        """
}
