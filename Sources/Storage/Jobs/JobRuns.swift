import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The runs that go on, and of each line the first one that is still to begin, in the order in
    /// which they are due.
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

    /// The last run of a line, by its name, that ended and was not left out.
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

    /// The last runs, the latest first.
    ///
    /// - Parameters:
    ///   - line: those of one line, by its name.
    ///   - limit: how many.
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

    /// Notes that a run begins.
    ///
    /// - Returns: whether it does: not where it began already, or ended.
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

    /// Lets a run that is not known to have ended begin once more.
    ///
    /// - Parameters:
    ///   - id: its number.
    ///   - isCounted: whether its last beginning counts: not where it was ended on purpose.
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

    /// Notes how a run ended, and what is told of that.
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

    /// Notes a run that somebody started, when it has ended.
    ///
    /// - Parameters:
    ///   - job: what ran, as it is typed.
    ///   - line: the name of the line that was meant, if any.
    ///   - start: when it began.
    ///   - state: how it ended.
    ///   - detail: what it said.
    ///   - now: the clock.
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

    /// A line that no daemon has seen is known by its name, and begins anew with the daemon.
    private static func noteLine(_ name: String, now: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO cron_line (name, timing, covered_to, is_listed)
                VALUES (:name, '', :now, 0) ON CONFLICT (name) DO NOTHING
                """
        ).execute(arguments: ["name": name, "now": now.milliseconds])
    }

    /// Lets runs that wait begin as much earlier as the clock was set back.
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

    /// Forgets runs that ended before a moment, but for the latest of each line of the crontab.
    ///
    /// - Parameters:
    ///   - moment: when they ended at the latest.
    ///   - limit: how many together.
    /// - Returns: how many.
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
    /// - Returns: `nil` where this time of the line is claimed already.
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

    /// Whether a run of a line goes on.
    static func goesOn(line: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                        WHERE l.name = :line AND r.state = 'running')
                    """), arguments: ["line": line]) ?? false
    }

    /// How many runs of a line wait for their turn, and not for their time.
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
