import GRDB
public import Ledger
public import Timekeeping

/// A line of a crontab as it is stored.
public struct ListedCronLine: Equatable, Sendable {
    /// The name that identifies the line.
    public let name: String
    /// Everything that determines its times.
    public let timing: String

    /// Creates a line.
    public init(name: String, timing: String) {
        self.name = name
        self.timing = timing
    }
}

/// The due times of a line that one daemon wants to claim.
public struct CronClaim: Equatable, Sendable {
    /// One due time.
    public struct Fire: Equatable, Sendable {
        /// The scheduled time.
        public let nominal: Moment
        /// The time at which its run starts.
        public let due: Moment

        /// Creates a due time.
        public init(nominal: Moment, due: Moment) {
            self.nominal = nominal
            self.due = due
        }
    }

    /// The name of the line.
    public let line: String
    /// The command that it starts, as typed.
    public let job: String
    /// The time up to which the line was handled when this was computed.
    public let coveredFrom: Moment
    /// The time up to which the line is handled after the claim.
    public let coveredTo: Moment
    /// The times that start a run, in order.
    public let fires: [Fire]
    /// True if times are skipped while an earlier run is still running.
    public let skipsOverlaps: Bool

    /// Creates a claim.
    public init(
        line: String, job: String, coveredFrom: Moment, coveredTo: Moment, fires: [Fire],
        skipsOverlaps: Bool
    ) {
        self.line = line
        self.job = job
        self.coveredFrom = coveredFrom
        self.coveredTo = coveredTo
        self.fires = fires
        self.skipsOverlaps = skipsOverlaps
    }
}

extension Store {
    /// Updates the stored lines to match a crontab.
    ///
    /// Lines that are new, listed again, or have different times count as handled up to now: their
    /// missed times do not run.
    ///
    /// - Parameters:
    ///   - lines: the lines of the crontab.
    ///   - now: the current time.
    /// - Returns: for each line, by name, the time up to which it is handled.
    /// - Throws: ``StoreError``.
    public func list(
        _ lines: [ListedCronLine], now: Moment
    ) async throws -> [String: Moment] {
        try await write { db in
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM cron_line WHERE is_listed = 1")
            let unlisting = try db.cachedStatement(
                sql: "UPDATE cron_line SET is_listed = 0 WHERE name = :name")
            for name in Set(names).subtracting(lines.map(\.name)) {
                try unlisting.execute(arguments: ["name": name])
            }
            var covered: [String: Moment] = [:]
            for line in lines {
                covered[line.name] = try line.list(now: now, in: db)
            }
            return covered
        }
    }

    /// The maximum number of waiting runs of a line.
    public static let waitingRunsMax = 10_000

    /// Claims due times of a line. In one transaction each becomes a run, unless another process
    /// has handled the line since the claim was computed.
    ///
    /// - Returns: the new runs, including skipped ones, and the time up to which the line is now
    ///   handled.
    public func claim(
        _ claim: CronClaim, now: Moment
    ) async throws -> (runs: [JobRun], coveredTo: Moment) {
        try await write { db in try claim.carryOut(now: now, in: db) }
    }

    /// Claims a boot of the machine for the lines that run at boot, unless it was claimed before.
    ///
    /// - Parameters:
    ///   - boot: the id of this boot.
    ///   - lines: the names of the lines, and the command that each starts.
    ///   - now: the current time.
    /// - Returns: the new runs.
    /// - Throws: ``StoreError``.
    public func claim(
        boot: String, lines: [(name: String, job: String)], now: Moment
    ) async throws -> [JobRun] {
        try await write { db in
            let isNew = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        INSERT INTO cron_boot (id, at) VALUES (:id, :now)
                        ON CONFLICT (id) DO NOTHING RETURNING id
                        """), arguments: ["id": boot, "now": now.milliseconds])
            guard isNew != nil else { return [] }
            return try lines.compactMap { line in
                try JobRun.insert(
                    line: line.name, job: line.job, origin: .boot,
                    CronClaim.Fire(nominal: now, due: now), leftOut: nil, now: now, in: db)
            }
        }
    }

    /// Corrects the crontab after a clock that was far ahead has been set back, so that past times
    /// come again. All lines handled beyond now start again from now, and runs whose time came from
    /// the wrong clock become due now.
    ///
    /// - Parameters:
    ///   - limit: waiting runs that are due later than this got their time from the wrong clock.
    ///   - now: the current time.
    /// - Returns: the number of lines that were reset.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func reopenCronLines(waitingAfter limit: Moment, now: Moment) async throws -> Int {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE cron_run SET due = :now WHERE state = 'waiting' AND due > :limit"
            ).execute(arguments: ["now": now.milliseconds, "limit": limit.milliseconds])
            try db.cachedStatement(
                sql: "UPDATE cron_line SET covered_to = :now, era = era + 1 WHERE covered_to > :now"
            ).execute(arguments: ["now": now.milliseconds])
            return db.changesCount
        }
    }
}

extension ListedCronLine {
    fileprivate func list(now: Moment, in db: Database) throws -> Moment {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO cron_line AS known (name, timing, covered_to, is_listed)
                VALUES (:name, :timing, :now, 1)
                ON CONFLICT (name) DO UPDATE SET
                    covered_to = CASE
                        WHEN known.covered_to < :now
                            AND (known.is_listed = 0 OR known.timing <> :timing)
                        THEN :now ELSE known.covered_to END,
                    timing = :timing, is_listed = 1
                RETURNING covered_to
                """)
        let covered = try Int64.fetchOne(
            statement,
            arguments: [
                "name": name, "timing": timing, "now": now.milliseconds,
            ])
        return covered.map(Moment.init(milliseconds:)) ?? now
    }
}

extension CronClaim {
    /// Carries out the claim. Only one process can succeed: the update requires that the line is
    /// still handled up to `coveredFrom`.
    fileprivate func carryOut(
        now: Moment, in db: Database
    ) throws -> (runs: [JobRun], coveredTo: Moment) {
        let isFirst = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    UPDATE cron_line SET covered_to = :to
                    WHERE name = :name AND covered_to = :from RETURNING id
                    """),
            arguments: [
                "name": line, "from": coveredFrom.milliseconds, "to": coveredTo.milliseconds,
            ])
        guard isFirst != nil else { return ([], try dealtWith(in: db) ?? coveredTo) }
        let why = try reasonToLeaveOut(now: now, in: db)
        let runs = try fires.compactMap { fire in
            try JobRun.insert(
                line: line, job: job, origin: .time, fire, leftOut: why, now: now, in: db)
        }
        return (runs, coveredTo)
    }

    private func dealtWith(in db: Database) throws -> Moment? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT covered_to FROM cron_line WHERE name = :name"),
            arguments: ["name": line]
        ).map(Moment.init(milliseconds:))
    }

    private func reasonToLeaveOut(now: Moment, in db: Database) throws -> String? {
        if try skipsOverlaps && JobRun.goesOn(line: line, in: db) {
            return "the previous run was still running"
        }
        let waiting = try JobRun.waitingCount(line: line, dueBy: now, in: db)
        guard waiting >= (skipsOverlaps ? 2 : Store.waitingRunsMax) else { return nil }
        return "\(waiting) runs of this line are already waiting"
    }
}
