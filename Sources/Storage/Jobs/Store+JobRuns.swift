import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The running runs, and the first waiting run of each line, ordered by due time.
    public func openRuns(limit: Int) async throws -> [JobRun] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT r.*, l.name AS line
                        FROM cron_run r JOIN cron_line l ON l.id = r.line_id
                        WHERE r.state = 'running'
                        UNION ALL
                        SELECT r.*, l.name AS line
                        FROM cron_line l JOIN cron_run r ON r.id = (
                            SELECT min(w.id) FROM cron_run w
                            WHERE w.line_id = l.id AND w.state = 'waiting')
                        ORDER BY due, id LIMIT :limit
                        """), arguments: ["limit": limit]
            ).map(JobRun.init)
        }
    }

    /// The last run of a line, by its name, that ended and was not skipped.
    public func lastEndedRun(ofLine line: String) async throws -> JobRun? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT r.*, l.name AS line
                        FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                        WHERE l.name = :line AND r.state IN ('done', 'failed', 'interrupted')
                        ORDER BY r.id DESC LIMIT 1
                        """), arguments: ["line": line]
            ).map(JobRun.init)
        }
    }

    /// The runs of a job that were successful, latest first.
    ///
    /// - Parameters:
    ///   - job: the words of the job, with `%` between them for any spaces.
    ///   - moment: the time from which on they ended.
    ///   - limit: the maximum number to return.
    /// - Returns: the runs.
    /// - Throws: ``StoreError``.
    public func runs(of job: String, endedSince moment: Moment, limit: Int) async throws -> [JobRun]
    {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT r.*, l.name AS line
                        FROM cron_run r LEFT JOIN cron_line l ON l.id = r.line_id
                        WHERE r.ended_at >= :moment AND r.state = 'done' AND r.job LIKE :job
                        ORDER BY r.ended_at DESC, r.id DESC LIMIT :limit
                        """),
                arguments: ["moment": moment.milliseconds, "job": job, "limit": limit]
            ).map(JobRun.init)
        }
    }

    /// The last runs of a line, latest first.
    ///
    /// - Parameters:
    ///   - line: the name of the line.
    ///   - limit: the maximum number to return.
    /// - Returns: the runs.
    /// - Throws: ``StoreError``.
    public func lastRuns(ofLine line: String, limit: Int) async throws -> [JobRun] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT r.*, l.name AS line
                        FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                        WHERE l.name = :line ORDER BY r.id DESC LIMIT :limit
                        """), arguments: ["line": line, "limit": limit]
            ).map(JobRun.init)
        }
    }

    /// Records that a run starts.
    ///
    /// - Returns: true if it was waiting; false if it has already started or ended.
    public func beginRun(_ id: Int64, now: Moment) async throws -> Bool {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE cron_run SET state = 'running', started_at = :now, starts = starts + 1
                    WHERE id = :id AND state = 'waiting'
                    """
            ).execute(arguments: ["id": id, "now": now.milliseconds])
            return db.changesCount > 0
        }
    }

    /// Makes an unfinished run wait again, so that it can be restarted.
    ///
    /// - Parameters:
    ///   - id: the number of the run.
    ///   - isCounted: whether its last start counts; false if it was stopped on purpose.
    /// - Throws: ``StoreError``.
    public func repeatRun(_ id: Int64, counting isCounted: Bool) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE cron_run SET state = 'waiting', starts = starts - :back
                    WHERE id = :id AND state = 'running'
                    """
            ).execute(arguments: ["id": id, "back": isCounted ? 0 : 1])
        }
    }

    /// Records the result of a run, and plans the delivery that reports it.
    public func endRun(
        _ id: Int64, as state: JobRun.State, detail: String,
        telling delivery: PreparedMessage? = nil,
        now: Moment
    ) async throws {
        try await write { db in
            _ = try delivery?.plan(now: now, in: db)
            try db.cachedStatement(
                sql: """
                    UPDATE cron_run SET state = :state, ended_at = :now, detail = :detail
                    WHERE id = :id AND (state = 'waiting' OR state = 'running')
                    """
            ).execute(arguments: [
                "id": id, "state": state.rawValue, "now": now.milliseconds, "detail": detail,
            ])
        }
    }

    /// Records a run that a user started, after it has ended.
    ///
    /// - Parameters:
    ///   - job: the command, as typed.
    ///   - line: the name of the crontab line that was run, if any.
    ///   - start: the time at which it started.
    ///   - state: its result.
    ///   - detail: the message about the result.
    ///   - now: the current time.
    /// - Throws: ``StoreError``.
    public func noteRunByHand(
        of job: String, line: String?, startedAt start: Moment, as state: JobRun.State,
        detail: String, now: Moment
    ) async throws {
        try await write { db in
            if let line { try Self.noteLine(line, now: now, in: db) }
            try db.cachedStatement(
                sql: """
                    INSERT INTO cron_run (
                        line_id, job, origin, nominal, due, state, starts, started_at, ended_at,
                        detail)
                    VALUES ((SELECT id FROM cron_line WHERE name = :line), :job, 'hand', :start,
                        :start, :state, 1, :start, :now, :detail)
                    """
            ).execute(arguments: [
                "line": line, "job": job, "start": start.milliseconds, "state": state.rawValue,
                "now": now.milliseconds, "detail": detail,
            ])
        }
    }

    /// Stores a line that no daemon has seen yet. When a daemon lists it, the line starts from
    /// then.
    private static func noteLine(_ name: String, now: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO cron_line (name, timing, covered_to, is_listed)
                VALUES (:name, '', :now, 0) ON CONFLICT (name) DO NOTHING
                """
        ).execute(arguments: ["name": name, "now": now.milliseconds])
    }

    /// Moves the due times of waiting runs earlier by the amount by which the clock was set back,
    /// but not before now.
    public func bringRunsForward(byMilliseconds back: Int64, now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE cron_run
                    SET due = CASE WHEN due - :back > :now THEN due - :back ELSE :now END
                    WHERE state = 'waiting' AND due > :now
                    """
            ).execute(arguments: ["now": now.milliseconds, "back": back])
        }
    }

    /// Deletes runs that ended before a moment, except for the latest run of each line in the
    /// crontab.
    ///
    /// - Parameters:
    ///   - moment: deletes only runs that ended before this.
    ///   - limit: the maximum number to delete at once.
    /// - Returns: the number of deleted runs.
    /// - Throws: ``StoreError``.
    public func forgetRuns(endedBefore moment: Moment, limit: Int) async throws -> Int {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    DELETE FROM cron_run WHERE id IN (
                        SELECT id FROM cron_run WHERE ended_at < :moment AND id NOT IN (
                            SELECT max(r.id) FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                            WHERE l.is_listed = 1 GROUP BY l.id)
                        ORDER BY ended_at LIMIT :limit)
                    """
            ).execute(arguments: ["moment": moment.milliseconds, "limit": limit])
            let count = db.changesCount
            try db.execute(
                sql: """
                    DELETE FROM cron_line WHERE is_listed = 0 AND NOT EXISTS (
                        SELECT 1 FROM cron_run r WHERE r.line_id = cron_line.id)
                    """)
            return count
        }
    }
}

extension JobRun {
    /// Inserts a run.
    ///
    /// - Returns: the run; `nil` if this time of the line is already claimed.
    static func insert(
        line: String, job: String, origin: Origin, _ fire: CronClaim.Fire, leftOut why: String?,
        now: Moment, in db: Database
    ) throws -> JobRun? {
        let state = why == nil ? State.waiting : .skipped
        let end = why == nil ? nil : now
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO cron_run (
                    line_id, job, origin, nominal, era, due, state, ended_at, detail)
                SELECT id, :job, :origin, :nominal, era, :due, :state, :ended, :detail
                FROM cron_line WHERE name = :line
                ON CONFLICT (line_id, nominal, era) WHERE origin <> 'hand' DO NOTHING
                RETURNING id
                """)
        let id = try Int64.fetchOne(
            statement,
            arguments: [
                "line": line, "job": job, "origin": origin.rawValue,
                "nominal": fire.nominal.milliseconds, "due": fire.due.milliseconds,
                "state": state.rawValue, "ended": end?.milliseconds,
                "detail": why ?? "",
            ])
        return id.map { id in
            JobRun(
                id: id, line: line, job: job, origin: origin, nominal: fire.nominal, due: fire.due,
                state: state, endedAt: end, detail: why ?? "")
        }
    }

    /// Whether a run of a line is running.
    static func goesOn(line: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                        WHERE l.name = :line AND r.state = 'running')
                    """), arguments: ["line": line]) ?? false
    }

    /// The number of runs of a line that are due but have not started.
    static func waitingCount(line: String, dueBy now: Moment, in db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                    WHERE l.name = :line AND r.state = 'waiting' AND r.due <= :now
                    """), arguments: ["line": line, "now": now.milliseconds]) ?? 0
    }

    fileprivate init(row: Row) throws {
        self.init(
            id: row["id"], line: row["line"], job: row["job"],
            origin: try StoredValue.decode(row["origin"]),
            nominal: Moment(milliseconds: row["nominal"]), due: Moment(milliseconds: row["due"]),
            state: try StoredValue.decode(row["state"]), starts: row["starts"],
            startedAt: (row["started_at"] as Int64?).map(Moment.init(milliseconds:)),
            endedAt: (row["ended_at"] as Int64?).map(Moment.init(milliseconds:)),
            detail: row["detail"])
    }
}
