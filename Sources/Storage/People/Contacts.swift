public import Agenda
import Foundation
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// A person as one owner's address book knows them.
public struct Contact: Equatable, Sendable {
    /// The person.
    public let person: PersonID
    /// What the address book says.
    public var card: ContactCard

    /// Describes a contact.
    public init(person: PersonID, card: ContactCard) {
        self.person = person
        self.card = card
    }
}

/// What is decided of a contact that somebody writes, inside the transaction that saves it.
public struct ContactDecisions: Sendable {
    /// Who of the guests at the card's addresses is the one whom it names.
    public var guest: @Sendable (_ card: ContactCard, _ guests: [Person]) -> Person?
    /// What becomes of two cards of one person, and of coming meetings.
    public var merge: MergeDecisions

    /// Decides by these rules.
    public init(
        guest: @escaping @Sendable (_ card: ContactCard, _ guests: [Person]) -> Person?,
        merge: MergeDecisions
    ) {
        self.guest = guest
        self.merge = merge
    }
}

/// What became of a contact that was to be added.
public enum ContactAddition: Equatable, Sendable {
    /// It is in the address book now.
    case added(Contact)
    /// This one was there, and nothing has changed.
    case known(Contact)
}

extension Store {
    /// The contact of a person in an owner's address book.
    public func contact(_ person: PersonID, of owner: PersonID) async throws -> Contact? {
        try await read { db in try Contact.fetch(person, of: owner, in: db) }
    }

    /// A page of an address book by name: what follows `after`, at most `limit`.
    public func contacts(
        of owner: PersonID, after: Contact?, limit: Int
    ) async throws -> [Contact] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT person_id, card FROM contact
                        WHERE owner_id = :owner AND (sort_key, person_id) > (:key, :person)
                        ORDER BY sort_key, person_id LIMIT :limit
                        """),
                arguments: [
                    "owner": owner.text, "key": after?.sortKey ?? "",
                    "person": after?.person.text ?? "", "limit": limit,
                ]
            ).map(Contact.init(row:))
        }
    }

    /// Changes a contact, and plans the coming meetings of the person anew: in one transaction, so
    /// that nothing is lost that others change meanwhile. A guest at a new address whom `decisions`
    /// names becomes one person with the contact; where somebody else's address book changes, only
    /// if nobody else knows either of them.
    ///
    /// - Parameters:
    ///   - person: whose card it is.
    ///   - owner: whose address book.
    ///   - now: the clock.
    ///   - decisions: who is the same person, and what becomes of cards and meetings.
    ///   - change: changes the card.
    /// - Returns: the contact as it is now; `nil` when there is none.
    /// - Throws: ``StoreError``, or what a decision throws; nothing has changed then.
    public func editContact(
        _ person: PersonID, owner: PersonID, now: Moment, decisions: ContactDecisions,
        change: @escaping @Sendable (inout ContactCard) throws -> Void
    ) async throws -> Contact? {
        try await write { db in
            guard var contact = try Contact.fetch(person, of: owner, in: db) else { return nil }
            let before = contact.card
            try change(&contact.card)
            try contact.save(owner: owner, in: db)
            try contact.adoptGuest(since: before, owner: owner, decisions: decisions, in: db)
            try MeetingBundle.replan(
                MeetingID.coming(of: contact.person, now: now, in: db),
                by: decisions.merge.meeting, in: db)
            return try Contact.fetch(person, of: owner, in: db)
        }
    }

    /// Adds a contact: for the guest at one of its addresses whom `decisions` names, else for a
    /// person who is new to the installation. Not where one with its name, in any order of words,
    /// and one of its addresses is in the address book.
    ///
    /// - Parameters:
    ///   - card: what the address book is to say; without a UID it gets the person's id.
    ///   - owner: whose address book.
    ///   - newID: the id of a new person.
    ///   - now: the clock.
    ///   - decisions: who is the same person, and what becomes of that guest's meetings.
    /// - Returns: the contact, or the one that is there.
    /// - Throws: ``StoreError``.
    public func addContact(
        _ card: ContactCard, owner: PersonID, newID: PersonID, now: Moment,
        decisions: ContactDecisions
    ) async throws -> ContactAddition {
        try await write { db in
            let addresses = card.emails.map { PersonAddresses.folded($0.address) }
            if !addresses.isEmpty,
                let known = try CardCandidates.namesakes(
                    of: card, at: addresses, of: owner, in: db
                ).first
            {
                return .known(known)
            }
            let guests = try Person.guests(
                at: card.emails.map(\.address), besides: owner, in: db)
            let guest = decisions.guest(card, guests)
            var contact = Contact(person: guest?.id ?? newID, card: card)
            contact.card.uid = card.uid ?? contact.person.text
            if guest == nil {
                try Person(id: newID, name: card.formattedName).insert(in: db, now: now)
            }
            try contact.save(owner: owner, isNew: guest == nil, in: db)
            try MeetingBundle.replan(
                MeetingID.coming(of: contact.person, now: now, in: db),
                by: decisions.merge.meeting, in: db)
            return .added(contact)
        }
    }

    /// Takes a person out of an address book; the person stays in meetings.
    public func removeContact(_ person: PersonID, owner: PersonID) async throws {
        try await write { db in try Contact.remove(person, owner: owner, in: db) }
    }
}

extension Contact {
    init(row: Row) throws {
        let reading = VCardReader.read(Array((row["card"] as String).utf8))
        guard let card = reading.cards.first else {
            throw UnreadableValue.card
        }
        self.init(person: PersonID(text: row["person_id"]), card: card)
    }

    /// By family name, as address books are sorted.
    var sortKey: String { SearchKey.fold("\(card.family) \(card.given) \(card.formattedName)") }

    static func fetch(_ person: PersonID, of owner: PersonID, in db: Database) throws -> Contact? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT person_id, card FROM contact
                    WHERE owner_id = :owner AND person_id = (
                        SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                    """),
            arguments: ["owner": owner.text, "person": person.text]
        ).map(Contact.init(row:))
    }

    static func fetch(uid: String, of owner: PersonID, in db: Database) throws -> Contact? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT person_id, card FROM contact WHERE owner_id = :owner AND uid = :uid
                    UNION ALL
                    SELECT c.person_id, c.card FROM contact_alias a
                    JOIN contact c ON c.number = a.contact_number
                    WHERE a.owner_id = :owner AND a.uid = :uid LIMIT 1
                    """), arguments: ["owner": owner.text, "uid": uid]
        ).map(Contact.init(row:))
    }

    func hasAlias(owner: PersonID, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM contact_alias a JOIN contact c ON c.number = a.contact_number
                        WHERE c.owner_id = :owner AND c.person_id = :person)
                    """), arguments: ["owner": owner.text, "person": person.text]) ?? false
    }

    /// The contacts with a whole name or address, in the order in which they came.
    static func fetchAll(
        key: String, limit: Int, of owner: PersonID, in db: Database
    ) throws -> [Contact] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT c.person_id, c.card FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND k.key = :key AND k.rank = 0
                    ORDER BY k.contact_number LIMIT :limit
                    """),
            arguments: ["owner": owner.text, "key": key, "limit": limit]
        ).map(Contact.init(row:))
    }

    /// The contacts with both a whole name and an address.
    static func fetchAll(
        key: String, and other: String, of owner: PersonID, in db: Database
    ) throws -> [Contact] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT c.person_id, c.card FROM contact_key k
                    JOIN contact_key o ON o.contact_number = k.contact_number
                        AND o.owner_id = k.owner_id AND o.key = :other AND o.rank = 0
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND k.key = :key AND k.rank = 0
                    ORDER BY k.contact_number LIMIT :limit
                    """),
            arguments: [
                "owner": owner.text, "key": key, "other": other, "limit": CardCandidates.limit,
            ]
        ).map(Contact.init(row:))
    }

    /// Makes one person of the contact and the guest whom `decisions` names, of those at an address
    /// that the card has gained. Coming meetings are still to be planned anew.
    func adoptGuest(
        since before: ContactCard, owner: PersonID, decisions: ContactDecisions, in db: Database
    ) throws {
        let known = Set(before.emails.map { PersonAddresses.folded($0.address) })
        let new = card.emails.map { PersonAddresses.folded($0.address) }
            .filter { !known.contains($0) }
        let guests = try Person.guests(at: new, besides: owner, in: db)
        guard let guest = decisions.guest(card, guests),
            try owner.speaks(for: person, in: db),
            let kept = try Person.fetch(person, in: db)
        else { return }
        try PersonMerge(kept: kept, other: guest).unite(by: decisions.merge, in: db)
    }

    /// Saves card and search keys, and, where the owner of the card speaks for the person, what the
    /// person's row mirrors of it.
    ///
    /// `isNew` says that the person is new, so that no card has keys that would have to go, and
    /// nothing was known that has to be remembered.
    func save(owner: PersonID, isNew: Bool = false, in db: Database) throws {
        if !isNew { try KnownAs.remember(person, in: db) }
        let number = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO contact (owner_id, person_id, uid, sort_key, card)
                    VALUES (:owner, :person, :uid, :sort, :card)
                    ON CONFLICT (owner_id, person_id) DO UPDATE SET
                        uid = :uid, sort_key = :sort, card = :card
                    RETURNING number
                    """),
            arguments: [
                "owner": owner.text, "person": person.text, "uid": card.uid, "sort": sortKey,
                "card": VCardWriter.write([card], version: .v4),
            ])
        guard let number else { throw StoreError.failed("a contact has no number") }
        if !isNew { try Self.removeKeys(number, in: db) }
        try saveKeys(number, owner: owner, in: db)
        guard try owner.speaks(for: person, in: db) else { return }
        try db.cachedStatement(
            sql: """
                UPDATE person SET name = :name, zone = :zone, language = :language
                WHERE id = :id
                """
        ).execute(arguments: [
            "id": person.text, "name": card.formattedName, "zone": card.timeZone,
            "language": card.language,
        ])
        let addresses = card.emails.filter(\.preferred) + card.emails.filter { !$0.preferred }
        try PersonAddresses.replace(of: person, with: addresses.map(\.address), in: db)
    }

    private func saveKeys(_ number: Int64, owner: PersonID, in db: Database) throws {
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO contact_key (owner_id, key, rank, contact_number)
                VALUES (:owner, :key, :rank, :number) ON CONFLICT DO NOTHING
                """)
        for key in ContactKeys(of: card).all {
            try insertion.execute(arguments: [
                "owner": owner.text, "key": key.text, "rank": key.rank, "number": number,
            ])
        }
        try ContactText.insert(card.formattedName, number: number, in: db)
    }

    private static func removeKeys(_ number: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact_key WHERE contact_number = :number")
            .execute(arguments: ["number": number])
        try ContactText.remove(number, in: db)
    }

    static func remove(_ person: PersonID, owner: PersonID, in db: Database) throws {
        try KnownAs.remember(person, in: db)
        let numbers = try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT number FROM contact WHERE owner_id = :owner AND person_id = :person"),
            arguments: ["owner": owner.text, "person": person.text])
        for number in numbers {
            try removeKeys(number, in: db)
            try db.execute(
                sql: "DELETE FROM contact WHERE number = :number", arguments: ["number": number])
        }
        try db.execute(
            sql: """
                DELETE FROM circle_member WHERE person_id = :person AND circle_id IN (
                    SELECT id FROM circle WHERE owner_id = :owner)
                """, arguments: ["owner": owner.text, "person": person.text])
    }
}
