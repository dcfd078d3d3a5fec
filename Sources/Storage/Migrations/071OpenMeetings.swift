extension Migrations {
    /// Meetings that people can join without an invitation, their seats, and the condition on which
    /// they take place. A meeting with an `audience` is open to it. `last_asked` is the highest
    /// serial number that was ever given to a request for a seat, and `asked` of an answer is the
    /// number of the person's request. Requests on which the organizer has not decided, or which
    /// they refused, are in `seat_request`. `occurrence` names one date of a series.
    static let openMeetings071 = """
        ALTER TABLE meeting ADD COLUMN audience TEXT CHECK (
            audience = 'followers' OR audience = 'circle' OR audience = 'link'
            OR audience = 'public');
        ALTER TABLE meeting ADD COLUMN audience_circle_id TEXT
            REFERENCES circle ON DELETE SET NULL;
        ALTER TABLE meeting ADD COLUMN seats INTEGER CHECK (seats >= 1);
        ALTER TABLE meeting ADD COLUMN has_waiting_list INTEGER NOT NULL DEFAULT 1
            CHECK (has_waiting_list IN (0, 1));
        ALTER TABLE meeting ADD COLUMN needs_approval INTEGER NOT NULL DEFAULT 0
            CHECK (needs_approval IN (0, 1));
        ALTER TABLE meeting ADD COLUMN names_for TEXT NOT NULL DEFAULT 'members' CHECK (
            names_for = 'organizer' OR names_for = 'members' OR names_for = 'everyone');
        ALTER TABLE meeting ADD COLUMN last_asked INTEGER NOT NULL DEFAULT 0
            CHECK (last_asked >= 0);
        ALTER TABLE meeting ADD COLUMN minimum INTEGER CHECK (minimum >= 1);
        ALTER TABLE meeting ADD COLUMN minimum_by INTEGER;
        ALTER TABLE meeting ADD COLUMN confirms_early INTEGER NOT NULL DEFAULT 0
            CHECK (confirms_early IN (0, 1));
        ALTER TABLE meeting ADD COLUMN minimum_outcome TEXT CHECK (
            minimum_outcome = 'confirmed' OR minimum_outcome = 'cancelled');
        ALTER TABLE meeting ADD COLUMN minimum_joined INTEGER;
        ALTER TABLE meeting ADD COLUMN minimum_decided_at INTEGER;
        CREATE INDEX meeting_by_minimum ON meeting (minimum_by)
            WHERE minimum_by IS NOT NULL AND minimum_outcome IS NULL;
        CREATE INDEX meeting_by_audience ON meeting (audience, ends_at)
            WHERE audience IS NOT NULL;
        CREATE INDEX meeting_open_by_organizer ON meeting (organizer_id, ends_at)
            WHERE audience IS NOT NULL;
        CREATE INDEX meeting_by_audience_circle ON meeting (audience_circle_id)
            WHERE audience_circle_id IS NOT NULL;

        ALTER TABLE answer ADD COLUMN asked INTEGER CHECK (asked >= 1);

        CREATE TABLE seat_request (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            occurrence TEXT NOT NULL,
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            plus INTEGER NOT NULL CHECK (plus BETWEEN 0 AND 50),
            note TEXT NOT NULL,
            asked INTEGER NOT NULL CHECK (asked >= 1),
            is_refused INTEGER NOT NULL CHECK (is_refused IN (0, 1)),
            at INTEGER NOT NULL,
            PRIMARY KEY (meeting_id, occurrence, person_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX seat_request_by_person ON seat_request (person_id);
        """
}
