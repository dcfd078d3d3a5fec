extension Migrations {
    /// Attempts, stored so that a send costs two inserted rows and nothing else.
    ///
    /// Before a send an `intent` is inserted, after it its `outcome`. Both tables hold only
    /// attempts that are under way or ended a moment ago. Folding, which may lag behind, applies
    /// the outcome to the state of the delivery and moves the two rows into `attempt`. This keeps
    /// random page writes out of the path of a send. `delivery_now` shows the current state of a
    /// delivery, `attempt_now` all attempts.
    ///
    /// The sender is a `worker`; its row exists as long as it holds the installation. The next
    /// worker resolves the attempts that the last one left under way, and then deletes its row: it
    /// must not be deleted before, because intents refer to it.
    static let attempts003 = """
        CREATE TABLE worker (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            started_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE intent (
            delivery_id INTEGER PRIMARY KEY REFERENCES delivery,
            worker_id INTEGER NOT NULL REFERENCES worker,
            number INTEGER NOT NULL CHECK (number >= 1),
            at INTEGER NOT NULL,
            history_number INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE outcome (
            delivery_id INTEGER PRIMARY KEY REFERENCES intent ON DELETE CASCADE,
            at INTEGER NOT NULL,
            outcome TEXT NOT NULL CHECK (outcome IN
                ('accepted', 'retry', 'permanent', 'misconfigured', 'ambiguous')),
            code TEXT NOT NULL,
            reply TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN
                ('planned', 'accepted', 'failed', 'ambiguous', 'expired', 'parked')),
            reason TEXT NOT NULL,
            due INTEGER,
            CHECK ((outcome = 'accepted') = (state = 'accepted'))
        ) STRICT;

        ALTER TABLE attempt RENAME TO attempt_001;
        CREATE TABLE attempt (
            delivery_id INTEGER NOT NULL REFERENCES delivery,
            number INTEGER NOT NULL CHECK (number >= 1),
            at INTEGER NOT NULL,
            history_number INTEGER NOT NULL,
            ended_at INTEGER NOT NULL,
            outcome TEXT NOT NULL CHECK (outcome IN
                ('accepted', 'retry', 'permanent', 'misconfigured', 'ambiguous')),
            code TEXT NOT NULL,
            reply TEXT NOT NULL,
            PRIMARY KEY (delivery_id, number)
        ) STRICT, WITHOUT ROWID;
        /* SQLite */ INSERT INTO attempt (
            delivery_id, number, at, history_number, ended_at, outcome, code, reply)
        SELECT a.delivery_id, a.number, a.at, a.history_number, o.at, o.outcome, o.code, o.reply
        FROM attempt_001 a JOIN attempt_outcome o ON o.attempt_id = a.id;
        /* SQLite */ INSERT INTO worker (id, name, started_at)
        SELECT 1, 'before this step', 0
        WHERE EXISTS (SELECT 1 FROM delivery WHERE state = 'claimed');
        /* SQLite */ INSERT INTO intent (delivery_id, worker_id, number, at, history_number)
        SELECT a.delivery_id, 1, a.number, a.at, a.history_number
        FROM attempt_001 a JOIN delivery d ON d.id = a.delivery_id
        WHERE d.state = 'claimed' AND NOT EXISTS (
            SELECT 1 FROM attempt_outcome o WHERE o.attempt_id = a.id);
        /* SQLite */ UPDATE delivery SET state = 'planned' WHERE state = 'claimed';
        DROP TABLE attempt_outcome;
        DROP TABLE attempt_001;
        DROP INDEX delivery_in_flight;

        DROP TRIGGER delivery_turns_legally;
        CREATE TRIGGER delivery_turns_legally BEFORE UPDATE OF state ON delivery
        WHEN NEW.state <> OLD.state AND (
            NEW.state = 'claimed' OR NOT EXISTS (
                SELECT 1 FROM legal_turn WHERE before = OLD.state AND after = NEW.state)
            AND NOT EXISTS (
                SELECT 1 FROM outcome o
                JOIN legal_turn b ON b.before = OLD.state AND b.after = 'claimed'
                JOIN legal_turn a ON a.before = 'claimed' AND a.after = NEW.state
                WHERE o.delivery_id = NEW.id AND o.state = NEW.state))
        BEGIN
            SELECT RAISE(ABORT, 'illegal turn of a delivery');
        END;

        CREATE VIEW delivery_now AS
        SELECT d.id, d.key, d.meeting_id, d.occurrence, d.person_id, d.audience, d.kind, d.mark,
            d.channel, d.address, coalesce(o.due, d.due) AS due, d.deadline,
            CASE WHEN i.delivery_id IS NULL THEN d.state
                ELSE coalesce(o.state, 'claimed') END AS state,
            coalesce(o.reason, d.reason) AS reason,
            d.ambiguities + CASE WHEN o.outcome = 'ambiguous' THEN 1 ELSE 0 END AS ambiguities,
            d.body_id
        FROM delivery d
        LEFT JOIN intent i ON i.delivery_id = d.id
        LEFT JOIN outcome o ON o.delivery_id = d.id;

        CREATE VIEW attempt_now AS
        SELECT delivery_id, number, at, history_number, ended_at, outcome, code, reply
        FROM attempt
        UNION ALL
        SELECT i.delivery_id, i.number, i.at, i.history_number, o.at, o.outcome,
            coalesce(o.code, ''), coalesce(o.reply, '')
        FROM intent i LEFT JOIN outcome o ON o.delivery_id = i.delivery_id;
        """
}
