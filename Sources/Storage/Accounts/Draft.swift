public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A form that somebody has begun to fill in.
public struct Draft: Equatable, Sendable {
    /// The fields as JSON.
    public let fields: String
    /// The time of the last change.
    public let changedAt: Moment
}

extension Store {
    /// The draft of a person; `nil` if there is none.
    public func draft(of person: PersonID) async throws -> Draft? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT fields, changed_at FROM draft WHERE person_id = :person"),
                arguments: ["person": person.text]
            ).map { row in
                Draft(
                    fields: row["fields"],
                    changedAt: Moment(milliseconds: row["changed_at"]))
            }
        }
    }

    /// Keeps a draft instead of the one before.
    ///
    /// - Parameters:
    ///   - fields: the fields as JSON; `nil` to remove the draft.
    ///   - person: the person, who has an account.
    ///   - now: the current time.
    /// - Throws: ``StoreError``.
    public func keepDraft(_ fields: String?, of person: PersonID, now: Moment) async throws {
        try await write { db in
            guard let fields else {
                return try db.cachedStatement(
                    sql: "DELETE FROM draft WHERE person_id = :person"
                ).execute(arguments: ["person": person.text])
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO draft (person_id, fields, changed_at)
                    VALUES (:person, :fields, :now)
                    ON CONFLICT (person_id) DO UPDATE SET fields = :fields, changed_at = :now
                    """
            ).execute(arguments: [
                "person": person.text, "fields": fields, "now": now.milliseconds,
            ])
        }
    }
}
