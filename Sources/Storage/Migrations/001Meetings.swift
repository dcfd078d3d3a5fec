extension Migrations {
    /// Meetings, their participants and their history. Times are milliseconds since 1970 UTC.
    /// Wall-clock times and time zones are stored as well, because time zone rules change.
    ///
    /// `occurrence` names one date of a series by its original start; it is empty for a meeting
    /// that does not repeat.
    static let meetings001 = """
        CREATE TABLE meeting (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            uid TEXT NOT NULL UNIQUE,
            organizer_id TEXT NOT NULL REFERENCES person,
            request_key TEXT,
            title TEXT NOT NULL CHECK (title <> ''),
            note TEXT NOT NULL,
            link TEXT NOT NULL,
            place_reference TEXT,
            place_text TEXT,
            place_latitude REAL CHECK (place_latitude BETWEEN -90 AND 90),
            place_longitude REAL CHECK (place_longitude BETWEEN -180 AND 180),
            start_wall TEXT NOT NULL,
            zone TEXT NOT NULL,
            duration TEXT NOT NULL,
            starts_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
            repetition TEXT,
            status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled')),
            revision INTEGER NOT NULL CHECK (revision >= 1),
            sequence INTEGER NOT NULL CHECK (sequence >= 0),
            reminders TEXT NOT NULL CHECK (json_valid(reminders)),
            created_at INTEGER NOT NULL,
            CHECK (place_reference IS NULL OR place_text IS NOT NULL),
            CHECK ((place_latitude IS NULL) = (place_longitude IS NULL)),
            UNIQUE (organizer_id, request_key)
        ) STRICT;
        CREATE INDEX meeting_by_end ON meeting (ends_at, starts_at);
        CREATE INDEX meeting_by_start ON meeting (starts_at, id);

        CREATE TABLE meeting_override (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            occurrence TEXT NOT NULL CHECK (occurrence <> ''),
            status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled')),
            start_wall TEXT NOT NULL,
            duration TEXT NOT NULL,
            starts_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
            place_reference TEXT,
            place_text TEXT,
            place_latitude REAL,
            place_longitude REAL,
            PRIMARY KEY (meeting_id, occurrence)
        ) STRICT;

        CREATE TABLE meeting_history (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            actor_id TEXT NOT NULL REFERENCES person,
            act TEXT NOT NULL CHECK (act IN
                ('created', 'edited', 'moved', 'cancelled', 'invited', 'uninvited')),
            is_quiet INTEGER NOT NULL CHECK (is_quiet IN (0, 1)),
            revision INTEGER NOT NULL,
            title TEXT NOT NULL,
            place_text TEXT,
            start_wall TEXT NOT NULL,
            zone TEXT NOT NULL,
            duration TEXT NOT NULL,
            starts_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            PRIMARY KEY (meeting_id, number)
        ) STRICT;

        CREATE TABLE participant (
            meeting_id TEXT NOT NULL REFERENCES meeting ON DELETE CASCADE,
            person_id TEXT NOT NULL REFERENCES person,
            position INTEGER NOT NULL,
            PRIMARY KEY (meeting_id, person_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX participant_by_person ON participant (person_id);

        CREATE TABLE answer (
            meeting_id TEXT NOT NULL,
            occurrence TEXT NOT NULL DEFAULT '',
            person_id TEXT NOT NULL,
            answer TEXT NOT NULL CHECK (answer IN
                ('invited', 'going', 'maybe', 'declined', 'waiting')),
            plus INTEGER NOT NULL DEFAULT 0 CHECK (plus BETWEEN 0 AND 50),
            note TEXT NOT NULL DEFAULT '',
            answered_by TEXT REFERENCES person,
            answered_at INTEGER NOT NULL,
            is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1)),
            PRIMARY KEY (meeting_id, occurrence, person_id),
            FOREIGN KEY (meeting_id, person_id)
                REFERENCES participant (meeting_id, person_id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX answer_with_guests ON answer (meeting_id) WHERE plus > 0;
        CREATE INDEX answer_by_answerer ON answer (answered_by) WHERE answered_by IS NOT NULL;
        """
}
