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

/// What an import makes of one card.
public enum CardDecision: Sendable {
    /// A contact that is not there yet, of a person who is known already, or new.
    case insert(Contact, isNewPerson: Bool)
    /// A contact that is there changes. Files that know it by the UID it had still find it.
    case update(Contact, before: ContactCard)
    /// The contact is as the card says.
    case keep(Contact)

    /// The contact that the card is about, as it is after the import.
    public var contact: Contact {
        switch self {
        case .insert(let contact, _), .update(let contact, _), .keep(let contact): contact
        }
    }
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
                db,
                sql: """
                    SELECT person_id, card FROM contact
                    WHERE owner_id = :owner AND (sort_key, person_id) > (:key, :person)
                    ORDER BY sort_key, person_id LIMIT :limit
                    """,
                arguments: [
                    "owner": owner.text, "key": after?.sortKey ?? "",
                    "person": after?.person.text ?? "", "limit": limit,
                ]
            ).map(Contact.init(row:))
        }
    }

    /// How many contacts an address book holds.
    public func contactCount(of owner: PersonID) async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM contact WHERE owner_id = :owner",
                arguments: ["owner": owner.text]) ?? 0
        }
    }

    /// Takes cards into an address book in one transaction, and returns what became of each.
    ///
    /// `decide` gets the contacts that might be the same person, and the guests who have one of the
    /// card's addresses. Coming meetings of who changed are planned anew.
    public func importCards(
        _ cards: [ContactCard], owner: PersonID, now: Moment, replanning: @escaping Replanning,
        decide: @escaping @Sendable (ContactCard, CardCandidates) -> CardDecision
    ) async throws -> [CardDecision] {
        try await write { db in
            let decisions = try cards.map { card in
                let decision = decide(card, try CardCandidates.fetch(for: card, of: owner, in: db))
                try decision.save(owner: owner, now: now, in: db)
                return decision
            }
            for person in Set(decisions.compactMap(\.known)) {
                try MeetingBundle.replan(
                    MeetingID.coming(of: person, now: now, in: db), by: replanning, in: db)
            }
            return decisions
        }
    }

    /// Saves a contact as it is now, in place of what was there.
    public func saveContact(
        _ contact: Contact, owner: PersonID, now: Moment, replanning: @escaping Replanning
    ) async throws {
        try await write { db in
            try contact.save(owner: owner, in: db)
            try MeetingBundle.replan(
                MeetingID.coming(of: contact.person, now: now, in: db), by: replanning, in: db)
        }
    }

    /// Adds a contact: for the one guest who has an address of the card, else for a person who is
    /// new to the installation.
    ///
    /// - Parameters:
    ///   - card: what the address book is to say; without a UID it gets the person's id.
    ///   - owner: whose address book.
    ///   - newID: the id of a new person.
    ///   - now: the clock.
    ///   - replanning: what becomes of the coming meetings of that guest.
    /// - Returns: the contact.
    /// - Throws: ``StoreError``.
    public func addContact(
        _ card: ContactCard, owner: PersonID, newID: PersonID, now: Moment,
        replanning: @escaping Replanning
    ) async throws -> Contact {
        try await write { db in
            let guests = try Person.guests(
                at: card.emails.map(\.address), besides: owner, in: db)
            let guest = guests.count == 1 ? guests.first : nil
            var contact = Contact(person: guest?.id ?? newID, card: card)
            contact.card.uid = card.uid ?? contact.person.text
            if guest == nil {
                try Person(id: newID, name: card.formattedName).insert(in: db, now: now)
            }
            try contact.save(owner: owner, in: db)
            try MeetingBundle.replan(
                MeetingID.coming(of: contact.person, now: now, in: db), by: replanning, in: db)
            return contact
        }
    }

    /// Takes a person out of an address book; the person stays in meetings.
    public func removeContact(_ person: PersonID, owner: PersonID) async throws {
        try await write { db in try Contact.remove(person, owner: owner, in: db) }
    }
}

/// Who a card may be about.
public struct CardCandidates: Sendable {
    /// The contact with the card's UID, or the one into which that contact was merged.
    public let sameUID: Contact?
    /// Whether that contact was made of several by merging.
    public let isMerged: Bool
    /// Contacts with exactly its name, of those who have one of its addresses where it has one.
    public let namesakes: [Contact]
    /// Others with one of its addresses; some of them, where they are many.
    public let sharing: [Contact]
    /// Guests with one of its addresses.
    public let guests: [Person]

    static let limit = 20
    /// How many of one name are told apart by their phone numbers.
    static let namesakesMax = 200

    static func fetch(
        for card: ContactCard, of owner: PersonID, in db: Database
    ) throws -> CardCandidates {
        let known = try card.uid.flatMap { try Contact.fetch(uid: $0, of: owner, in: db) }
        guard known == nil else {
            return CardCandidates(
                sameUID: known, isMerged: try known?.hasAlias(owner: owner, in: db) ?? false,
                namesakes: [], sharing: [], guests: [])
        }
        let addresses = card.emails.map { PersonAddresses.folded($0.address) }
        let namesakes = try namesakes(of: card, at: addresses, of: owner, in: db)
        let isFound = !namesakes.isEmpty
        return CardCandidates(
            sameUID: nil, isMerged: false, namesakes: namesakes,
            sharing: isFound
                ? []
                : try addresses.flatMap {
                    try Contact.fetchAll(key: $0, limit: limit, of: owner, in: db)
                },
            guests: isFound
                ? [] : try Person.guests(at: addresses, besides: owner, in: db))
    }

    private static func namesakes(
        of card: ContactCard, at addresses: [String], of owner: PersonID, in db: Database
    ) throws -> [Contact] {
        let name = SearchKey.name(card.formattedName)
        let found =
            addresses.isEmpty
            ? try Contact.fetchAll(key: name, limit: namesakesMax, of: owner, in: db)
            : try addresses.flatMap { try Contact.fetchAll(key: name, and: $0, of: owner, in: db) }
        return found.filter { SearchKey.isSameName($0.card.formattedName, card.formattedName) }
    }
}

extension CardDecision {
    func save(owner: PersonID, now: Moment, in db: Database) throws {
        switch self {
        case .insert(let contact, let isNewPerson):
            if isNewPerson {
                try Person(id: contact.person, name: contact.card.formattedName)
                    .insert(in: db, now: now)
            }
            try contact.save(owner: owner, in: db)
        case .update(let contact, let before):
            try contact.save(owner: owner, in: db)
            if let uid = before.uid, uid != contact.card.uid {
                try contact.addAlias(uid, owner: owner, in: db)
            }
        case .keep:
            break
        }
    }

    /// Whom meetings may know already, where something about them changed.
    fileprivate var known: PersonID? {
        switch self {
        case .insert(let contact, let isNewPerson): isNewPerson ? nil : contact.person
        case .update(let contact, _): contact.person
        case .keep: nil
        }
    }
}

extension Contact {
    init(row: Row) throws {
        let reading = VCardReader.read(Array((row["card"] as String).utf8))
        guard let card = reading.cards.first else {
            throw StoreError.failed("a contact in the database cannot be read")
        }
        self.init(person: PersonID(text: row["person_id"]), card: card)
    }

    /// By family name, as address books are sorted.
    var sortKey: String { SearchKey.fold("\(card.family) \(card.given) \(card.formattedName)") }

    static func fetch(_ person: PersonID, of owner: PersonID, in db: Database) throws -> Contact? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT person_id, card FROM contact
                WHERE owner_id = :owner AND person_id = (
                    SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                """,
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

    /// Saves card, search keys, and what the person's row mirrors of it.
    func save(owner: PersonID, in db: Database) throws {
        let text = VCardWriter.write([card], version: .v4)
        try db.cachedStatement(
            sql: """
                INSERT INTO contact (owner_id, person_id, uid, sort_key, card)
                VALUES (:owner, :person, :uid, :sort, :card)
                ON CONFLICT (owner_id, person_id) DO UPDATE SET
                    uid = :uid, sort_key = :sort, card = :card
                """
        ).execute(arguments: [
            "owner": owner.text, "person": person.text, "uid": card.uid, "sort": sortKey,
            "card": text,
        ])
        try saveKeys(owner: owner, in: db)
        try db.cachedStatement(
            sql: "UPDATE person SET name = :name, zone = :zone WHERE id = :id"
        ).execute(arguments: [
            "id": person.text, "name": card.formattedName, "zone": card.timeZone,
        ])
        let addresses = card.emails.filter(\.preferred) + card.emails.filter { !$0.preferred }
        try PersonAddresses.replace(of: person, with: addresses.map(\.address), in: db)
    }

    private func saveKeys(owner: PersonID, in db: Database) throws {
        let number = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT number FROM contact WHERE owner_id = :owner AND person_id = :person"),
            arguments: ["owner": owner.text, "person": person.text])
        guard let number else { return }
        try Self.removeKeys(number, in: db)
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
        try db.cachedStatement(
            sql: "INSERT INTO contact_text (rowid, name) VALUES (:number, :name)"
        ).execute(arguments: [
            "number": number, "name": SearchKey.fold(card.formattedName),
        ])
    }

    private static func removeKeys(_ number: Int64, in db: Database) throws {
        for table in ["contact_key WHERE contact_number", "contact_text WHERE rowid"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) = :number")
                .execute(arguments: ["number": number])
        }
    }

    static func remove(_ person: PersonID, owner: PersonID, in db: Database) throws {
        let numbers = try Int64.fetchAll(
            db, sql: "SELECT number FROM contact WHERE owner_id = :owner AND person_id = :person",
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
