public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

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
    /// Takes cards into an address book in one transaction, and returns what became of each.
    ///
    /// `decide` gets the contacts that might be the same person, and the guests who have one of the
    /// card's addresses. It is not asked about a card that says what it said when it was imported
    /// last: what was changed by hand since stays. A guest at an address that a contact gains, whom
    /// `decisions` names, becomes one person with it. Coming meetings of who changed are planned
    /// anew.
    public func importCards(
        _ cards: [ContactCard], owner: PersonID, now: Moment, decisions: ContactDecisions,
        decide: @escaping @Sendable (ContactCard, CardCandidates) -> CardDecision
    ) async throws -> [CardDecision] {
        try await write { db in
            try Self.prepareImport(in: db)
            let taken = try cards.map { card in
                let source = CardSource(of: card, owner: owner)
                if let known = try source?.unchanged(in: db) { return CardDecision.keep(known) }
                let decision = decide(card, try CardCandidates.fetch(for: card, of: owner, in: db))
                try decision.save(owner: owner, now: now, in: db)
                if case .update(let contact, let before) = decision {
                    try contact.adoptGuest(
                        since: before, owner: owner, decisions: decisions, in: db)
                }
                try source?.save(for: decision.contact, in: db)
                return decision
            }
            // Many of them may meet in one meeting, which is planned anew once.
            let meetings = try Set(taken.compactMap(\.known)).reduce(into: Set<MeetingID>()) {
                try $0.formUnion(MeetingID.coming(of: $1, now: now, in: db))
            }
            try MeetingBundle.replan(meetings, by: decisions.merge.meeting, in: db)
            return taken
        }
    }
}

/// What a card with a UID said when it was imported last.
struct CardSource {
    private let owner: PersonID
    private let uid: String
    private let digest: String

    private init(owner: PersonID, uid: String, digest: String) {
        self.owner = owner
        self.uid = uid
        self.digest = digest
    }

    /// What all cards said of which a contact was made.
    static func all(of person: PersonID, owner: PersonID, in db: Database) throws -> [CardSource] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT s.uid, s.digest FROM card_source s
                JOIN contact c ON c.number = s.contact_number
                WHERE c.owner_id = :owner AND c.person_id = :person
                """, arguments: ["owner": owner.text, "person": person.text]
        ).map { CardSource(owner: owner, uid: $0["uid"], digest: $0["digest"]) }
    }

    init?(of card: ContactCard, owner: PersonID) {
        guard let uid = card.uid else { return nil }
        self.owner = owner
        self.uid = uid
        digest = SipHash.digest(of: VCardWriter.write([card], version: .v4))
    }

    /// The contact that was made of exactly this card, or changed by it; `nil` where the card is
    /// new or says something else now.
    func unchanged(in db: Database) throws -> Contact? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT c.person_id, c.card FROM card_source s
                    JOIN contact c ON c.number = s.contact_number
                    WHERE s.owner_id = :owner AND s.uid = :uid AND s.digest = :digest
                    """),
            arguments: ["owner": owner.text, "uid": uid, "digest": digest]
        ).map(Contact.init(row:))
    }

    func save(for contact: Contact, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO card_source (owner_id, uid, contact_number, digest)
                SELECT owner_id, :uid, number, :digest FROM contact
                WHERE owner_id = :owner AND person_id = :person
                ON CONFLICT (owner_id, uid) DO UPDATE SET
                    contact_number = excluded.contact_number, digest = excluded.digest
                """
        ).execute(arguments: [
            "owner": owner.text, "uid": uid, "digest": digest, "person": contact.person.text,
        ])
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

    /// Contacts with exactly the name of a card, and one of its addresses where it has one.
    static func namesakes(
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
            try contact.save(owner: owner, isNew: isNewPerson, in: db)
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
