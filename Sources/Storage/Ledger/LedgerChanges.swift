import Agenda
import GRDB
import Ledger
import Timekeeping

/// The changes that planning makes in the ledger, inside the transaction of a use case.
enum LedgerChanges {
    /// Inserts a row. If a row with the same key was superseded, or suppressed by the suppression
    /// list, that row is planned again.
    ///
    /// A new row itself records that and when it was planned: most rows have no other state change
    /// before they are sent.
    static func plan(_ row: LedgerRow, bodyID: Int64?, now: Moment, in db: Database) throws {
        let isPlain = row.state == .planned && row.reason.isEmpty
        let isNew = try insert(row, bodyID: bodyID, plannedAt: isPlain ? now : nil, in: db)
        guard isNew || row.state == .planned else {
            return try planSuppressed(row, bodyID: bodyID, now: now, in: db)
        }
        guard try isNew ? !isPlain : takeUp(row, bodyID: bodyID, in: db) else { return }
        try note(row.name, is: row.state, reason: row.reason, now: now, in: db)
    }

    /// Plans a superseded row again whose address is suppressed: it is sent when that has ended.
    private static func planSuppressed(
        _ row: LedgerRow, bodyID: Int64?, now: Moment, in db: Database
    ) throws {
        var open = row
        (open.state, open.reason, open.hold) = (.planned, "", nil)
        guard try takeUp(open, bodyID: bodyID, in: db) else { return }
        try note(open.name, is: open.state, reason: open.reason, now: now, in: db)
        try suppress([row], now: now, in: db)
    }

    /// Stores a text for rows to refer to.
    ///
    /// - Returns: the text's number.
    static func insertBody(
        _ text: String, by author: PersonID, now: Moment, in db: Database
    ) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO body (author_id, text, written_at) VALUES (:author, :text, :now)
                    RETURNING id
                    """),
            arguments: ["author": author.text, "text": text, "now": now.milliseconds])
    }

    private static func insert(
        _ row: LedgerRow, bodyID: Int64?, plannedAt: Moment?, in db: Database
    ) throws -> Bool {
        let key = row.key.notification
        try db.cachedStatement(
            sql: """
                INSERT INTO delivery (
                    key, meeting_id, occurrence, person_id, audience, kind, mark, channel,
                    address, due, deadline, state, reason, body_id, hold, wanted, planned_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (key) DO NOTHING
                """
        ).execute(arguments: [
            row.name, key.meeting.isEmpty ? nil : key.meeting, key.occurrence,
            key.receiver.person, key.receiver.audience, key.kind.rawValue, key.mark.text,
            row.key.channel, row.key.address, row.due.milliseconds, row.deadline.milliseconds,
            row.state.rawValue, row.reason, bodyID, row.hold?.kind.rawValue,
            row.hold?.wanted.milliseconds, plannedAt?.milliseconds,
        ])
        return db.changesCount > 0
    }

    private static func takeUp(_ row: LedgerRow, bodyID: Int64?, in db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET
                    state = :state, reason = :reason, due = :due, deadline = :deadline,
                    hold = :hold, wanted = :wanted, body_id = coalesce(:body, body_id)
                WHERE key = :key
                    AND (state = 'superseded' OR state = 'suppressed' AND hold = 'list')
                """
        ).execute(arguments: [
            "key": row.name, "due": row.due.milliseconds, "deadline": row.deadline.milliseconds,
            "state": row.state.rawValue, "reason": row.reason, "body": bodyID,
            "hold": row.hold?.kind.rawValue, "wanted": row.hold?.wanted.milliseconds,
        ])
        return db.changesCount > 0
    }

    /// Supersedes rows that are no longer valid.
    static func supersede(
        _ rows: [LedgerRow], reason: String, now: Moment, in db: Database
    ) throws {
        for row in rows where [.planned, .ambiguous, .parked].contains(row.state) {
            try turn(row.name, from: row.state, to: .superseded, reason: reason, now: now, in: db)
        }
    }

    /// Suppresses rows whose address is on the suppression list.
    static func suppress(_ rows: [LedgerRow], now: Moment, in db: Database) throws {
        for row in rows {
            for state in [DeliveryState.planned, .ambiguous] {
                try turn(
                    row.name, from: state, to: row.state, reason: row.reason, now: now, in: db)
            }
            try db.cachedStatement(
                sql: """
                    UPDATE delivery SET hold = :hold, wanted = :wanted, due = :wanted
                    WHERE key = :key AND state = :state
                    """
            ).execute(arguments: [
                "key": row.name, "state": row.state.rawValue, "hold": row.hold?.kind.rawValue,
                "wanted": row.hold?.wanted.milliseconds,
            ])
        }
    }

    /// Updates the times of waiting rows. Each update is recorded as a state change, whatever the
    /// reason, because the daemon learns of new times from these records.
    static func reschedule(_ rows: [LedgerRow], now: Moment, in db: Database) throws {
        for row in rows {
            let before = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT due, deadline FROM delivery WHERE key = :key"),
                arguments: ["key": row.name])
            try db.cachedStatement(
                sql: """
                    UPDATE delivery SET due = :due, deadline = :deadline, reason = :reason,
                        hold = :hold, wanted = :wanted
                    WHERE key = :key AND state IN ('planned', 'ambiguous')
                        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
                    """
            ).execute(arguments: [
                "key": row.name, "due": row.due.milliseconds,
                "deadline": row.deadline.milliseconds, "reason": row.reason,
                "hold": row.hold?.kind.rawValue, "wanted": row.hold?.wanted.milliseconds,
            ])
            guard db.changesCount > 0, let before else { continue }
            try note(
                row.name, is: row.state,
                reason: reason(row, wasDue: before["due"], useful: before["deadline"]), now: now,
                in: db)
        }
    }

    private static func reason(
        _ row: LedgerRow, wasDue due: Int64, useful deadline: Int64
    ) -> String {
        guard row.hold == nil else { return row.reason }
        if due != row.due.milliseconds { return "its time changed" }
        return deadline == row.deadline.milliseconds
            ? "no longer held back" : "its deadline changed"
    }

    /// Closes a row whose deadline passed before it could be sent.
    static func expire(
        _ row: LedgerRow, because reason: String, now: Moment, in db: Database
    ) throws -> ExpiredDelivery {
        try turn(row.name, from: row.state, to: .expired, reason: reason, now: now, in: db)
        return ExpiredDelivery(name: row.name, due: row.due, reason: reason)
    }

    /// Changes the state of a row, unless it was changed since it was read or is being sent.
    ///
    /// - Returns: whether the state was changed.
    @discardableResult
    static func turn(
        _ key: String, from old: DeliveryState, to state: DeliveryState, reason: String,
        due: Moment? = nil, deadline: Moment? = nil, now: Moment, in db: Database
    ) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET state = :state, reason = :reason, due = coalesce(:due, due),
                    deadline = coalesce(:deadline, deadline), hold = NULL, wanted = NULL
                WHERE key = :key AND state = :old
                    AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
                """
        ).execute(arguments: [
            "key": key, "old": old.rawValue, "state": state.rawValue, "reason": reason,
            "due": due?.milliseconds, "deadline": deadline?.milliseconds,
        ])
        guard db.changesCount > 0 else { return false }
        try note(key, is: state, reason: reason, now: now, in: db)
        return true
    }

    /// Records why a waiting delivery has a new due time.
    static func note(
        _ delivery: Int64, because reason: String, now: Moment, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO delivery_turn (delivery_id, at, state, reason)
                SELECT id, :now, state, :reason FROM delivery WHERE id = :id
                """
        ).execute(arguments: ["id": delivery, "now": now.milliseconds, "reason": reason])
    }

    /// Records a state change that is not the result of an attempt, or a new reason for the same
    /// state.
    private static func note(
        _ key: String, is state: DeliveryState, reason: String, now: Moment, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO delivery_turn (delivery_id, at, state, reason)
                SELECT id, :now, :state, :reason FROM delivery WHERE key = :key
                """
        ).execute(arguments: [
            "key": key, "now": now.milliseconds, "state": state.rawValue, "reason": reason,
        ])
    }
}
