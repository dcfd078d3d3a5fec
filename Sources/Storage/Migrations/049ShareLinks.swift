extension Migrations {
    /// Links with which anybody sees a meeting, of which the store keeps only hashes. The `number`
    /// rises when a link is replaced.
    static let shareLinks049 = """
        CREATE TABLE share_link (
            meeting_id TEXT PRIMARY KEY NOT NULL REFERENCES meeting ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number >= 1),
            token_hash TEXT UNIQUE CHECK (length(token_hash) = 64)
        ) STRICT;
        """
}
