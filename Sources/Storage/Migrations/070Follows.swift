extension Migrations {
    /// Accounts that follow others, and accounts that block others. An account writes a few words
    /// about itself, decides if it approves followers, and if others see whom it follows.
    static let follows070 = """
        CREATE TABLE follow (
            follower_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            followed_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            is_accepted INTEGER NOT NULL CHECK (is_accepted IN (0, 1)),
            asked_at INTEGER NOT NULL,
            accepted_at INTEGER,
            PRIMARY KEY (follower_id, followed_id),
            CHECK (follower_id <> followed_id),
            CHECK ((is_accepted = 1) = (accepted_at IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX follow_by_followed ON follow (followed_id, is_accepted, follower_id);
        CREATE TABLE block (
            blocker_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            blocked_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            at INTEGER NOT NULL,
            PRIMARY KEY (blocker_id, blocked_id),
            CHECK (blocker_id <> blocked_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX block_by_blocked ON block (blocked_id, blocker_id);
        ALTER TABLE account ADD COLUMN about TEXT NOT NULL DEFAULT '';
        ALTER TABLE account ADD COLUMN approves_followers INTEGER NOT NULL DEFAULT 0
            CHECK (approves_followers IN (0, 1));
        ALTER TABLE account ADD COLUMN shows_follows INTEGER NOT NULL DEFAULT 0
            CHECK (shows_follows IN (0, 1));
        """
}
