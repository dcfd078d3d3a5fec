public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The id of a session, for lists. It is not the secret by which a browser proves the session.
public typealias SessionID = Identifier<Session>

/// A browser in which a person is signed in.
public struct Session: Equatable, Sendable {
    /// The id.
    public let id: SessionID
    /// The person.
    public let person: PersonID
    /// The browser and system, as it calls itself.
    public let device: String
    /// The time of the sign-in.
    public let madeAt: Moment
    /// The time of the last use, exact to a few minutes.
    public var seenAt: Moment
    /// The time at which the person last proved who they are.
    public var confirmedAt: Moment

    /// Creates a session that begins now.
    public init(id: SessionID, of person: PersonID, device: String, now: Moment) {
        self.id = id
        self.person = person
        self.device = device
        (madeAt, seenAt, confirmedAt) = (now, now, now)
    }
}

extension Session {
    static let columns = """
        s.id AS session_id, s.person_id, s.device, s.made_at AS session_made_at, s.seen_at,
        s.confirmed_at
        """

    init(row: Row) {
        self.init(
            id: SessionID(text: row["session_id"]), of: PersonID(text: row["person_id"]),
            device: row["device"], now: Moment(milliseconds: row["session_made_at"]))
        seenAt = Moment(milliseconds: row["seen_at"])
        confirmedAt = Moment(milliseconds: row["confirmed_at"])
    }
}

/// A session with the account and the person that it belongs to.
public struct SignedIn: Sendable {
    /// The session.
    public let session: Session
    /// The account.
    public let account: Account
    /// The person.
    public let person: Person
    /// True if mail to other people goes to a proven address of the account.
    public let sharesMail: Bool
    /// The number of unread notifications in the inbox, up to ``Store/unreadPecksMax``.
    public let unreadCount: Int
}

extension Store {
    /// The session with this hash; `nil` if there is none, if it was idle for too long, or if its
    /// account is disabled.
    ///
    /// - Parameters:
    ///   - hash: the hash of the session's token.
    ///   - since: the moment after which it must have been used.
    ///   - now: the current time, which decides if a snoozed notification is back.
    /// - Returns: the session with its account and person.
    /// - Throws: ``StoreError``.
    public func session(
        hash: String, usedAfter since: Moment, now: Moment
    ) async throws -> SignedIn? {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT \(Session.columns), a.role, a.is_enabled,
                            a.made_at AS account_made_at, a.area,
                            \(AddressedInvitation.sharesMail(of: "s.person_id")) AS shares_mail,
                            \(PeckRows.unreadCount(of: "s.person_id")) AS unread_count
                        FROM session s JOIN account a ON a.person_id = s.person_id
                        WHERE s.hash = :hash AND s.seen_at > :since AND a.is_enabled = 1
                        """),
                arguments: [
                    "hash": hash, "since": since.milliseconds, "now": now.milliseconds,
                ])
            guard let row, let person = try Person.fetch(PersonID(text: row["person_id"]), in: db)
            else { return nil }
            return SignedIn(
                session: Session(row: row), account: try Account(row: row), person: person,
                sharesMail: row["shares_mail"], unreadCount: row["unread_count"])
        }
    }

    /// Begins a session. If it replaces another, that one ends.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - hash: the hash of its token.
    ///   - old: the hash of the token of the session that ends; `nil` for none.
    /// - Throws: ``StoreError``.
    public func begin(_ session: Session, hash: String, replacing old: String?) async throws {
        try await write { db in
            if let old {
                try db.cachedStatement(sql: "DELETE FROM session WHERE hash = :hash")
                    .execute(arguments: ["hash": old])
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO session (
                        hash, id, person_id, device, made_at, seen_at, confirmed_at)
                    VALUES (:hash, :id, :person, :device, :made, :seen, :confirmed)
                    """
            ).execute(arguments: [
                "hash": hash, "id": session.id.text, "person": session.person.text,
                "device": session.device, "made": session.madeAt.milliseconds,
                "seen": session.seenAt.milliseconds,
                "confirmed": session.confirmedAt.milliseconds,
            ])
        }
    }

    /// Notes that a session is used now.
    public func noteUse(ofSession hash: String, now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE session SET seen_at = :now WHERE hash = :hash AND seen_at < :now"
            ).execute(arguments: ["hash": hash, "now": now.milliseconds])
        }
    }

    /// The sessions of a person that were used after `since`, the last used first.
    public func sessions(
        of person: PersonID, usedAfter since: Moment, limit: Int
    ) async throws -> [Session] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(Session.columns) FROM session s
                        WHERE s.person_id = :person AND s.seen_at > :since
                        ORDER BY s.seen_at DESC, s.id LIMIT :limit
                        """),
                arguments: [
                    "person": person.text, "since": since.milliseconds, "limit": limit,
                ]
            ).map(Session.init(row:))
        }
    }

    /// Ends sessions of a person. Whoever ends all of them may not know all browsers, so none is
    /// known any more.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - id: the only session to end; `nil` for all.
    ///   - kept: the session that goes on; `nil` for none.
    /// - Returns: the number of ended sessions.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func endSessions(
        of person: PersonID, _ id: SessionID? = nil, keeping kept: SessionID? = nil
    ) async throws -> Int {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    DELETE FROM session WHERE person_id = :person
                        AND (:id = '' OR id = :id) AND id <> :kept
                    """
            ).execute(arguments: [
                "person": person.text, "id": id?.text ?? "", "kept": kept?.text ?? "",
            ])
            let count = db.changesCount
            if id?.text.isEmpty ?? true { try Account.forgetBrowsers(of: person, in: db) }
            return count
        }
    }
}
