import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The runs that are still to begin or to end, in the order in which they are due.
    public func openRuns(limit: Int) async throws -> [JobRun] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT r.*, l.name AS line
                        FROM cron_run r LEFT JOIN cron_line l ON l.id = r.line_id
                        WHERE r.state = 'waiting' OR r.state = 'running'
                        ORDER BY r.due, r.id LIMIT :limit
                        """), arguments: ["limit": limit]
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
        _ id: Int64, as state: JobRun.State, detail: String, telling letter: WrittenLetter? = nil,
        now: Moment
    ) async throws {
        try await write { db in
            _ = try letter?.plan(now: now, in: db)
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

    /// Lets runs that wait begin no later than this: the clock was set back.
    public func bringRunsForward(to now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE cron_run SET due = :now WHERE state = 'waiting' AND due > :now
                    """
            ).execute(arguments: ["now": now.milliseconds])
        }
    }

    /// Forgets runs that ended before a moment, but for the latest of each line.
    ///
    /// - Returns: how many.
    public func forgetRuns(endedBefore moment: Moment) async throws -> Int {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    DELETE FROM cron_run WHERE ended_at < :moment AND id NOT IN (
                        SELECT max(r.id) FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                        GROUP BY l.id)
                    """
            ).execute(arguments: ["moment": moment.milliseconds])
            return db.changesCount
        }
    }
}

extension JobRun {
    /// - Returns: `nil` where this time of the line is claimed already.
    static func insert(
        line: String, job: String, origin: Origin, _ fire: CronClaim.Fire, isSkipped: Bool,
        now: Moment, in db: Database
    ) throws -> JobRun? {
        let state = isSkipped ? State.skipped : .waiting
        let detail = isSkipped ? "the run before it still went on" : ""
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
                "state": state.rawValue, "ended": isSkipped ? now.milliseconds : nil,
                "detail": detail,
            ])
        return id.map { id in
            JobRun(
                id: id, line: line, job: job, origin: origin, nominal: fire.nominal, due: fire.due,
                state: state, endedAt: isSkipped ? now : nil, detail: detail)
        }
    }

    /// Whether a run of a line is still to begin or to end.
    static func isOpen(line: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM cron_line l JOIN cron_run r ON r.line_id = l.id
                        WHERE l.name = :line AND (r.state = 'waiting' OR r.state = 'running'))
                    """), arguments: ["line": line]) ?? false
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
