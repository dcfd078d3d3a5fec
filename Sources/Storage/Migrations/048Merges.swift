extension Migrations {
    /// Merges of two persons that can still be taken back: the rows and cards that they changed.
    static let merges048 = """
        CREATE TABLE person_merge (
            number INTEGER PRIMARY KEY,
            kept_id TEXT NOT NULL REFERENCES person,
            other_id TEXT NOT NULL REFERENCES person,
            merged_at INTEGER NOT NULL,
            changes TEXT NOT NULL CHECK (json_valid(changes))
        ) STRICT;
        CREATE INDEX person_merge_by_kept ON person_merge (kept_id, number);
        CREATE INDEX person_merge_by_time ON person_merge (merged_at);
        """
}
