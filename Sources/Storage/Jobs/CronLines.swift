import GRDB
public import Ledger
public import Timekeeping

/// A line of a crontab as the store knows it.
public struct ListedCronLine: Equatable, Sendable {
    /// What it is known by.
    public let name: String
    /// All that decides at which times it comes.
    public let timing: String

    /// Describes a line.
    public init(name: String, timing: String) {
        self.name = name
        self.timing = timing
    }
}

/// Times of a line that have come.
public struct CronClaim: Equatable, Sendable {
    /// One of them.
    public struct Fire: Equatable, Sendable {
        /// The time.
        public let nominal: Moment
        /// When its run begins.
        public let due: Moment

        /// Describes a time that has come.
        public init(nominal: Moment, due: Moment) {
            self.nominal = nominal
            self.due = due
        }
    }

    /// The name of the line.
    public let line: String
    /// What it starts, as it is typed.
    public let job: String
    /// Up to where the line's times were dealt with when this was decided.
    public let coveredFrom: Moment
    /// Up to where they are then.
    public let coveredTo: Moment
    /// The times that start something, in their order.
    public let fires: [Fire]
    /// Whether they are left out while an earlier run goes on.
    public let skipsOverlaps: Bool

    /// Describes what is claimed.
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
    /// Brings the lines that are known in line with a crontab.
    ///
    /// What was not known before, or not listed meanwhile, or came at other times, has dealt with
    /// all times up to now: they are not made up for.
    ///
    /// - Parameters:
    ///   - lines: those of the crontab.
    ///   - now: the clock.
    /// - Returns: by name, up to where the times of each line are dealt with.
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

    /// The most runs of a line that wait.
    public static let waitingRunsMax = 10_000

    /// Claims times of a line that have come: in one transaction each becomes a run, unless
    /// somebody has dealt with the line since that was decided.
    ///
    /// - Returns: the runs that this made, those that are left out among them, and up to where the
    ///   line's times are dealt with now.
    public func claim(
        _ claim: CronClaim, now: Moment
    ) async throws -> (runs: [JobRun], coveredTo: Moment) {
        try await write { db in try claim.carryOut(now: now, in: db) }
    }

    /// Claims the machine's start for lines that come with it, unless that was claimed before.
    ///
    /// - Parameters:
    ///   - boot: what tells this start of the machine from others.
    ///   - lines: the names of the lines, and what each starts.
    ///   - now: the clock.
    /// - Returns: the runs that this made.
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

    /// Follows a clock that was so far ahead that the times since come again: every line begins
    /// anew, and what waits for a time that a wrong clock gave it begins now.
    ///
    /// - Parameters:
    ///   - limit: what waits until later than this was given its time by a wrong clock.
    ///   - now: the clock.
    /// - Returns: how many lines that were.
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
    /// The write that only one can make: it moves what the line has dealt with from where it was.
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
            return "the run before it still went on"
        }
        let waiting = try JobRun.waitingCount(line: line, dueBy: now, in: db)
        guard waiting >= (skipsOverlaps ? 2 : Store.waitingRunsMax) else { return nil }
        return "\(waiting) of its runs wait already"
    }
}
