public import Agenda
import Foundation
import GRDB
public import Ledger
public import Timekeeping

/// A key pair in a device or password manager of a person, by which they sign in (Web
/// Authentication, W3C).
public struct Passkey: Equatable, Sendable {
    /// The id that the browser gave it, in base64 for web addresses.
    public let id: String
    /// The person.
    public let person: PersonID
    /// The name for people, such as the browser that made it.
    public let name: String
    /// The algorithm of its signatures (IANA, COSE Algorithms).
    public let algorithm: Int
    /// The public key (SubjectPublicKeyInfo in DER).
    public let key: [UInt8]
    /// The number of signatures that it has told; 0 if it tells none.
    public let counter: Int64
    /// The time of its creation.
    public let madeAt: Moment
    /// The time of its last use.
    public let usedAt: Moment

    /// Creates a passkey that was never used.
    public init(
        id: String, of person: PersonID, named name: String, algorithm: Int, key: [UInt8],
        counter: Int64, madeAt: Moment
    ) {
        (self.id, self.person, self.name) = (id, person, name)
        (self.algorithm, self.key, self.counter) = (algorithm, key, counter)
        (self.madeAt, usedAt) = (madeAt, madeAt)
    }
}

extension Passkey {
    fileprivate init(row: Row) {
        id = row["id"]
        person = PersonID(text: row["person_id"])
        name = row["name"]
        algorithm = row["algorithm"]
        key = Array(row["public_key"] as Data)
        counter = row["counter"]
        madeAt = Moment(milliseconds: row["made_at"])
        usedAt = Moment(milliseconds: row["used_at"])
    }
}

extension Store {
    /// The most passkeys of one person.
    public static let passkeysMax = 20

    /// Adds a passkey.
    ///
    /// - Returns: false if the id is taken, or if the person has too many.
    /// - Throws: ``StoreError``.
    public func add(_ passkey: Passkey) async throws -> Bool {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO passkey (
                        id, person_id, name, algorithm, public_key, counter, made_at, used_at)
                    SELECT :id, :person, :name, :algorithm, :key, :counter, :made, :made
                    WHERE (SELECT count(*) FROM passkey WHERE person_id = :person) < :max
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [
                "id": passkey.id, "person": passkey.person.text, "name": passkey.name,
                "algorithm": passkey.algorithm, "key": Data(passkey.key),
                "counter": passkey.counter, "made": passkey.madeAt.milliseconds,
                "max": Self.passkeysMax,
            ])
            return db.changesCount > 0
        }
    }

    /// The passkey with this id; `nil` if there is none.
    public func passkey(_ id: String) async throws -> Passkey? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM passkey WHERE id = :id"),
                arguments: ["id": id]
            ).map(Passkey.init(row:))
        }
    }

    /// The passkeys of a person, the oldest first.
    public func passkeys(of person: PersonID) async throws -> [Passkey] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT * FROM passkey WHERE person_id = :person
                        ORDER BY made_at, id LIMIT :limit
                        """), arguments: ["person": person.text, "limit": Self.passkeysMax]
            ).map(Passkey.init(row:))
        }
    }

    /// Records a use of a passkey.
    public func noteUse(ofPasskey id: String, counter: Int64, now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE passkey SET counter = :counter, used_at = :now WHERE id = :id"
            ).execute(arguments: ["id": id, "counter": counter, "now": now.milliseconds])
        }
    }

    /// Removes a passkey of a person.
    ///
    /// - Returns: false if they have none with this id.
    /// - Throws: ``StoreError``.
    public func removePasskey(_ id: String, of person: PersonID) async throws -> Bool {
        try await write { db in
            try db.cachedStatement(
                sql: "DELETE FROM passkey WHERE id = :id AND person_id = :person"
            ).execute(arguments: ["id": id, "person": person.text])
            return db.changesCount > 0
        }
    }
}
