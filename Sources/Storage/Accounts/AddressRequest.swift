public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// An address that a person wants to add to their account, until they confirm it with the link in
/// a mail.
public struct AddressRequest: Equatable, Sendable {
    /// The person with the account.
    public let person: PersonID
    /// The address.
    public let address: String
    /// The time of the latest request.
    public let askedAt: Moment
    /// The time until which the link works.
    public let expiresAt: Moment

    /// Creates a request.
    public init(
        of person: PersonID, for address: String, askedAt: Moment, until expiresAt: Moment
    ) {
        self.person = person
        self.address = address
        self.askedAt = askedAt
        self.expiresAt = expiresAt
    }
}

extension AddressRequest {
    fileprivate init(row: Row) {
        self.init(
            of: PersonID(text: row["person_id"]), for: row["address"],
            askedAt: Moment(milliseconds: row["asked_at"]),
            until: Moment(milliseconds: row["expires_at"]))
    }

    fileprivate static func forgetExpired(now: Moment, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM address_request WHERE expires_at <= :now")
            .execute(arguments: ["now": now.milliseconds])
    }
}

/// Adding an address to an account.
extension Store {
    /// The requests of a person that can still be confirmed, the latest first.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - now: the current time.
    ///   - limit: the maximum number to return.
    /// - Returns: the requests.
    /// - Throws: ``StoreError``.
    public func addressRequests(
        of person: PersonID, now: Moment, limit: Int
    ) async throws -> [AddressRequest] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT person_id, address, asked_at, expires_at FROM address_request
                        WHERE person_id = :person AND expires_at > :now
                        ORDER BY asked_at DESC, folded LIMIT :limit
                        """),
                arguments: ["person": person.text, "now": now.milliseconds, "limit": limit]
            ).map(AddressRequest.init(row:))
        }
    }

    /// Saves a request under the hash of its token, in place of an earlier one of the same person
    /// for the same address.
    public func add(_ request: AddressRequest, hash: String) async throws {
        try await write { db in
            try AddressRequest.forgetExpired(now: request.askedAt, in: db)
            try db.cachedStatement(
                sql: """
                    INSERT INTO address_request (
                        person_id, folded, address, hash, asked_at, expires_at)
                    VALUES (:person, :folded, :address, :hash, :asked, :until)
                    ON CONFLICT (person_id, folded) DO UPDATE SET
                        address = :address, hash = :hash, asked_at = :asked, expires_at = :until
                    """
            ).execute(arguments: [
                "person": request.person.text,
                "folded": PersonAddresses.folded(request.address), "address": request.address,
                "hash": hash, "asked": request.askedAt.milliseconds,
                "until": request.expiresAt.milliseconds,
            ])
        }
    }

    /// Forgets the requests that can no longer be confirmed.
    public func forgetAddressRequests(now: Moment) async throws {
        try await write { db in try AddressRequest.forgetExpired(now: now, in: db) }
    }

    /// Removes the request of a person for an address.
    public func removeAddressRequest(_ address: String, of person: PersonID) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "DELETE FROM address_request WHERE person_id = :person AND folded = :folded"
            ).execute(arguments: [
                "person": person.text, "folded": PersonAddresses.folded(address),
            ])
        }
    }

    /// Uses a request up, and records that its address belongs to the person, after their other
    /// addresses.
    ///
    /// - Parameters:
    ///   - hash: the hash of the token.
    ///   - person: the person who is signed in. A request of anybody else stays as it is.
    ///   - now: the current time.
    /// - Returns: the address; `nil` if the person has no valid request with this hash, or if the
    ///   address was proven to belong to somebody else.
    /// - Throws: ``StoreError``.
    public func confirmAddress(
        hash: String, of person: PersonID, now: Moment
    ) async throws -> String? {
        try await write { db in
            let address = try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT address FROM address_request
                        WHERE hash = :hash AND person_id = :person AND expires_at > :now
                        """),
                arguments: ["hash": hash, "person": person.text, "now": now.milliseconds])
            guard let address else { return nil }
            try db.cachedStatement(
                sql: "DELETE FROM address_request WHERE hash = :hash AND person_id = :person"
            ).execute(arguments: ["hash": hash, "person": person.text])
            return try PersonAddresses.append(address, to: person, in: db) ? address : nil
        }
    }
}
