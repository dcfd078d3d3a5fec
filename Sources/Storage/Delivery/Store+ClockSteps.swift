import Agenda
import GRDB
import Ledger
public import Timekeeping

extension Store {
    /// The upper bound for the wait before a retry, in milliseconds: longer than any retry schedule
    /// waits or any receiver may ask for.
    static let retryMillisecondsMax: Int64 = 2 * 86_400_000

    private static let backReason = "the clock was set back"

    /// The time of the last change of the ledger: a delivery planned, a state change, or the end of
    /// an attempt that will be retried.
    ///
    /// - Parameter now: the current time; of the attempts, only those that ended after it count.
    /// - Returns: that moment, by the clock at that time; `nil` if the ledger is empty.
    /// - Throws: ``StoreError``.
    public func lastTurn(now: Moment) async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT max(at) FROM (
                            SELECT at FROM delivery_turn
                            WHERE id = (SELECT max(id) FROM delivery_turn)
                            UNION ALL SELECT planned_at FROM delivery d
                            WHERE d.id = (SELECT max(id) FROM delivery) AND NOT EXISTS (
                                SELECT 1 FROM delivery_turn t WHERE t.delivery_id = d.id)
                            UNION ALL SELECT a.ended_at FROM attempt a
                            JOIN delivery d ON d.id = a.delivery_id
                            WHERE a.outcome IN ('retry', 'misconfigured', 'ambiguous')
                                AND a.ended_at > :now AND d.due >= a.ended_at
                                AND d.state IN ('planned', 'ambiguous')
                                AND NOT EXISTS (
                                    SELECT 1 FROM delivery_turn t
                                    WHERE t.delivery_id = a.delivery_id AND t.at <= :now
                                        AND t.reason = '\(Self.backReason)')) AS acts
                        """), arguments: ["now": now.milliseconds])
        }.map(Moment.init(milliseconds:))
    }

    /// Reschedules deliveries that were to be sent at once, or retried, by a clock that was ahead.
    /// Without this they would wait until the clock reaches the old time again. Reminders and
    /// deliveries held by sending hours keep their due times, which are wall-clock times; those
    /// that are too urgent to be held do not. Deliveries held by the flood guard are timed again
    /// when they come up.
    ///
    /// - Parameters:
    ///   - back: by how much the clock was set back.
    ///   - now: the current time, after the change.
    ///   - replanning: replans the meetings of reminders that were already attempted.
    /// - Returns: how many deliveries were rescheduled.
    /// - Throws: ``StoreError``.
    public func bringForward(
        byMilliseconds back: Int64, now: Moment, replanning: @escaping Replanning
    ) async throws -> ReplanCount {
        let ids = try await waitingByClockAhead(back, now: now)
        return try await write { db in
            // Gives the newest delivery an entry with the current time: see ``lastTurn(now:)``.
            let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM delivery"))
            try last.map { try LedgerChanges.note($0, because: Self.backReason, now: now, in: db) }
            var count = 0
            var reminded: Set<MeetingID> = []
            for id in ids {
                try db.cachedStatement(
                    sql: """
                        UPDATE delivery
                        SET due = CASE WHEN due - :back < :now THEN :now ELSE due - :back END,
                            wanted = CASE WHEN wanted IS NULL THEN NULL
                                WHEN due - :back < :now THEN :now ELSE due - :back END
                        WHERE id = :id AND state IN ('planned', 'ambiguous') AND due > :now
                            AND NOT EXISTS (
                                SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
                        """
                ).execute(arguments: ["id": id, "back": back, "now": now.milliseconds])
                guard db.changesCount > 0 else { continue }
                count += 1
                try LedgerChanges.note(id, because: Self.backReason, now: now, in: db)
                if let meeting = try MeetingID.ofReminder(id, in: db) { reminded.insert(meeting) }
            }
            // Planning knows the due time of a reminder that was sent too early.
            return ReplanCount(
                count: count,
                failures: try MeetingBundle.replanEach(reminded, by: replanning, in: db))
        }
    }

    /// The deliveries that wait only because the clock was ahead.
    private func waitingByClockAhead(_ back: Int64, now: Moment) async throws -> [Int64] {
        let latest = now.advanced(byMilliseconds: back)
            .advanced(byMilliseconds: Self.retryMillisecondsMax)
        return try await read { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT d.id FROM delivery d
                        WHERE d.state IN ('planned', 'ambiguous') AND d.due > :now
                            AND d.due <= :latest AND (d.hold IS NULL OR d.hold = 'flood'
                                OR d.hold = 'hours' AND d.due = d.wanted)
                            AND (NOT \(LedgerRules.isTimed) OR d.hold = 'flood' OR EXISTS (
                                SELECT 1 FROM attempt a WHERE a.delivery_id = d.id))
                            AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                        ORDER BY d.id
                        """),
                arguments: ["now": now.milliseconds, "latest": latest.milliseconds])
        }
    }

    /// Plans deliveries again that expired while the clock was ahead: their deadline is still in
    /// the future by the corrected clock. Works in small batches, so that nobody waits long: the
    /// caller repeats it until the count is 0.
    ///
    /// - Parameters:
    ///   - limit: the most deliveries; each may cause a replan of its meeting.
    ///   - now: the current time.
    ///   - replanning: replans their meetings, which may no longer need them.
    /// - Returns: how many deliveries were planned again; 0 when none is left.
    /// - Throws: ``StoreError``.
    public func reopenClosedAhead(
        limit: Int = 500, now: Moment, replanning: @escaping Replanning
    ) async throws -> ReplanCount {
        let closed = try await read { db in try Self.closedAhead(limit: limit, now: now, in: db) }
        guard !closed.isEmpty else { return ReplanCount(count: 0, failures: []) }
        return try await write { db in
            var meetings: Set<MeetingID> = []
            var count = 0
            for (key, meeting) in try Self.closedAhead(limit: limit, now: now, in: db) {
                let isTurned = try LedgerChanges.turn(
                    key, from: .expired, to: .planned,
                    reason: "it expired while the clock was ahead", now: now, in: db)
                guard isTurned else { continue }
                count += 1
                if let meeting { meetings.insert(meeting) }
            }
            return ReplanCount(
                count: count,
                failures: try MeetingBundle.replanEach(meetings, by: replanning, in: db))
        }
    }

    private static func closedAhead(
        limit: Int, now: Moment, in db: Database
    ) throws -> [(key: String, meeting: MeetingID?)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.key, d.meeting_id FROM delivery d
                    WHERE d.state = 'expired' AND d.deadline > :now AND EXISTS (
                        SELECT 1 FROM delivery_turn t WHERE t.delivery_id = d.id
                            AND t.state = 'expired' AND t.at > :now AND t.id = (
                                SELECT max(u.id) FROM delivery_turn u
                                WHERE u.delivery_id = d.id))
                    ORDER BY d.id LIMIT :limit
                    """), arguments: ["now": now.milliseconds, "limit": limit]
        ).map { ($0["key"], ($0["meeting_id"] as String?).map { MeetingID(text: $0) }) }
    }

    /// Plans the coming meetings of some people again: of those who chose other reminders while the
    /// clock was ahead. At that time, letsmeet left out reminders that seemed to be too late, and
    /// meetings that seemed to be over. Each person is a transaction of its own, so that other
    /// writers do not wait long.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - replanning: replans the meetings.
    /// - Returns: the number of meetings whose deliveries changed.
    /// - Throws: ``StoreError``.
    public func replanRemindedAhead(
        now: Moment, replanning: @escaping Replanning
    ) async throws -> ReplanCount {
        var count = 0
        var failures: [ReplanFailure] = []
        while let person = try await read({ db in try Self.remindedAhead(now: now, in: db) }) {
            let replanned = try await write { db in
                try person.noteReminders(changedAt: now, in: db)
                return try MeetingBundle.replanAndCount(
                    MeetingID.coming(of: person, now: now, in: db), by: replanning, in: db)
            }
            count += replanned.count
            failures += replanned.failures
        }
        return ReplanCount(count: count, failures: failures)
    }

    /// A person who chose other reminders at a time that is still to come.
    private static func remindedAhead(now: Moment, in db: Database) throws -> PersonID? {
        try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT id FROM person WHERE reminders_changed_at > :now LIMIT 1"),
            arguments: ["now": now.milliseconds]
        ).map { PersonID(text: $0) }
    }
}

extension Identifier<Meeting> {
    /// The meeting of a delivery if it is a reminder; else `nil`.
    fileprivate static func ofReminder(_ delivery: Int64, in db: Database) throws -> MeetingID? {
        try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT meeting_id FROM delivery WHERE id = :id AND kind = 'reminder'"),
            arguments: ["id": delivery]
        ).map { MeetingID(text: $0) }
    }
}
