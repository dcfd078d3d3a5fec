public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A right to sign in once, proved by a token.
public struct SignInTicket: Sendable {
    /// The way in which the person gets the token.
    public enum Kind: String, Sendable {
        /// Printed by a program on this machine.
        case opened
        /// Sent to the person's address.
        case mail
        /// Sent or shown to somebody who has no account yet.
        case invitation
    }

    /// The person.
    public let person: PersonID
    /// The way in which they get the token.
    public let kind: Kind
    /// The hash of the short code that proves the ticket in the browser that asked for it.
    public var codeHash: String?
    /// The hash of the token that this browser holds.
    public var browserHash: String?
    /// The time until which it is valid.
    public let expiresAt: Moment

    /// Creates a ticket.
    public init(for person: PersonID, _ kind: Kind, until expiresAt: Moment) {
        self.person = person
        self.kind = kind
        self.expiresAt = expiresAt
    }
}

extension Store {
    /// The most tickets of one person that are valid at once; the ones that expire first go.
    public static let ticketsMax = 5

    /// Saves a ticket under the hash of its token.
    public func add(_ ticket: SignInTicket, hash: String, now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    DELETE FROM sign_in_ticket WHERE expires_at <= :now OR hash IN (
                        SELECT hash FROM sign_in_ticket WHERE person_id = :person
                        ORDER BY expires_at DESC, hash LIMIT 1000 OFFSET :kept)
                    """
            ).execute(arguments: [
                "now": now.milliseconds, "person": ticket.person.text,
                "kept": Self.ticketsMax - 1,
            ])
            try db.cachedStatement(
                sql: """
                    INSERT INTO sign_in_ticket (
                        hash, person_id, kind, code_hash, browser_hash, expires_at)
                    VALUES (:hash, :person, :kind, :code, :browser, :until)
                    """
            ).execute(arguments: [
                "hash": hash, "person": ticket.person.text, "kind": ticket.kind.rawValue,
                "code": ticket.codeHash, "browser": ticket.browserHash,
                "until": ticket.expiresAt.milliseconds,
            ])
        }
    }

    /// Uses a ticket up.
    ///
    /// - Returns: the ticket; `nil` if there is none with this hash, or if it has expired.
    /// - Throws: ``StoreError``.
    public func useTicket(hash: String, now: Moment) async throws -> SignInTicket? {
        try await write { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT person_id, kind, code_hash, browser_hash, expires_at
                        FROM sign_in_ticket WHERE hash = :hash
                        """), arguments: ["hash": hash])
            guard let row else { return nil }
            try db.cachedStatement(sql: "DELETE FROM sign_in_ticket WHERE hash = :hash")
                .execute(arguments: ["hash": hash])
            let ticket = try SignInTicket(row: row)
            return ticket.expiresAt > now ? ticket : nil
        }
    }
}

extension SignInTicket {
    fileprivate init(row: Row) throws {
        self.init(
            for: PersonID(text: row["person_id"]), try StoredValue.decode(row["kind"]),
            until: Moment(milliseconds: row["expires_at"]))
        codeHash = row["code_hash"]
        browserHash = row["browser_hash"]
    }
}
