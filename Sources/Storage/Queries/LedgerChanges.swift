import Agenda
import GRDB
import Ledger
import Timekeeping

/// The statements that planning runs on the ledger, inside a use case's transaction.
enum LedgerChanges {
    /// Inserts a row, or takes up again one of the same key that was superseded.
    static func plan(_ row: LedgerRow, bodyID: Int64?, now: Moment, in db: Database) throws {
        let key = row.key.notification
        try db.cachedStatement(
            sql: """
                INSERT INTO delivery (
                    key, meeting_id, occurrence, person_id, kind, mark, channel, address, due,
                    deadline, state, reason, body_id)
                VALUES (
                    :key, :meeting, :occurrence, :person, :kind, :mark, :channel, :address, :due,
                    :deadline, :state, :reason, :body)
                ON CONFLICT (key) DO UPDATE SET
                    state = 'planned', reason = '', due = :due, deadline = :deadline
                WHERE state = 'superseded'
                """
        ).execute(arguments: [
            "key": row.name, "meeting": key.meeting, "occurrence": key.occurrence,
            "person": key.person, "kind": key.kind.rawValue, "mark": key.mark,
            "channel": row.key.channel, "address": row.key.address,
            "due": row.due.milliseconds, "deadline": row.deadline.milliseconds,
            "state": row.state.rawValue, "reason": row.reason, "body": bodyID,
        ])
        try turn(key: row.name, to: row.state, reason: row.reason, now: now, in: db)
    }

    /// Closes rows that no longer hold.
    static func supersede(
        _ rows: [LedgerRow], reason: String, now: Moment, in db: Database
    ) throws {
        for row in rows {
            try db.cachedStatement(
                sql: """
                    UPDATE delivery SET state = 'superseded', reason = :reason
                    WHERE key = :key AND state IN ('planned', 'ambiguous', 'parked')
                    """
            ).execute(arguments: ["key": row.name, "reason": reason])
            guard db.changesCount > 0 else { continue }
            try turn(key: row.name, to: .superseded, reason: reason, now: now, in: db)
        }
    }

    /// Gives rows that wait the times that they have now.
    static func reschedule(_ rows: [LedgerRow], in db: Database) throws {
        for row in rows {
            try db.cachedStatement(
                sql: """
                    UPDATE delivery SET due = :due, deadline = :deadline
                    WHERE key = :key AND state IN ('planned', 'ambiguous')
                    """
            ).execute(arguments: [
                "key": row.name, "due": row.due.milliseconds,
                "deadline": row.deadline.milliseconds,
            ])
        }
    }

    /// Notes a turn of state that no attempt explains.
    static func turn(
        key: String, to state: DeliveryState, reason: String, now: Moment, in db: Database
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
