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
    /// The address to which it was sent, which it proves; `nil` if it was not sent.
    public var address: String?
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
    /// The most tickets of one kind that are valid at once for one person; the ones that expire
    /// first go. Anybody can ask for mails, but for fewer than this before the first ones expire:
    /// so nobody can make another's ticket worthless.
    public static func ticketsMax(_ kind: SignInTicket.Kind) -> Int { kind == .mail ? 30 : 5 }

    /// Saves a ticket under the hash of its token.
    public func add(_ ticket: SignInTicket, hash: String, now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    DELETE FROM sign_in_ticket WHERE expires_at <= :now OR hash IN (
                        SELECT hash FROM sign_in_ticket
                        WHERE person_id = :person AND kind = :kind
                        ORDER BY expires_at DESC, hash LIMIT 1000 OFFSET :kept)
                    """
            ).execute(arguments: [
                "now": now.milliseconds, "person": ticket.person.text,
                "kind": ticket.kind.rawValue, "kept": Self.ticketsMax(ticket.kind) - 1,
            ])
            try db.cachedStatement(
                sql: """
                    INSERT INTO sign_in_ticket (
                        hash, person_id, kind, code_hash, browser_hash, address, expires_at)
                    VALUES (:hash, :person, :kind, :code, :browser, :address, :until)
                    """
            ).execute(arguments: [
                "hash": hash, "person": ticket.person.text, "kind": ticket.kind.rawValue,
                "code": ticket.codeHash, "browser": ticket.browserHash,
                "address": ticket.address, "until": ticket.expiresAt.milliseconds,
            ])
        }
    }

    /// The valid ticket with this hash; `nil` if there is none.
    public func ticket(hash: String, now: Moment) async throws -> SignInTicket? {
        try await read { db in try SignInTicket.fetch("hash = :name", hash, now: now, in: db) }
    }

    /// Uses a ticket up.
    ///
    /// - Returns: the ticket; `nil` if there is none with this hash, or if it has expired.
    /// - Throws: ``StoreError``.
    public func useTicket(hash: String, now: Moment) async throws -> SignInTicket? {
        try await write { db in
            let ticket = try SignInTicket.fetch("hash = :name", hash, now: now, in: db)
            try SignInTicket.remove(hash, in: db)
            return ticket
        }
    }

    /// Uses up the ticket that a browser asked for, proved by its short code. A wrong code counts
    /// as a try; after ``SignInTicket/triesMax`` of them the ticket is worthless.
    ///
    /// - Parameters:
    ///   - browser: the hash of the token that the browser holds.
    ///   - code: the hash of the code.
    ///   - now: the current time.
    /// - Returns: the ticket; `nil` if the code is wrong.
    /// - Throws: ``StoreError``.
    public func useTicket(
        ofBrowser browser: String, code: String, now: Moment
    ) async throws -> SignInTicket? {
        try await write { db in
            let condition = "browser_hash = :name AND tries < \(SignInTicket.triesMax)"
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT hash, code_hash FROM sign_in_ticket
                        WHERE \(condition) AND expires_at > :now
                        """), arguments: ["name": browser, "now": now.milliseconds])
            for row in rows where row["code_hash"] as String? == code {
                let ticket = try SignInTicket.fetch("hash = :name", row["hash"], now: now, in: db)
                try SignInTicket.remove(row["hash"], in: db)
                return ticket
            }
            try db.cachedStatement(
                sql: "UPDATE sign_in_ticket SET tries = tries + 1 WHERE \(condition)"
            ).execute(arguments: ["name": browser])
            return nil
        }
    }

    /// Gives a ticket a short code.
    public func setCode(_ code: String, ofTicket hash: String) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE sign_in_ticket SET code_hash = :code WHERE hash = :hash"
            ).execute(arguments: ["code": code, "hash": hash])
        }
    }
}

extension SignInTicket {
    /// The most wrong codes for one ticket.
    public static let triesMax = 5

    fileprivate static func fetch(
        _ condition: String, _ name: String, now: Moment, in db: Database
    ) throws -> SignInTicket? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT person_id, kind, code_hash, browser_hash, address, expires_at
                    FROM sign_in_ticket WHERE \(condition) AND expires_at > :now
                    """), arguments: ["name": name, "now": now.milliseconds]
        ).map(SignInTicket.init(row:))
    }

    fileprivate static func remove(_ hash: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM sign_in_ticket WHERE hash = :hash")
            .execute(arguments: ["hash": hash])
    }
}

extension SignInTicket {
    fileprivate init(row: Row) throws {
        self.init(
            for: PersonID(text: row["person_id"]), try StoredValue.decode(row["kind"]),
            until: Moment(milliseconds: row["expires_at"]))
        codeHash = row["code_hash"]
        browserHash = row["browser_hash"]
        address = row["address"]
    }
}
