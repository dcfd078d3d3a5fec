extension Migrations {
    /// The time zone rules with which the times of coming meetings were computed, and the meetings
    /// that moved when the rules changed. Deliveries that expired while the clock was ahead may be
    /// planned again.
    static let clock005 = """
        CREATE TABLE zone_rules (
            zone TEXT PRIMARY KEY NOT NULL,
            digest TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX meeting_by_zone ON meeting (zone, ends_at, id);

        CREATE TABLE zone_move (
            meeting_id TEXT PRIMARY KEY NOT NULL REFERENCES meeting ON DELETE CASCADE,
            at INTEGER NOT NULL,
            zone TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            starts_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        /* SQLite */ INSERT INTO legal_turn (before, after) VALUES ('expired', 'planned');
        CREATE INDEX delivery_expired_early ON delivery (state, deadline)
            WHERE state = 'expired';
        """
}
