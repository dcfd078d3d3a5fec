import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The result of an attempt, to be recorded.
public struct FinishedAttempt: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// The sink's report.
    public let report: AttemptReport
    /// The decision about the delivery.
    public let verdict: Verdict
    /// True if nothing was sent: the intent is deleted, and no attempt is counted.
    public let isWithdrawn: Bool
    /// The key of the delivery; `nil` if the result says nothing about the channel.
    public let key: DeliveryKey?

    /// Describes a finished attempt.
    public init(id: Int64, key: DeliveryKey? = nil, report: AttemptReport, verdict: Verdict) {
        self.id = id
        self.key = key
        self.report = report
        self.verdict = verdict
        isWithdrawn = false
    }

    /// Withdraws an attempt that never began to send. It does not count as an attempt.
    public init(withdrawing id: Int64) {
        self.id = id
        key = nil
        report = AttemptReport(.retry)
        verdict = Verdict(.planned)
        isWithdrawn = true
    }
}

/// The results of beginning a batch of attempts.
public struct BegunAttempts: Sendable {
    /// Deliveries to be sent.
    public var deliveries: [Delivery] = []
    /// The keys of rows that could not be read and were parked, with the reasons.
    public var parked: [(key: String, reason: String)] = []
    /// Deliveries that still wait: held back or rescheduled.
    public var deferred: [DeferredDelivery] = []
    /// Deliveries that expired because their deadline had passed.
    public var expired: [ExpiredDelivery] = []
    /// The keys of rows that were suppressed because of their address, with the reasons.
    public var suppressed: [(key: String, reason: String)] = []
}

/// A delivery that was due and still waits.
public struct DeferredDelivery: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// The delivery's key.
    public let name: String
    /// The new due time.
    public let due: Moment
    /// The reason why it is held back; empty if it was only rescheduled.
    public let reason: String

    init(id: Int64, row: LedgerRow) {
        self.id = id
        name = row.name
        due = row.due
        reason = row.hold == nil ? "" : row.reason
    }
}

/// A delivery that was closed because its deadline had passed.
public struct ExpiredDelivery: Sendable {
    /// The delivery's key.
    public let name: String
    /// The time when it was due.
    public let due: Moment
    /// The reason why it was not sent.
    public let reason: String
}

/// A delivery whose worker stopped during an attempt.
public struct OrphanedDelivery: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// The delivery's key.
    public let name: String
    /// The number of earlier ambiguous attempts.
    public let ambiguities: Int
    /// The moment after which the delivery is of no use.
    public let deadline: Moment
    /// The channel that it was sent through.
    public let channel: String
    /// The number of attempts so far, including the interrupted one.
    public let attempts: Int
    /// The number of earlier attempts during which a worker crashed.
    public let deaths: Int
    /// The number of the worker that began the attempt.
    public let worker: Int64
}

extension Store {
    /// The prefix of the reason when a person retries a delivery manually: its retry schedule
    /// starts again from there.
    public static let takenUpReason = "taken up again"

    /// Registers a worker; its intents carry its number. Earlier workers without open intents are
    /// removed.
    ///
    /// - Returns: the worker's number.
    public func takeOnWorker(named name: String, now: Moment) async throws -> Int64 {
        try await write { db in
            // Insert before deleting: a number must never be assigned twice.
            let number = try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO worker (name, started_at) VALUES (:name, :now) RETURNING id
                    """, arguments: ["name": name, "now": now.milliseconds])
            guard let number else { throw StoreError.failed("no worker number was assigned") }
            try db.execute(
                sql: """
                    DELETE FROM worker WHERE id < :number
                        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.worker_id = worker.id)
                    """, arguments: ["number": number])
            return number
        }
    }

    /// Fails unless `worker` is the newest worker: only one may work at a time. The lock of the
    /// installation ensures this as long as nobody removes the lock file.
    private func checkIsAtWork(_ worker: Int64, in db: Database) throws {
        let isTaken = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM worker WHERE id > :worker)"),
            arguments: ["worker": worker])
        if isTaken == true { throw StoreLoss.taken(path: path) }
    }

    /// Records that these deliveries are about to be sent, and returns them with their current
    /// facts.
    ///
    /// Rows that were superseded meanwhile are left out. Rows that are not due at `moment` stay
    /// planned, and rows whose deadline has passed expire. A row that cannot be read is parked, so
    /// that it blocks no other. Rows that the person's policies hold back are deferred to a later
    /// time. `zones` are the time zone rules for the sending hours. Links in the deliveries are
    /// stored here.
    ///
    /// - Throws: ``StoreError``; ``StoreLoss/taken(path:)`` if a newer worker is registered.
    public func beginAttempts(
        _ ids: [Int64], by worker: Int64, dueAt moment: Moment, now: Moment, zones: ZoneDirectory,
        links generator: LinkGenerator? = nil
    ) async throws -> BegunAttempts {
        // Reading before the write transaction begins keeps other writers from waiting.
        let early = try await read { db in try DeliveryLoader(reading: ids, by: zones, in: db) }
        return try await write { db in
            try self.checkIsAtWork(worker, in: db)
            var loader =
                try early.isCurrent(in: db)
                ? early : DeliveryLoader(reading: ids, by: zones, in: db)
            var admission = try Admission(zones: zones, now: now, in: db)
            var begun = BegunAttempts()
            begun.deliveries.reserveCapacity(ids.count)
            for id in ids {
                do {
                    guard let draft = try loader.draft(id, in: db), draft.isFree else { continue }
                    guard draft.row.due <= moment else {
                        begun.deferred.append(DeferredDelivery(id: id, row: draft.row))
                        continue
                    }
                    guard draft.row.deadline > now else {
                        begun.expired.append(
                            try LedgerChanges.expire(
                                draft.row, because: draft.row.lateness, now: now, in: db))
                        continue
                    }
                    guard
                        var delivery = try admission.admit(draft, of: &loader, into: &begun, in: db)
                    else { continue }
                    if let generator {
                        delivery.links = try LinkRows.links(
                            of: delivery, by: generator, now: now, in: db)
                    }
                    try ChannelRows.address(&delivery, now: now, in: db)
                    try loader.appendIntent(for: draft, by: worker, now: now, in: db)
                    begun.deliveries.append(delivery)
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

    /// Parks a waiting row, and returns its key; `nil` if it no longer waits.
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

    /// Records the outcomes of attempts.
    ///
    /// Accepted attempts are folded into the ledger later, by ``foldOutcomes(limit:)``: until then
    /// the intent and the outcome tell everything. All others are folded at once, and their
    /// meetings are replanned in the same transaction: a change of the meeting could not touch a
    /// delivery under way and treated it as delivered. If it was not delivered, its content may
    /// have to change; if it may have been delivered, it must not be sent again when it is no
    /// longer needed.
    ///
    /// - Parameters:
    ///   - finished: the results of the attempts.
    ///   - now: the current time.
    ///   - replanning: makes the function that replans a meeting after an attempt that may have
    ///     arrived (`true`) or did not arrive (`false`).
    /// - Returns: the meetings that could not be replanned, and why; the outcomes are recorded all
    ///   the same.
    /// - Throws: ``StoreError``; nothing is recorded then.
    public func finishAttempts(
        _ finished: [FinishedAttempt], now: Moment,
        replanning: @escaping @Sendable (_ mayHaveArrived: Bool) -> Replanning
    ) async throws -> [ReplanFailure] {
        try await write { db in
            // An outcome that is already recorded stays: only the store's reply may have been lost.
            var open = try LedgerBatches.underWay(finished.map(\.id), in: db)
            for attempt in finished where !attempt.isWithdrawn {
                guard open.remove(attempt.id) != nil else { continue }
                try attempt.appendOutcome(now: now, in: db)
            }
            try AccountMarks.raise(forDeliveries: finished.map(\.id), in: db)
            try AccountMarks.fillInboxes(byDeliveries: finished.map(\.id), in: db)
            try ChannelTroubles.learn(from: finished, now: now, in: db)
            let concerned = try SuppressionList.learn(from: finished, now: now, in: db)
            let unsettled = finished.filter { $0.verdict.state != .accepted }
            for attempt in unsettled {
                if attempt.isWithdrawn {
                    try attempt.withdraw(in: db)
                } else {
                    _ = try Fold.one(attempt.id).settle(in: db)
                }
            }
            var failures = try MeetingBundle.replanEach(
                Set(concerned), by: replanning(false), in: db)
            failures += try [false, true].flatMap { mayHaveArrived in
                let attempts = unsettled.filter {
                    $0.report.outcome.mayHaveArrived == mayHaveArrived
                }
                let meetings = Set(try attempts.compactMap { try $0.meeting(in: db) })
                return try MeetingBundle.replanEach(
                    meetings, by: replanning(mayHaveArrived), in: db)
            }
            return failures
        }
    }

    /// The deliveries whose attempt has no outcome.
    public func orphanedDeliveries() async throws -> [OrphanedDelivery] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT d.id, d.key, d.ambiguities, d.deadline, d.channel, i.number,
                        i.worker_id, (
                        SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id
                        AND a.code = '\(AttemptReport.deathCode)' AND a.ended_at > coalesce((
                            SELECT max(t.at) FROM delivery_turn t
                            WHERE t.delivery_id = d.id AND t.state = 'planned'
                                AND t.reason LIKE '\(Self.takenUpReason)%'), 0)) AS deaths
                    FROM intent i JOIN delivery d ON d.id = i.delivery_id
                    WHERE NOT EXISTS (
                        SELECT 1 FROM outcome o WHERE o.delivery_id = i.delivery_id)
                    ORDER BY i.delivery_id
                    """
            ).map { row in
                OrphanedDelivery(
                    id: row["id"], name: row["key"], ambiguities: row["ambiguities"],
                    deadline: Moment(milliseconds: row["deadline"]), channel: row["channel"],
                    attempts: row["number"], deaths: row["deaths"], worker: row["worker_id"])
            }
        }
    }
}

extension FinishedAttempt {
    fileprivate func appendOutcome(now: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO outcome (delivery_id, at, outcome, code, reply, state, reason, due)
                VALUES (:id, :now, :outcome, :code, :reply, :state, :reason, :due)
                """
        ).execute(arguments: [
            id, now.milliseconds, report.outcome.rawValue, report.code, report.reply,
            verdict.state.rawValue, verdict.reason, verdict.due?.milliseconds,
        ])
    }

    /// Deletes the intent.
    fileprivate func withdraw(in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM intent WHERE delivery_id = :id AND NOT EXISTS (
                    SELECT 1 FROM outcome o WHERE o.delivery_id = intent.delivery_id)
                """
        ).execute(arguments: ["id": id])
    }

    fileprivate func meeting(in db: Database) throws -> MeetingID? {
        let statement = try db.cachedStatement(
            sql: "SELECT meeting_id FROM delivery WHERE id = :id")
        // A delivery without a meeting has nothing to replan.
        return try String.fetchOne(statement, arguments: ["id": id]).map { MeetingID(text: $0) }
    }
}
