extension Migrations {
    /// Sending hours, snoozes and suppressed addresses, and the deliveries that they hold back.
    ///
    /// `hold` names the policy that affects a row's due time, and `wanted` is the due time without
    /// it. The sending hours are lists of texts such as "mon-fri 09:00-18:00".
    static let policies004 = """
        CREATE TABLE sending_hours (
            person_id TEXT PRIMARY KEY NOT NULL REFERENCES person ON DELETE CASCADE,
            quiet TEXT NOT NULL CHECK (json_valid(quiet)),
            windows TEXT NOT NULL CHECK (json_valid(windows))
        ) STRICT;

        CREATE TABLE snooze (
            meeting_id TEXT NOT NULL,
            occurrence TEXT NOT NULL DEFAULT '',
            person_id TEXT NOT NULL,
            starts_at INTEGER NOT NULL,
            due INTEGER NOT NULL CHECK (due < starts_at),
            PRIMARY KEY (meeting_id, occurrence, person_id),
            FOREIGN KEY (meeting_id, person_id)
                REFERENCES participant (meeting_id, person_id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE suppression (
            folded TEXT NOT NULL CHECK (folded <> ''),
            channel TEXT NOT NULL,
            address TEXT NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('hand', 'bounce', 'unsubscribed')),
            reason TEXT NOT NULL CHECK (reason <> ''),
            since INTEGER NOT NULL,
            until INTEGER CHECK (until > since),
            PRIMARY KEY (folded, channel)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX suppression_by_bounce ON suppression (folded) WHERE origin = 'bounce';

        ALTER TABLE delivery ADD COLUMN hold TEXT CHECK (hold IN ('hours', 'flood', 'list'));
        ALTER TABLE delivery ADD COLUMN wanted INTEGER
            CHECK ((hold IS NULL) = (wanted IS NULL));

        DROP VIEW delivery_now;
        CREATE VIEW delivery_now AS
        SELECT d.id, d.key, d.meeting_id, d.occurrence, d.person_id, d.audience, d.kind, d.mark,
            d.channel, d.address, coalesce(o.due, d.due) AS due, d.deadline,
            CASE WHEN i.delivery_id IS NULL THEN d.state
                ELSE coalesce(o.state, 'claimed') END AS state,
            coalesce(o.reason, d.reason) AS reason,
            d.ambiguities + CASE WHEN o.outcome = 'ambiguous' THEN 1 ELSE 0 END AS ambiguities,
            d.body_id, d.hold, d.wanted
        FROM delivery d
        LEFT JOIN intent i ON i.delivery_id = d.id
        LEFT JOIN outcome o ON o.delivery_id = d.id;
        """
}
