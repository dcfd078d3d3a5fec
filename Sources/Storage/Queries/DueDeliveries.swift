public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A delivery that falls due: what the timer wheel has to know of it.
public struct DueDelivery: Equatable, Sendable {
    /// Its number in the store, smaller than its key and good for one run of a daemon.
    public let id: Int64
    /// When it is to be sent.
    public let due: Moment
}

/// What was tried, did not arrive, and waits.
public struct WaitingRetries: Equatable, Sendable {
    /// How many deliveries.
    public let count: Int
    /// When the first of them is tried again; `nil` when there is none.
    public let next: Moment?
}

/// What is to be written of a delivery whose attempt has ended.
public struct FinishedAttempt: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// What the sink said.
    public let report: AttemptReport
    /// What becomes of the delivery.
    public let verdict: Verdict

    /// Describes a finished attempt.
    public init(id: Int64, report: AttemptReport, verdict: Verdict) {
        self.id = id
        self.report = report
        self.verdict = verdict
    }
}

/// What was begun of a batch.
public struct BegunAttempts: Sendable {
    /// What is to be sent.
    public var letters: [Letter] = []
    /// The keys of rows that cannot be read and were parked, and why.
    public var parked: [(key: String, reason: String)] = []
}

/// A delivery that a worker left behind when it died.
public struct OrphanedDelivery: Sendable {
    /// Its number.
    public let id: Int64
    /// How often it had become ambiguous before.
    public let ambiguities: Int
    /// After this moment it is of no use.
    public let deadline: Moment
    /// The channel that it was sent through.
    public let channel: String
    /// Attempts so far, the one that was cut off included.
    public let attempts: Int
}

extension Store {
    /// What falls due up to a moment, the earliest first, at most `limit`.
    public func dueDeliveries(
        through horizon: Moment, limit: Int
    ) async throws -> [DueDelivery] {
        try await read { db in
            try Row.fetchAll(
                db, sql: Self.dueSQL,
                arguments: ["horizon": horizon.milliseconds, "limit": limit]
            ).map { DueDelivery(id: $0["id"], due: Moment(milliseconds: $0["due"])) }
        }
    }

    static let dueSQL = """
        SELECT id, due FROM delivery
        WHERE state IN ('planned', 'ambiguous') AND due <= :horizon
        ORDER BY due, id LIMIT :limit
        """

    /// Records that these deliveries are about to be sent, and returns their letters as they are
    /// now: a row that was superseded meanwhile, or was not due at the moment for which it was
    /// taken, is left out. One that cannot be read is parked: it holds up no other.
    public func beginAttempts(
        _ ids: [Int64], dueAt moment: Moment, now: Moment
    ) async throws -> BegunAttempts {
        try await write { db in
            var desk = LetterDesk()
            var begun = BegunAttempts()
            for id in ids {
                do {
                    guard let letter = try desk.letter(id, in: db),
                        try Self.claim(id, dueAt: moment, now: now, in: db)
                    else { continue }
                    begun.letters.append(letter)
                } catch let error where !(error is DatabaseError) {
                    let reason = "it cannot be read: \(error)"
                    guard let key = try Self.park(id, reason: reason, now: now, in: db)
                    else { continue }
                    begun.parked.append((key, reason))
                }
            }
            return begun
        }
    }

    /// Holds a row that waits, and returns its key; `nil` when it waits no more.
    private static func park(
        _ id: Int64, reason: String, now: Moment, in db: Database
    ) throws -> String? {
        let key = try String.fetchOne(
            db, sql: "SELECT key FROM delivery WHERE id = :id", arguments: ["id": id])
        guard let key else { return nil }
        let isParked = try [DeliveryState.planned, .ambiguous].contains { state in
            try LedgerChanges.turn(
                key, from: state, to: .parked, reason: reason, now: now, in: db)
        }
        return isParked ? key : nil
    }

    private static func claim(
        _ id: Int64, dueAt moment: Moment, now: Moment, in db: Database
    ) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET state = 'claimed'
                WHERE id = :id AND state IN ('planned', 'ambiguous') AND due <= :moment
                """
        ).execute(arguments: ["id": id, "moment": moment.milliseconds])
        guard db.changesCount > 0 else { return false }
        try db.cachedStatement(
            sql: """
                INSERT INTO attempt (delivery_id, number, at, history_number)
                SELECT :id, coalesce(max(number), 0) + 1, :now, (
                    SELECT max(h.number) FROM meeting_history h
                    JOIN delivery d ON d.meeting_id = h.meeting_id WHERE d.id = :id)
                FROM attempt WHERE delivery_id = :id
                """
        ).execute(arguments: ["id": id, "now": now.milliseconds])
        return true
    }

    /// Those of these deliveries that were under way before when a worker died or an answer was
    /// lost, those to which that happened least often first.
    public func suspects(among ids: [Int64]) async throws -> [Int64] {
        guard !ids.isEmpty else { return [] }
        return try await read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM delivery
                    WHERE ambiguities > 0 AND id IN (\(ids.map(String.init).joined(separator: ",")))
                    ORDER BY ambiguities, id
                    """)
        }
    }

    /// Records how attempts ended, and where their deliveries stand now.
    ///
    /// What was planned while a send was under way took it for told; meetings of which something
    /// did not arrive are planned anew in the same transaction.
    ///
    /// - Returns: the meetings that could not be planned anew, and why: what was sent is recorded
    ///   all the same.
    /// - Throws: ``StoreError``; nothing is recorded then.
    public func finishAttempts(
        _ finished: [FinishedAttempt], now: Moment, replanning: @escaping Replanning
    ) async throws -> [(meeting: MeetingID, reason: any Error)] {
        try await write { db in
            for attempt in finished { try attempt.record(now: now, in: db) }
            let untold = finished.filter { !$0.report.outcome.mayHaveArrived }
            var failures: [(meeting: MeetingID, reason: any Error)] = []
            for meeting in Set(try untold.compactMap { try $0.meeting(in: db) }) {
                do {
                    try db.inSavepoint {
                        try MeetingBundle.replan([meeting], by: replanning, in: db)
                        return .commit
                    }
                } catch let error where !(error is DatabaseError) {
                    failures.append((meeting, error))
                }
            }
            return failures
        }
    }

    /// Closes what can no longer be of use, and returns how many rows that were.
    public func expireDeliveries(now: Moment, limit: Int) async throws -> Int {
        try await write { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT key, state FROM delivery
                    WHERE state IN ('planned', 'ambiguous') AND due <= :now AND deadline <= :now
                    ORDER BY due LIMIT :limit
                    """, arguments: ["now": now.milliseconds, "limit": limit])
            for row in rows {
                try LedgerChanges.turn(
                    row["key"], from: try StoredValue.decode(row["state"]), to: .expired,
                    reason: "its time passed before it could be sent", now: now, in: db)
            }
            return rows.count
        }
    }

    /// The deliveries whose attempt has no outcome: only a worker that died leaves them.
    public func orphanedDeliveries() async throws -> [OrphanedDelivery] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT d.id, d.ambiguities, d.deadline, d.channel,
                        (SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id) AS attempts
                    FROM delivery d WHERE d.state = 'claimed' ORDER BY d.id
                    """
            ).map { row in
                OrphanedDelivery(
                    id: row["id"], ambiguities: row["ambiguities"],
                    deadline: Moment(milliseconds: row["deadline"]), channel: row["channel"],
                    attempts: row["attempts"])
            }
        }
    }

    /// The deliveries that were tried before, and are not due again yet.
    public func waitingRetries(now: Moment) async throws -> WaitingRetries {
        try await read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*) AS count, min(d.due) AS next FROM delivery d
                    WHERE d.state IN ('planned', 'ambiguous') AND d.due > :now
                        AND EXISTS (SELECT 1 FROM attempt a WHERE a.delivery_id = d.id)
                    """, arguments: ["now": now.milliseconds])
            return WaitingRetries(
                count: row?["count"] ?? 0,
                next: (row?["next"] as Int64?).map(Moment.init(milliseconds:)))
        }
    }

    /// When the next delivery falls due, whatever the horizon.
    public func nextDue() async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT due FROM delivery WHERE state IN ('planned', 'ambiguous')
                    ORDER BY due LIMIT 1
                    """
            ).map(Moment.init(milliseconds:))
        }
    }
}

extension FinishedAttempt {
    fileprivate func record(now: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO attempt_outcome (attempt_id, at, outcome, code, reply)
                SELECT id, :now, :outcome, :code, :reply FROM attempt
                WHERE delivery_id = :id ORDER BY number DESC LIMIT 1
                """
        ).execute(arguments: [
            "id": id, "now": now.milliseconds, "outcome": report.outcome.rawValue,
            "code": report.code, "reply": report.reply,
        ])
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET state = :state, reason = :reason,
                    due = coalesce(:due, due), ambiguities = ambiguities + :more
                WHERE id = :id AND state = 'claimed'
                """
        ).execute(arguments: [
            "id": id, "state": verdict.state.rawValue, "reason": verdict.reason,
            "due": verdict.due?.milliseconds, "more": report.outcome == .ambiguous ? 1 : 0,
        ])
    }

    fileprivate func meeting(in db: Database) throws -> MeetingID? {
        let statement = try db.cachedStatement(
            sql: "SELECT meeting_id FROM delivery WHERE id = :id")
        return try String.fetchOne(statement, arguments: ["id": id]).map { MeetingID(text: $0) }
    }
}
