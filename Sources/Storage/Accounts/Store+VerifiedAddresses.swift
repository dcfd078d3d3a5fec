public import Agenda
import GRDB
public import Ledger

/// Addresses that were proven to belong to a person: by a link in a mail that was used, or by
/// somebody who manages accounts. Address books cannot change them.
extension Store {
    /// The person with an account to whom an address was proven to belong; their address is the one
    /// that was proven.
    public func accountHolder(at address: String) async throws -> Person? {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT f.person_id, f.address FROM person_address f
                        JOIN account a ON a.person_id = f.person_id
                        WHERE f.folded = :folded AND f.is_verified = 1
                        """), arguments: ["folded": PersonAddresses.folded(address)])
            guard let row, var person = try Person.fetch(PersonID(text: row["person_id"]), in: db)
            else { return nil }
            person.address = row["address"]
            return person
        }
    }

    /// A guest without an account who has this address, no other, and a card in no address book.
    public func loneGuest(at address: String) async throws -> Person? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        \(Person.select) JOIN person_address f ON f.person_id = p.id
                        WHERE f.folded = :folded AND p.merged_into IS NULL
                            AND NOT EXISTS (SELECT 1 FROM account a WHERE a.person_id = p.id)
                            AND NOT EXISTS (SELECT 1 FROM contact c WHERE c.person_id = p.id)
                            AND NOT EXISTS (
                                SELECT 1 FROM person_address o
                                WHERE o.person_id = p.id AND o.folded <> f.folded)
                        ORDER BY p.id LIMIT 1
                        """), arguments: ["folded": PersonAddresses.folded(address)]
            ).map(Person.init(row:))
        }
    }

    /// True if the owner of the installation, or another person with an account, has a name, in any
    /// order of its words.
    public func hasAccount(named name: String) async throws -> Bool {
        try await read { db in
            let names = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT p.name FROM person p
                        WHERE p.id IN (SELECT person_id FROM account)
                            OR p.id IN (SELECT owner_id FROM installation)
                        """))
            return names.contains { SearchKey.isSameName($0, name) }
        }
    }

    /// Gives a person another name.
    public func rename(_ person: PersonID, to name: String) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE person SET name = :name WHERE id = :id",
                arguments: ["name": name, "id": person.text])
        }
    }

    /// Records that an address belongs to a person, unless it was proven to belong to another.
    public func verify(_ address: String, of person: PersonID) async throws {
        guard !address.isEmpty else { return }
        try await write { db in
            try PersonAddresses.verify(address, of: person, in: db)
        }
    }
}

extension PersonAddresses {
    static func verify(_ address: String, of person: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO person_address (person_id, folded, address, position, is_verified)
                SELECT :id, :folded, :address, 0, 1 WHERE NOT EXISTS (
                    SELECT 1 FROM person_address o
                    WHERE o.folded = :folded AND o.is_verified = 1 AND o.person_id <> :id)
                ON CONFLICT (person_id, folded) DO UPDATE SET is_verified = 1
                """
        ).execute(arguments: [
            "id": person.text, "folded": folded(address), "address": address,
        ])
    }
}
