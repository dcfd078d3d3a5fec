extension Migrations {
    /// The tasks of accounts that take longer than a page may: their progress and their results, so
    /// that each browser of the account shows them, also after a restart of the daemon. The result
    /// is JSON.
    static let tasks066 = """
        CREATE TABLE task (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            person_id TEXT NOT NULL REFERENCES person,
            kind TEXT NOT NULL CHECK (kind = 'import' OR kind = 'undo' OR kind = 'fetch'),
            state TEXT NOT NULL DEFAULT 'queued' CHECK (
                state = 'queued' OR state = 'running' OR state = 'stopping' OR state = 'done'
                    OR state = 'failed' OR state = 'cancelled' OR state = 'interrupted'),
            done INTEGER NOT NULL DEFAULT 0 CHECK (done >= 0),
            total INTEGER NOT NULL DEFAULT 0 CHECK (total >= 0),
            subject TEXT NOT NULL,
            result TEXT NOT NULL DEFAULT '',
            queued_at INTEGER NOT NULL,
            started_at INTEGER,
            ended_at INTEGER,
            CHECK ((ended_at IS NULL)
                = (state = 'queued' OR state = 'running' OR state = 'stopping'))
        ) STRICT;
        CREATE INDEX task_by_person ON task (person_id, queued_at);
        CREATE INDEX task_open ON task (person_id) WHERE ended_at IS NULL;
        """
}
