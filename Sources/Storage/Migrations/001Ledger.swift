extension Migrations {
    /// The ledger: all deliveries, and every attempt at them.
    ///
    /// An attempt is inserted before its send begins, with the number of the entry in the meeting's
    /// history whose facts it contains. Its outcome is inserted afterwards: an attempt without an
    /// outcome is one whose worker crashed. State changes that are not the result of an attempt are
    /// stored in `delivery_turn`. Texts that people wrote are stored separately in `body`, so
    /// that the rows that are read all the time stay narrow.
    static let ledger001 = """
        CREATE TABLE body (
            id INTEGER PRIMARY KEY,
            author_id TEXT NOT NULL REFERENCES person,
            text TEXT NOT NULL,
            written_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE delivery (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE CHECK (length(key) = 26),
            meeting_id TEXT NOT NULL REFERENCES meeting,
            occurrence TEXT NOT NULL DEFAULT '',
            person_id TEXT REFERENCES person,
            audience TEXT,
            kind TEXT NOT NULL CHECK (kind IN
                ('invitation', 'change', 'cancellation', 'reminder', 'nudge', 'message',
                 'answer', 'join', 'digest')),
            mark TEXT NOT NULL,
            channel TEXT NOT NULL,
            address TEXT NOT NULL,
            due INTEGER NOT NULL,
            deadline INTEGER NOT NULL,
            state TEXT NOT NULL DEFAULT 'planned' CHECK (state IN
                ('planned', 'claimed', 'accepted', 'failed', 'ambiguous', 'expired',
                 'superseded', 'suppressed', 'parked')),
            reason TEXT NOT NULL DEFAULT '',
            ambiguities INTEGER NOT NULL DEFAULT 0 CHECK (ambiguities >= 0),
            body_id INTEGER REFERENCES body,
            CHECK ((person_id IS NULL) <> (audience IS NULL))
        ) STRICT;
        CREATE INDEX delivery_by_due ON delivery (due, id)
            WHERE state IN ('planned', 'ambiguous');
        CREATE INDEX delivery_in_flight ON delivery (id) WHERE state = 'claimed';
        CREATE INDEX delivery_by_meeting ON delivery (meeting_id, person_id);
        CREATE INDEX delivery_by_person ON delivery (person_id);
        CREATE INDEX delivery_by_state ON delivery (state, due);

        CREATE TABLE legal_turn (
            before TEXT NOT NULL,
            after TEXT NOT NULL,
            PRIMARY KEY (before, after)
        ) STRICT, WITHOUT ROWID;
        /* SQLite */ INSERT INTO legal_turn (before, after) VALUES
            ('planned', 'claimed'), ('planned', 'expired'), ('planned', 'superseded'),
            ('planned', 'suppressed'), ('planned', 'parked'),
            ('claimed', 'planned'), ('claimed', 'accepted'), ('claimed', 'failed'),
            ('claimed', 'ambiguous'), ('claimed', 'expired'), ('claimed', 'parked'),
            ('ambiguous', 'claimed'), ('ambiguous', 'expired'), ('ambiguous', 'superseded'),
            ('ambiguous', 'suppressed'), ('ambiguous', 'parked'),
            ('parked', 'planned'), ('parked', 'expired'), ('parked', 'superseded'),
            ('parked', 'suppressed'),
            ('failed', 'planned'), ('superseded', 'planned'), ('suppressed', 'planned');
        CREATE TRIGGER delivery_turns_legally BEFORE UPDATE OF state ON delivery
        WHEN NEW.state <> OLD.state AND NOT EXISTS (
            SELECT 1 FROM legal_turn WHERE before = OLD.state AND after = NEW.state)
        BEGIN
            SELECT RAISE(ABORT, 'illegal turn of a delivery');
        END;

        CREATE TABLE delivery_turn (
            id INTEGER PRIMARY KEY,
            delivery_id INTEGER NOT NULL REFERENCES delivery,
            at INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;
        CREATE INDEX delivery_turn_by_delivery ON delivery_turn (delivery_id);

        CREATE TABLE attempt (
            id INTEGER PRIMARY KEY,
            delivery_id INTEGER NOT NULL REFERENCES delivery,
            number INTEGER NOT NULL CHECK (number >= 1),
            at INTEGER NOT NULL,
            history_number INTEGER NOT NULL,
            UNIQUE (delivery_id, number)
        ) STRICT;
        CREATE TABLE attempt_outcome (
            attempt_id INTEGER PRIMARY KEY REFERENCES attempt,
            at INTEGER NOT NULL,
            outcome TEXT NOT NULL CHECK (outcome IN
                ('accepted', 'retry', 'permanent', 'misconfigured', 'ambiguous')),
            code TEXT NOT NULL,
            reply TEXT NOT NULL
        ) STRICT;
        """
}
