public import Agenda
import GRDB
public import Ledger

/// Addresses that were proven to belong to a person: by a link in a mail that was used, or by
/// somebody who manages accounts. Address books cannot change them.
extension Store {
    /// The person with an account to whom an address was proven to belong; their address is the one
    /// that was proven.
    public func accountHolder(at address: String) async throws -> Person? {
        try await read { db in try PersonAddresses.accountHolder(at: address, in: db) }
    }

    /// Gives a person an account, unless they have one, and records that an address is theirs. An
    /// address has one account: a person without one gets none if the address was proven to belong
    /// to somebody else who has one.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - address: the address that was proven; `nil` for none.
    /// - Returns: the person whose account it is.
    /// - Throws: ``StoreError``.
    public func openAccount(_ account: Account, proving address: String?) async throws -> PersonID {
        try await write { db in
            let proven = address ?? ""
            if !proven.isEmpty, try Account.fetch(account.person, in: db) == nil,
                let holder = try PersonAddresses.accountHolder(at: proven, in: db)
            {
                return holder.id
            }
            try account.insert(in: db)
            if !proven.isEmpty {
                try PersonAddresses.verify(proven, of: account.person, in: db)
            }
            return account.person
        }
    }

    /// The people with an account to whom an address was proven to belong, or to whom mail goes at
    /// it, at most `limit`.
    public func accountPeople(at address: String, limit: Int) async throws -> [Person] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        \(Person.select) JOIN person_address f ON f.person_id = p.id
                        JOIN account b ON b.person_id = p.id
                        WHERE f.folded = :folded
                            AND (f.is_verified = 1 OR \(PersonAddresses.isForMail("f")))
                        ORDER BY b.made_at, p.id LIMIT :limit
                        """),
                arguments: ["folded": PersonAddresses.folded(address), "limit": limit]
            ).map(Person.init(row:))
        }
    }

    /// True if a disabled account has an address, proven or not.
    public func isOfDisabledAccount(_ address: String) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM person_address f
                            JOIN account a ON a.person_id = f.person_id
                            WHERE f.folded = :folded AND a.is_enabled = 0)
                        """), arguments: ["folded": PersonAddresses.folded(address)]) == true
        }
    }

    /// The only contact of the owner of the installation to whom mail goes at an address and who
    /// has no account; `nil` if there is none, or more than one.
    public func contactOfOwner(at address: String) async throws -> Person? {
        try await read { db in
            let found = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        \(Person.select) JOIN person_address f ON f.person_id = p.id
                        WHERE f.folded = :folded AND p.merged_into IS NULL
                            AND \(PersonAddresses.isForMail("f"))
                            AND NOT EXISTS (SELECT 1 FROM account b WHERE b.person_id = p.id)
                            AND EXISTS (
                                SELECT 1 FROM contact c
                                JOIN installation i ON i.owner_id = c.owner_id
                                WHERE c.person_id = p.id)
                        ORDER BY p.id LIMIT 2
                        """), arguments: ["folded": PersonAddresses.folded(address)]
            ).map(Person.init(row:))
            return found.count == 1 ? found.first : nil
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
    /// The condition that mail to a person goes to the address of a row of `person_address`.
    ///
    /// - Parameter row: the name of the row in the statement.
    /// - Returns: the condition.
    static func isForMail(_ row: String) -> String {
        """
        NOT EXISTS (
            SELECT 1 FROM person_address o
            WHERE o.person_id = \(row).person_id AND (
                o.is_verified > \(row).is_verified
                OR o.is_verified = \(row).is_verified AND (
                    o.position < \(row).position
                    OR o.position = \(row).position AND o.folded < \(row).folded)))
        """
    }

    /// The person with an account to whom an address was proven to belong; their address is the one
    /// that was proven.
    static func accountHolder(at address: String, in db: Database) throws -> Person? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT f.person_id, f.address FROM person_address f
                    JOIN account a ON a.person_id = f.person_id
                    WHERE f.folded = :folded AND f.is_verified = 1
                    """), arguments: ["folded": folded(address)])
        guard let row, var person = try Person.fetch(PersonID(text: row["person_id"]), in: db)
        else { return nil }
        person.address = row["address"]
        return person
    }

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
