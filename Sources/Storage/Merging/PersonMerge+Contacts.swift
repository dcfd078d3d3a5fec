import Agenda
import GRDB
import Interchange
import Ledger

extension PersonMerge {
    /// Leaves one card, that of `kept`, in every address book that has a card of one of them.
    ///
    /// The details of a guest are added only in a book that decides about both people. Any other
    /// book must not learn the addresses that its owner does not know.
    ///
    /// - Returns: the cards before and after.
    func moveContacts(
        gaining: (ContactCard, ContactCard) -> ContactCard, in db: Database
    ) throws -> [MergeRecord.Cards] {
        var records: [MergeRecord.Cards] = []
        let owners = try String.fetchAll(
            db,
            sql: "SELECT DISTINCT owner_id FROM contact WHERE person_id IN (:kept, :other)",
            arguments: arguments
        ).map { PersonID(text: $0) }
        let guest = try guestCard(of: other, in: db)
        let keptGuest = try guestCard(of: kept, in: db)
        for owner in owners {
            let speaks = try [kept, other].allSatisfy { try owner.speaks(for: $0.id, in: db) }
            let mine = try Contact.fetch(kept.id, of: owner, in: db)
            let theirs = try Contact.fetch(other.id, of: owner, in: db)
            var card = mine?.card ?? (speaks ? keptGuest : nil)
            if card?.formattedName == kept.address, let theirs {
                card?.formattedName = theirs.card.formattedName
                card?.given = theirs.card.given
                card?.family = theirs.card.family
            }
            guard let gained = theirs?.card ?? (speaks ? guest : nil) else { continue }
            let united = card.map { gaining($0, gained) } ?? gained
            let aliases = try theirs?.aliases(owner: owner, in: db) ?? []
            let sources = try CardSource.all(of: other.id, owner: owner, in: db)
            let keptState = try PictureState.fetch(of: kept.id, owner: owner, in: db)
            let otherState = try PictureState.fetch(of: other.id, owner: owner, in: db)
            try Contact.remove(other.id, owner: owner, in: db)
            let contact = Contact(person: kept.id, card: united)
            try contact.save(owner: owner, in: db)
            try (keptState.isChosen ? keptState : otherState)
                .save(of: kept.id, owner: owner, in: db)
            for uid in aliases where uid != united.uid {
                try contact.addAlias(uid, owner: owner, in: db)
            }
            // If the same card is imported again unchanged, it still changes nothing.
            for source in sources { try source.save(for: contact, in: db) }
            records.append(
                MergeRecord.Cards(
                    owner: owner.text, kept: mine?.text, united: contact.text,
                    other: theirs?.text, keptState: keptState, otherState: otherState,
                    aliases: aliases, sources: sources))
        }
        try moveAddressBook(in: db)
        return records
    }

    /// A card built from the details of a guest; `nil` for people who are in an address book.
    private func guestCard(of person: Person, in db: Database) throws -> ContactCard? {
        let isContact = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM contact WHERE person_id = :id)",
            arguments: ["id": person.id.text])
        guard isContact != true else { return nil }
        var card = ContactCard(typedName: person.name)
        card.timeZone = person.zone
        card.language = person.language
        let addresses = try String.fetchAll(
            db,
            sql: """
                SELECT address FROM person_address WHERE person_id = :id
                ORDER BY is_verified DESC, position
                """,
            arguments: ["id": person.id.text]
        )
        card.emails = addresses.enumerated().map { place, address in
            ContactCard.Email(address: address, preferred: place == 0)
        }
        return card
    }

    /// Moves the address book of `other` to `kept`, except for contacts that `kept` already has. If
    /// both books use the same UID, the contact of `kept` keeps it.
    private func moveAddressBook(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE contact SET owner_id = :kept WHERE owner_id = :other
                    AND person_id NOT IN (SELECT person_id FROM contact WHERE owner_id = :kept)
                    AND (uid IS NULL OR uid NOT IN (
                        SELECT uid FROM contact WHERE owner_id = :kept AND uid IS NOT NULL))
                """, arguments: arguments)
        let moved = """
            WHERE owner_id = :other
                AND contact_number IN (SELECT number FROM contact WHERE owner_id = :kept)
            """
        for (table, columns) in [
            ("contact_key", "key, rank, contact_number"), ("contact_alias", "uid, contact_number"),
            ("card_source", "uid, contact_number, digest, card, name"),
        ] {
            try db.execute(
                sql: """
                    INSERT INTO \(table) (owner_id, \(columns))
                    SELECT :kept, \(columns) FROM \(table) \(moved)
                    ON CONFLICT DO NOTHING
                    """, arguments: arguments)
            try db.execute(sql: "DELETE FROM \(table) \(moved)", arguments: arguments)
        }
    }
}

extension Contact {
    /// The UIDs by which files may still refer to this contact.
    func aliases(owner: PersonID, in db: Database) throws -> [String] {
        let merged = try String.fetchAll(
            db,
            sql: """
                SELECT a.uid FROM contact_alias a JOIN contact c ON c.number = a.contact_number
                WHERE c.owner_id = :owner AND c.person_id = :person ORDER BY a.uid
                """, arguments: ["owner": owner.text, "person": person.text])
        return [card.uid].compactMap(\.self) + merged
    }

    /// The card as a vCard.
    fileprivate var text: String { VCardWriter.write([card], version: .v4) }

    /// Removes a UID by which files may refer to this contact.
    func removeAlias(_ uid: String, owner: PersonID, in db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM contact_alias WHERE owner_id = :owner AND uid = :uid
                    AND contact_number IN (
                        SELECT number FROM contact
                        WHERE owner_id = :owner AND person_id = :person)
                """, arguments: ["owner": owner.text, "uid": uid, "person": person.text])
    }

    /// Records another UID by which files may refer to this contact.
    func addAlias(_ uid: String, owner: PersonID, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO contact_alias (owner_id, uid, contact_number)
                SELECT :owner, :uid, number FROM contact
                WHERE owner_id = :owner AND person_id = :person
                ON CONFLICT DO NOTHING
                """, arguments: ["owner": owner.text, "uid": uid, "person": person.text])
    }
}
