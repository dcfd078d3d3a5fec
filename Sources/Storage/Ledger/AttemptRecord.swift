import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// One attempt at a delivery, as stored in the ledger.
public struct AttemptRecord: Equatable, Sendable {
    /// The time when it began.
    public let at: Moment
    /// The outcome; `nil` while it is under way, or if its worker crashed.
    public let outcome: AttemptOutcome?
    /// The receiver's code.
    public let code: String
    /// The receiver's reply.
    public internal(set) var reply: String
}

/// A state change that is not the result of an attempt.
public struct StateChangeRecord: Equatable, Sendable {
    /// The time of the change.
    public let at: Moment
    /// The new state.
    public let state: DeliveryState
    /// The reason; empty when planned for the first time.
    public internal(set) var reason: String
}

extension AttemptRecord {
    static func fetchAll(_ delivery: Int64, in db: Database) throws -> [AttemptRecord] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT at, outcome, code, reply FROM attempt_now
                WHERE delivery_id = :id ORDER BY number
                """)
        return try Row.read(statement, arguments: ["id": delivery]) { row in
            AttemptRecord(
                at: Moment(milliseconds: row["at"]),
                outcome: try (row["outcome"] as String?).map { try StoredValue.decode($0) },
                code: row["code"], reply: row["reply"])
        }
    }
}

extension StateChangeRecord {
    static func fetchAll(_ delivery: Int64, in db: Database) throws -> [StateChangeRecord] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT at, state, reason FROM delivery_story
                WHERE delivery_id = :id ORDER BY number
                """)
        return try Row.read(statement, arguments: ["id": delivery]) { row in
            StateChangeRecord(
                at: Moment(milliseconds: row["at"]), state: try StoredValue.decode(row["state"]),
                reason: row["reason"])
        }
    }
}
