import Agenda
import GRDB
import Ledger
public import Timekeeping

extension Store {
    /// How much later than a clock showed a next attempt may have been put, in milliseconds: more
    /// than any schedule waits, and any receiver may ask for.
    static let retryMillisecondsMax: Int64 = 2 * 86_400_000

    private static let backReason = "the clock was set back"

    /// When the ledger was last planned or changed, or an attempt ended after which another waits.
    ///
    /// - Parameter now: the clock; only attempts that ended after it count.
    /// - Returns: that moment, by the clock of then; `nil` while the ledger is empty.
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

    /// Brings what was to be sent at once, or to be tried again in a while, by a clock that was
    /// ahead, to the time that it has by the clock of now: it must not wait until this one shows
    /// the time of that one. Reminders and what a person's hours hold keep theirs, which is one on
    /// the wall; what the flood guard holds is timed anew when its turn comes.
    ///
    /// - Parameters:
    ///   - back: by how much the clock was set back.
    ///   - now: the clock after that.
    ///   - replanning: plans the meetings of those reminders anew of which an attempt was made.
    /// - Returns: how many deliveries have another time.
    /// - Throws: ``StoreError``.
    public func bringForward(
        byMilliseconds back: Int64, now: Moment, replanning: @escaping Replanning
    ) async throws -> ReplanCount {
        let ids = try await waitingByClockAhead(back, now: now)
        return try await write { db in
            // What was planned last turns now, whatever the clock showed: see ``lastTurn(now:)``.
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
            // Of a reminder that was sent too early, planning knows the time.
            return ReplanCount(
                count: count,
                failures: try MeetingBundle.replanEach(reminded, by: replanning, in: db))
        }
    }

    /// The deliveries that wait only because a clock was ahead by so much.
    private func waitingByClockAhead(_ back: Int64, now: Moment) async throws -> [Int64] {
        let latest = now.advanced(byMilliseconds: back)
            .advanced(byMilliseconds: Self.retryMillisecondsMax)
        return try await read { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT d.id FROM delivery d
                        WHERE d.state IN ('planned', 'ambiguous') AND d.due > :now
                            AND d.due <= :latest AND (d.hold IS NULL OR d.hold = 'flood')
                            AND (d.kind <> 'reminder' OR d.hold = 'flood' OR EXISTS (
                                SELECT 1 FROM attempt a WHERE a.delivery_id = d.id))
                            AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                        ORDER BY d.id
                        """),
                arguments: ["now": now.milliseconds, "latest": latest.milliseconds])
        }
    }

    /// Plans again what a clock that was ahead closed: it was closed at a time that has not come
    /// yet, and would be of use until one that has not come either. So many at a time that nobody
    /// waits long: the caller repeats it until none is left.
    ///
    /// - Parameters:
    ///   - limit: how many deliveries; each may have its meeting planned anew.
    ///   - now: the clock.
    ///   - replanning: plans their meetings anew, which may not want them any more.
    /// - Returns: how many deliveries wait again; 0 when none is left.
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
                    reason: "the clock was ahead when it was closed", now: now, in: db)
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
}

extension Identifier<Meeting> {
    /// The meeting of a delivery that is a reminder; `nil` of another one.
    fileprivate static func ofReminder(_ delivery: Int64, in db: Database) throws -> MeetingID? {
        try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT meeting_id FROM delivery WHERE id = :id AND kind = 'reminder'"),
            arguments: ["id": delivery]
        ).map { MeetingID(text: $0) }
    }
}
