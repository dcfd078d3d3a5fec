import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// What is to be written of a delivery whose attempt has ended.
public struct FinishedAttempt: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// What the sink said.
    public let report: AttemptReport
    /// What becomes of the delivery.
    public let verdict: Verdict
    /// Whether nothing was sent: the intent is taken back, and no attempt was made.
    public let isWithdrawn: Bool
    /// By which channel it went, where what became of it is to be kept of the channel.
    public let key: DeliveryKey?

    /// Describes a finished attempt.
    public init(id: Int64, key: DeliveryKey? = nil, report: AttemptReport, verdict: Verdict) {
        self.id = id
        self.key = key
        self.report = report
        self.verdict = verdict
        isWithdrawn = false
    }

    /// An attempt that never began to send, and is none.
    public init(withdrawing id: Int64) {
        self.id = id
        key = nil
        report = AttemptReport(.retry)
        verdict = Verdict(.planned)
        isWithdrawn = true
    }
}

/// What was begun of a batch.
public struct BegunAttempts: Sendable {
    /// What is to be sent.
    public var deliveries: [Delivery] = []
    /// The keys of rows that cannot be read and were parked, and why.
    public var parked: [(key: String, reason: String)] = []
    /// What waits on, held back or given another time, and until when.
    public var deferred: [DeferredDelivery] = []
    /// What was closed because its time had passed.
    public var expired: [ExpiredDelivery] = []
    /// The keys of rows that were closed because nothing is sent to their address, and why.
    public var suppressed: [(key: String, reason: String)] = []
}

/// A delivery that was due and waits on.
public struct DeferredDelivery: Sendable {
    /// Its number.
    public let id: Int64
    /// Its key.
    public let name: String
    /// When it is to be sent now.
    public let due: Moment
    /// What holds it back; empty where it was given another time meanwhile.
    public let reason: String

    init(id: Int64, row: LedgerRow) {
        self.id = id
        name = row.name
        due = row.due
        reason = row.hold == nil ? "" : row.reason
    }
}

/// A delivery that was closed because its time had passed.
public struct ExpiredDelivery: Sendable {
    /// Its key.
    public let name: String
    /// When it was to be sent.
    public let due: Moment
    /// Why it was not.
    public let reason: String
}

/// A delivery that a worker left behind when it died.
public struct OrphanedDelivery: Sendable {
    /// Its number.
    public let id: Int64
    /// Its key.
    public let name: String
    /// How often it had become ambiguous before.
    public let ambiguities: Int
    /// After this moment it is of no use.
    public let deadline: Moment
    /// The channel that it was sent through.
    public let channel: String
    /// Attempts so far, the one that was cut off included.
    public let attempts: Int
    /// How often a worker died under it before.
    public let deaths: Int
}

extension Store {
    /// How the reason of a delivery begins that waits again because somebody took it up by hand:
    /// its schedule begins anew.
    public static let takenUpReason = "taken up again"

    /// Takes on a worker, whose intents bear its number; those who worked before and left nothing
    /// behind are struck off.
    ///
    /// - Returns: the worker's number.
    public func takeOnWorker(named name: String, now: Moment) async throws -> Int64 {
        try await write { db in
            // Before the others go: a number that was given is not given again.
            let number = try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO worker (name, started_at) VALUES (:name, :now) RETURNING id
                    """, arguments: ["name": name, "now": now.milliseconds])
            guard let number else { throw StoreError.failed("no worker was taken on") }
            try db.execute(
                sql: """
                    DELETE FROM worker WHERE id < :number
                        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.worker_id = worker.id)
                    """, arguments: ["number": number])
            return number
        }
    }

    /// One works at a time: who was taken on last. The lock of the home sees to that as long as
    /// nobody removes its file.
    private func checkIsAtWork(_ worker: Int64, in db: Database) throws {
        let isTaken = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM worker WHERE id > :worker)"),
            arguments: ["worker": worker])
        if isTaken == true { throw StoreLoss.taken(path: path) }
    }

    /// Records that these deliveries are about to be sent, and returns their letters as they are
    /// now: a row that was superseded meanwhile is left out, one that was not due at the moment for
    /// which it was taken waits on, and one whose time has passed is closed. One that cannot be
    /// read is parked: it holds up no other. What its person's policies hold back is deferred: it
    /// waits with a later time. `zones` are the rules by which their hours are told. The links that
    /// the letters bring are known from then on.
    ///
    /// - Throws: ``StoreError``; ``StoreLoss/taken(path:)`` where another worker was taken on.
    public func beginAttempts(
        _ ids: [Int64], by worker: Int64, dueAt moment: Moment, now: Moment, zones: ZoneDirectory,
        links generator: LinkGenerator? = nil
    ) async throws -> BegunAttempts {
        // What is read before the writer has its turn does not hold up others who write.
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

    /// Records how attempts ended.
    ///
    /// What was accepted is folded into the ledger later, by ``foldOutcomes(limit:)``: until then
    /// the two rows of its attempt tell all. What was not accepted is folded at once, and its
    /// meeting is planned anew in the same transaction. For whoever changed it meanwhile could not
    /// touch what was under way, and took it for told: what did not arrive may be told otherwise
    /// now, and what may have arrived may not be sent again when nobody wants it any more.
    ///
    /// - Parameters:
    ///   - finished: how they ended.
    ///   - now: the clock.
    ///   - replanning: plans meetings of which something may have arrived (`true`), or did not.
    /// - Returns: the meetings that could not be planned anew, and why: what was sent is recorded
    ///   all the same.
    /// - Throws: ``StoreError``; nothing is recorded then.
    public func finishAttempts(
        _ finished: [FinishedAttempt], now: Moment,
        replanning: @escaping @Sendable (_ mayHaveArrived: Bool) -> Replanning
    ) async throws -> [ReplanFailure] {
        try await write { db in
            // An outcome that was recorded before stands: the store may have lost its answer only.
            var open = try LedgerBatches.underWay(finished.map(\.id), in: db)
            for attempt in finished where !attempt.isWithdrawn {
                guard open.remove(attempt.id) != nil else { continue }
                try attempt.appendOutcome(now: now, in: db)
            }
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
                    SELECT d.id, d.key, d.ambiguities, d.deadline, d.channel, i.number, (
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
                    attempts: row["number"], deaths: row["deaths"])
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

    /// Takes the intent back.
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
        // What is about no meeting leaves nothing to plan anew.
        return try String.fetchOne(statement, arguments: ["id": id]).map { MeetingID(text: $0) }
    }
}
