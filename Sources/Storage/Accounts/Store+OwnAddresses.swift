public import Agenda
import GRDB
public import Ledger

/// The addresses that were proven to belong to a person, as the person manages them.
extension Store {
    /// The proven addresses of a person. Mails go to the first one.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - limit: the maximum number to return.
    /// - Returns: the addresses.
    /// - Throws: ``StoreError``.
    public func provenAddresses(of person: PersonID, limit: Int) async throws -> [String] {
        try await read { db in
            try PersonAddresses.proven(of: person, limit: limit, in: db).map(\.address)
        }
    }

    /// Makes a proven address the one to which the mails of a person go.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - person: the person.
    /// - Returns: true if it is a proven address of the person.
    /// - Throws: ``StoreError``.
    public func putFirst(_ address: String, of person: PersonID) async throws -> Bool {
        try await write { db in
            let first = PersonAddresses.folded(address)
            let known = try PersonAddresses.proven(of: person, limit: Self.addressesMax, in: db)
                .map(\.folded)
            guard known.contains(first) else { return false }
            for (place, folded) in ([first] + known.filter { $0 != first }).enumerated() {
                try db.cachedStatement(
                    sql: """
                        UPDATE person_address SET position = :place
                        WHERE person_id = :person AND folded = :folded
                        """
                ).execute(arguments: ["place": place, "person": person.text, "folded": folded])
            }
            return true
        }
    }

    /// Removes a proven address of a person, with the links that were mailed to sign them in, and
    /// with their mail channel to it. The last address stays.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - person: the person.
    /// - Returns: true if it was removed.
    /// - Throws: ``StoreError``.
    public func removeAddress(_ address: String, of person: PersonID) async throws -> Bool {
        try await write { db in
            let folded = PersonAddresses.folded(address)
            let known = try PersonAddresses.proven(of: person, limit: Self.addressesMax, in: db)
            guard known.count > 1, known.contains(where: { $0.folded == folded }) else {
                return false
            }
            // Erasing the person later finds the address in texts.
            try KnownAs.remember(person, in: db)
            try db.cachedStatement(
                sql: "DELETE FROM person_address WHERE person_id = :person AND folded = :folded"
            ).execute(arguments: ["person": person.text, "folded": folded])
            try ChannelRows.deleteMailing(to: folded, of: person, in: db)
            // A link that was mailed to the address would prove it once more.
            try db.cachedStatement(
                sql: "DELETE FROM sign_in_ticket WHERE person_id = :person AND address IS NOT NULL"
            ).execute(arguments: ["person": person.text])
            return true
        }
    }

    /// The most proven addresses of a person that are read.
    private static let addressesMax = 1000
}

extension PersonAddresses {
    /// The proven addresses of a person. Mails go to the first one.
    static func proven(
        of person: PersonID, limit: Int, in db: Database
    ) throws -> [(folded: String, address: String)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT folded, address FROM person_address
                    WHERE person_id = :person AND is_verified = 1
                    ORDER BY position, folded LIMIT :limit
                    """), arguments: ["person": person.text, "limit": limit]
        ).map { ($0["folded"], $0["address"]) }
    }

    /// Records that an address belongs to a person, after their other proven addresses.
    ///
    /// - Returns: false if it was proven to belong to somebody else.
    static func append(_ address: String, to person: PersonID, in db: Database) throws -> Bool {
        let last = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT coalesce(max(position), 0) FROM person_address
                    WHERE person_id = :person AND is_verified = 1
                    """), arguments: ["person": person.text])
        try db.cachedStatement(
            sql: """
                INSERT INTO person_address (person_id, folded, address, position, is_verified)
                SELECT :person, :folded, :address, :place, 1 WHERE NOT EXISTS (
                    SELECT 1 FROM person_address o
                    WHERE o.folded = :folded AND o.is_verified = 1 AND o.person_id <> :person)
                ON CONFLICT (person_id, folded) DO UPDATE
                    SET is_verified = 1, address = :address, position = :place
                    WHERE person_address.is_verified = 0
                """
        ).execute(arguments: [
            "person": person.text, "folded": folded(address), "address": address,
            "place": (last ?? 0) + 1,
        ])
        return try proven(of: person, limit: 1000, in: db)
            .contains { $0.folded == folded(address) }
    }
}
