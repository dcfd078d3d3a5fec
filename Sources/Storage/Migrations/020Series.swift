extension Migrations {
    /// Recurring meetings. `repetition` holds the rule, `starts_at` the start of the first date and
    /// `ends_at` the end of the last. `occurrence` names a date by its original wall-clock start,
    /// `20261201T190000`. The table of exceptions was never written to before, so it is created
    /// again: an exception may now have only another place.
    static let series020 = """
        ALTER TABLE meeting ADD COLUMN first_ends_at INTEGER;
        ALTER TABLE meeting ADD COLUMN whole_revision INTEGER;
        ALTER TABLE meeting ADD COLUMN planned_until INTEGER;
        CREATE INDEX meeting_to_plan_on ON meeting (planned_until)
            WHERE planned_until IS NOT NULL AND planned_until < ends_at
                AND status = 'confirmed';
        CREATE INDEX meeting_that_repeats ON meeting (ends_at) WHERE repetition IS NOT NULL;

        DROP TABLE meeting_override;
        CREATE TABLE meeting_override (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            occurrence TEXT NOT NULL CHECK (length(occurrence) = 15),
            status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled')),
            start_wall TEXT,
            duration TEXT,
            starts_at INTEGER,
            ends_at INTEGER CHECK (ends_at > starts_at),
            has_place INTEGER NOT NULL CHECK (has_place IN (0, 1)),
            place_reference TEXT,
            place_text TEXT,
            place_latitude REAL,
            place_longitude REAL,
            revision INTEGER NOT NULL CHECK (revision >= 1),
            sequence INTEGER NOT NULL CHECK (sequence >= 0),
            PRIMARY KEY (meeting_id, occurrence),
            CHECK ((start_wall IS NULL) = (starts_at IS NULL)),
            CHECK ((start_wall IS NULL) = (ends_at IS NULL)),
            CHECK ((start_wall IS NULL) = (duration IS NULL))
        ) STRICT;

        ALTER TABLE meeting_history ADD COLUMN occurrence TEXT NOT NULL DEFAULT '';
        ALTER TABLE meeting_history ADD COLUMN repetition TEXT;
        """
}
