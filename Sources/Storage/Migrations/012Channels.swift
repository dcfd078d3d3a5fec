extension Migrations {
    /// Channels of people and of audiences, their failures, and the circles invited to each
    /// meeting.
    ///
    /// A channel belongs to a person, to the members of a circle, or, if neither is set, to
    /// everybody in the installation. `closed_for` is the digest of the address that a receiver
    /// declared permanently closed; it does not apply to another address.
    static let channels012 = """
        CREATE TABLE channel (
            name TEXT PRIMARY KEY NOT NULL CHECK (name <> ''),
            sink TEXT NOT NULL CHECK (sink <> ''),
            person_id TEXT REFERENCES person ON DELETE CASCADE,
            circle_id TEXT REFERENCES circle ON DELETE CASCADE,
            url TEXT NOT NULL,
            target TEXT NOT NULL,
            secret TEXT NOT NULL,
            old_secret TEXT,
            old_until INTEGER,
            kinds TEXT NOT NULL CHECK (json_valid(kinds)),
            added_at INTEGER NOT NULL,
            CHECK (person_id IS NULL OR circle_id IS NULL),
            CHECK ((old_secret IS NULL) = (old_until IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX channel_by_mail
            ON channel (coalesce(person_id, ''), coalesce(circle_id, '')) WHERE sink = 'mail';
        CREATE INDEX channel_by_person ON channel (person_id) WHERE person_id IS NOT NULL;
        CREATE INDEX channel_by_circle ON channel (circle_id) WHERE circle_id IS NOT NULL;

        CREATE TABLE channel_trouble (
            sink TEXT NOT NULL,
            name TEXT NOT NULL,
            at INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            code TEXT NOT NULL,
            reply TEXT NOT NULL,
            closed_for TEXT,
            PRIMARY KEY (sink, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE meeting_circle (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            circle_id TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
            PRIMARY KEY (meeting_id, circle_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX meeting_circle_by_circle ON meeting_circle (circle_id);

        CREATE INDEX delivery_by_audience ON delivery (meeting_id, audience)
            WHERE audience IS NOT NULL;
        """
}
