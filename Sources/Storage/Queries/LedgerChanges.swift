import Agenda
import GRDB
import Ledger
import Timekeeping

/// The statements that planning runs on the ledger, inside a use case's transaction.
enum LedgerChanges {
    /// Inserts a row, or takes up again one of the same key that was superseded, or suppressed by
    /// the list.
    static func plan(_ row: LedgerRow, bodyID: Int64?, now: Moment, in db: Database) throws {
        let key = row.key.notification
        try db.cachedStatement(
            sql: """
                INSERT INTO delivery (
                    key, meeting_id, occurrence, person_id, kind, mark, channel, address, due,
                    deadline, state, reason, body_id, hold, wanted)
                VALUES (
                    :key, :meeting, :occurrence, :person, :kind, :mark, :channel, :address, :due,
                    :deadline, :state, :reason, :body, :hold, :wanted)
                ON CONFLICT (key) DO UPDATE SET
                    state = :state, reason = :reason, due = :due, deadline = :deadline,
                    hold = :hold, wanted = :wanted, body_id = coalesce(:body, delivery.body_id)
                WHERE delivery.state = 'superseded'
                    OR delivery.state = 'suppressed' AND delivery.hold = 'list'
                """
        ).execute(arguments: [
            "key": row.name, "meeting": key.meeting, "occurrence": key.occurrence,
            "person": key.person, "kind": key.kind.rawValue, "mark": key.mark,
            "channel": row.key.channel, "address": row.key.address,
            "due": row.due.milliseconds, "deadline": row.deadline.milliseconds,
            "state": row.state.rawValue, "reason": row.reason, "body": bodyID,
            "hold": row.hold?.kind.rawValue, "wanted": row.hold?.wanted.milliseconds,
        ])
        guard db.changesCount > 0 else { return }
        try note(row.name, is: row.state, reason: row.reason, now: now, in: db)
    }

    /// Closes rows that no longer hold.
    static func supersede(
        _ rows: [LedgerRow], reason: String, now: Moment, in db: Database
    ) throws {
        for row in rows where [.planned, .ambiguous, .parked].contains(row.state) {
            try turn(row.name, from: row.state, to: .superseded, reason: reason, now: now, in: db)
        }
    }

    /// Closes rows to addresses to which nothing is sent.
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

    /// Gives rows that wait the times that they have now; what is held back is noted with its
    /// reason.
    static func reschedule(_ rows: [LedgerRow], now: Moment, in db: Database) throws {
        for row in rows {
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
            guard db.changesCount > 0, row.hold != nil else { continue }
            try note(row.name, is: row.state, reason: row.reason, now: now, in: db)
        }
    }

    /// Closes a row whose time has passed before it could be sent.
    static func expire(_ row: LedgerRow, now: Moment, in db: Database) throws {
        let why = row.hold == nil ? "" : ": \(row.reason)"
        try turn(
            row.name, from: row.state, to: .expired,
            reason: "its time passed before it could be sent\(why)", now: now, in: db)
    }

    /// Turns a row to another state, unless somebody else has turned it since it was read, or it
    /// is being sent.
    ///
    /// - Returns: whether it was turned.
    @discardableResult
    static func turn(
        _ key: String, from old: DeliveryState, to state: DeliveryState, reason: String,
        due: Moment? = nil, now: Moment, in db: Database
    ) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET state = :state, reason = :reason, due = coalesce(:due, due),
                    hold = NULL, wanted = NULL
                WHERE key = :key AND state = :old
                    AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
                """
        ).execute(arguments: [
            "key": key, "old": old.rawValue, "state": state.rawValue, "reason": reason,
            "due": due?.milliseconds,
        ])
        guard db.changesCount > 0 else { return false }
        try note(key, is: state, reason: reason, now: now, in: db)
        return true
    }

    /// Notes a turn of state that no attempt explains, or why the state lasts.
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
