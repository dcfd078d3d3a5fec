public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// An event that changed who has access, or used it.
public struct AccessAct: Equatable, Sendable {
    /// The kinds of events.
    public enum Kind: String, CaseIterable, Sendable {
        /// Somebody signed in.
        case signedIn = "signed_in"
        /// A session was ended.
        case signedOut = "signed_out"
        /// An account was made.
        case invited
        /// An account got other rights.
        case role
        /// An account was disabled.
        case disabled
        /// An account was enabled again.
        case enabled
        /// A passkey was added.
        case passkeyAdded = "passkey_added"
        /// A passkey was removed.
        case passkeyRemoved = "passkey_removed"
        /// A password was set or changed.
        case passwordSet = "password_set"
        /// A password was removed.
        case passwordRemoved = "password_removed"
        /// An address was confirmed, with which the person signs in.
        case addressAdded = "address_added"
        /// An address was removed.
        case addressRemoved = "address_removed"
        /// The person deleted their account.
        case deleted
    }

    /// The time.
    public let at: Moment
    /// The person whose access it was.
    public let person: PersonID?
    /// The person who did it.
    public let actor: PersonID?
    /// The kind of event.
    public let kind: Kind
    /// More about it, such as the browser or the role.
    public let detail: String

    /// Makes an event.
    public init(
        _ kind: Kind, of person: PersonID?, by actor: PersonID?, detail: String = "", at: Moment
    ) {
        (self.kind, self.person, self.actor) = (kind, person, actor)
        self.detail = detail
        self.at = at
    }
}

extension Store {
    /// The most events that are kept; the oldest go.
    private static let actsMax = 10_000

    /// Notes an event.
    public func note(_ act: AccessAct) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO access_act (at, person_id, actor_id, act, detail)
                    VALUES (:at, :person, :actor, :act, :detail)
                    """
            ).execute(arguments: [
                "at": act.at.milliseconds, "person": act.person?.text, "actor": act.actor?.text,
                "act": act.kind.rawValue, "detail": act.detail,
            ])
            try db.cachedStatement(
                sql: """
                    DELETE FROM access_act WHERE number <= (
                        SELECT max(number) FROM access_act) - :kept
                    """
            ).execute(arguments: ["kept": Self.actsMax])
        }
    }

    /// True if somebody has signed in.
    ///
    /// - Throws: ``StoreError``.
    public func hasVisits() async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM access_act WHERE act = 'signed_in')"))
                ?? false
        }
    }

    /// The events, the latest first, each with the names of its people.
    ///
    /// - Parameter limit: the maximum number to return.
    /// - Returns: the events.
    /// - Throws: ``StoreError``.
    public func accessActs(
        limit: Int
    ) async throws -> [(act: AccessAct, person: String?, actor: String?)] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT a.at, a.person_id, a.actor_id, a.act, a.detail,
                            p.name AS person_name, q.name AS actor_name
                        FROM access_act a
                        LEFT JOIN person p ON p.id = a.person_id
                        LEFT JOIN person q ON q.id = a.actor_id
                        ORDER BY a.number DESC LIMIT :limit
                        """), arguments: ["limit": limit]
            ).map { row in
                let act = AccessAct(
                    try StoredValue.decode(row["act"]),
                    of: (row["person_id"] as String?).map { PersonID(text: $0) },
                    by: (row["actor_id"] as String?).map { PersonID(text: $0) },
                    detail: row["detail"], at: Moment(milliseconds: row["at"]))
                return (act, row["person_name"], row["actor_name"])
            }
        }
    }
}
