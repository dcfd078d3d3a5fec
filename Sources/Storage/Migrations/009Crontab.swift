extension Migrations {
    /// The lines of the crontab, and the runs that each of them started.
    ///
    /// All times of a line up to `covered_to` are handled. A time is claimed by the row of its run,
    /// of which there is exactly one: `era` counts how often the clock was so far ahead that the
    /// same times came again. A line that was removed from the crontab has `is_listed` 0, and
    /// starts from scratch when it comes back.
    ///
    /// Texts are indexed by age, so that they can be removed after a while. A dataset stores the
    /// radius around its city that was fetched, and each place the time when it was last seen, so
    /// that they can be fetched again.
    static let crontab009 = """
        CREATE TABLE cron_line (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE CHECK (name <> ''),
            timing TEXT NOT NULL,
            covered_to INTEGER NOT NULL,
            era INTEGER NOT NULL DEFAULT 0,
            is_listed INTEGER NOT NULL CHECK (is_listed IN (0, 1))
        ) STRICT;

        CREATE TABLE cron_run (
            id INTEGER PRIMARY KEY,
            line_id INTEGER REFERENCES cron_line,
            job TEXT NOT NULL CHECK (job <> ''),
            origin TEXT NOT NULL CHECK (origin = 'time' OR origin = 'boot' OR origin = 'hand'),
            nominal INTEGER NOT NULL,
            era INTEGER NOT NULL DEFAULT 0,
            due INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (
                state = 'waiting' OR state = 'running' OR state = 'done' OR state = 'failed'
                OR state = 'skipped' OR state = 'interrupted'),
            starts INTEGER NOT NULL DEFAULT 0 CHECK (starts >= 0),
            started_at INTEGER,
            ended_at INTEGER,
            detail TEXT NOT NULL DEFAULT '',
            CHECK ((state = 'waiting' OR state = 'running') = (ended_at IS NULL))
        ) STRICT;
        CREATE UNIQUE INDEX cron_run_once ON cron_run (line_id, nominal, era)
            WHERE origin <> 'hand';
        CREATE INDEX cron_run_waiting ON cron_run (line_id, id) WHERE state = 'waiting';
        CREATE INDEX cron_run_running ON cron_run (line_id, id) WHERE state = 'running';
        CREATE INDEX cron_run_by_line ON cron_run (line_id, id);
        CREATE INDEX cron_run_by_end ON cron_run (ended_at);

        CREATE TABLE cron_boot (
            id TEXT PRIMARY KEY NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX delivery_by_body ON delivery (body_id) WHERE body_id IS NOT NULL;
        CREATE INDEX body_by_age ON body (written_at, id);

        ALTER TABLE dataset ADD COLUMN radius_meters INTEGER CHECK (radius_meters > 0);
        ALTER TABLE catalogue_place ADD COLUMN loaded_at INTEGER NOT NULL DEFAULT 0;
        """
}
