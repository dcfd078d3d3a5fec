public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// The decision about one card of an import.
public enum CardDecision: Sendable {
    /// Adds a new contact, either for a known person or for a new one.
    case insert(Contact, isNewPerson: Bool)
    /// Changes an existing contact. Files that use its previous UID still find it.
    case update(Contact, before: ContactCard)
    /// Leaves the contact unchanged, because it already matches the card.
    case keep(Contact)
    /// Leaves the contact unchanged, because the card is older than the one imported before.
    case outdated(Contact)

    /// The contact that the card describes, as it is after the import.
    public var contact: Contact {
        switch self {
        case .insert(let contact, _), .update(let contact, _): contact
        case .keep(let contact), .outdated(let contact): contact
        }
    }
}

extension Store {
    /// Imports cards into an address book in one transaction, and returns the decision for each
    /// card.
    ///
    /// `decide` receives the contacts that might be the same person, and the guests who have one of
    /// the card's addresses. It is not called for a card that is identical to its last import, so
    /// that later manual changes are kept. If a contact gains an address of a guest and `decisions`
    /// identifies the two, they are merged into one person. Coming meetings of changed contacts are
    /// replanned.
    public func importCards(
        _ cards: [ContactCard], owner: PersonID, now: Moment, decisions: ContactDecisions,
        decide: @escaping @Sendable (ContactCard, CardCandidates) -> CardDecision
    ) async throws -> [CardDecision] {
        try await write { db in
            try Self.prepareImport(in: db)
            let taken = try cards.map { read in
                var source = CardSource(of: read, owner: owner)
                if let known = try source.unchanged(in: db) { return CardDecision.keep(known) }
                let card = try read.distinguished(from: owner, in: db)
                if card.uid != read.uid {
                    source = CardSource(of: card, owner: owner)
                    if let known = try source.unchanged(in: db) { return .keep(known) }
                }
                var candidates = try CardCandidates.fetch(for: card, of: owner, in: db)
                candidates.base = try candidates.sameUID.flatMap { known in
                    try source.base(of: known, in: db)
                }
                let decision = decide(card, candidates)
                try decision.save(owner: owner, now: now, in: db)
                if case .update(let contact, let before) = decision {
                    try contact.adoptGuest(
                        since: before, owner: owner, decisions: decisions, in: db)
                }
                if case .outdated = decision { return decision }
                try source.save(for: decision, in: db)
                return decision
            }
            // Several of these people may take part in the same meeting; each meeting is replanned
            // once.
            let meetings = try Set(taken.compactMap(\.known)).reduce(into: Set<MeetingID>()) {
                try $0.formUnion(MeetingID.coming(of: $1, now: now, in: db))
            }
            try MeetingBundle.replan(meetings, by: decisions.merge.meeting, in: db)
            return taken
        }
    }
}

/// A card at its last import. It is known by its UID, and without one by a digest of its content.
struct CardSource: Codable {
    private let owner: PersonID
    private let uid: String
    private let digest: String
    /// The card without large values, in the form of a vCard; empty without a UID.
    private let text: String

    /// The mark before the digest of a card without a UID.
    private static let contentMark = "#"
    /// The longest line of another program that is kept, in octets. Pictures are longer.
    private static let extraOctetsMax = 1000

    private init(owner: PersonID, uid: String, digest: String, text: String) {
        self.owner = owner
        self.uid = uid
        self.digest = digest
        self.text = text
    }

    /// The sources of all cards from which a contact of this owner was built.
    static func all(of person: PersonID, owner: PersonID, in db: Database) throws -> [CardSource] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT s.uid, s.digest, s.card FROM card_source s
                JOIN contact c ON c.number = s.contact_number
                WHERE c.owner_id = :owner AND c.person_id = :person
                """, arguments: ["owner": owner.text, "person": person.text]
        ).map {
            CardSource(owner: owner, uid: $0["uid"], digest: $0["digest"], text: $0["card"])
        }
    }

    init(of card: ContactCard, owner: PersonID) {
        self.owner = owner
        let whole = VCardWriter.write([card], version: .v4)
        digest = SipHash.digest(of: whole)
        uid = card.uid ?? Self.contentMark + digest
        var plain = card
        plain.extra.removeAll { $0.utf8.count > Self.extraOctetsMax }
        let isPlain = plain.extra.count == card.extra.count
        text =
            card.uid == nil
            ? ""
            : isPlain ? whole : VCardWriter.write([plain], version: .v4)
    }

    /// The version of the card that was imported into a contact before; `nil` if it is not known.
    func base(of known: Contact, in db: Database) throws -> ContactCard? {
        for spelling in ContactCard.spellings(ofUID: uid) {
            let text = try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT s.card FROM card_source s
                        JOIN contact c ON c.number = s.contact_number
                        WHERE s.owner_id = :owner AND s.uid = :uid AND c.person_id = :person
                        """),
                arguments: ["owner": owner.text, "uid": spelling, "person": known.person.text])
            if let text { return VCardReader.read(Array(text.utf8)).cards.first }
        }
        return nil
    }

    /// The contact that was created or changed by exactly this card; `nil` if the card is new or
    /// its content has changed.
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

    /// Saves the card as the one from which a contact was created or changed.
    func save(for decision: CardDecision, in db: Database) throws {
        // After a change, earlier cards without a UID are new again.
        if case .update = decision, uid.hasPrefix(Self.contentMark) {
            try forgetContents(of: decision.contact, in: db)
        }
        try save(for: decision.contact, in: db)
    }

    private func forgetContents(of contact: Contact, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM card_source WHERE owner_id = :owner AND uid LIKE '#%'
                    AND contact_number IN (
                        SELECT number FROM contact
                        WHERE owner_id = :owner AND person_id = :person)
                """
        ).execute(arguments: ["owner": owner.text, "person": contact.person.text])
    }

    func save(for contact: Contact, in db: Database) throws {
        // The last version counts, in whatever spelling of the UID it came.
        for spelling in ContactCard.spellings(ofUID: uid) where spelling != uid {
            try db.cachedStatement(
                sql: "DELETE FROM card_source WHERE owner_id = :owner AND uid = :uid"
            ).execute(arguments: ["owner": owner.text, "uid": spelling])
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO card_source (owner_id, uid, contact_number, digest, card)
                SELECT owner_id, :uid, number, :digest, :card FROM contact
                WHERE owner_id = :owner AND person_id = :person
                ON CONFLICT (owner_id, uid) DO UPDATE SET
                    contact_number = excluded.contact_number, digest = excluded.digest,
                    card = excluded.card
                """
        ).execute(arguments: [
            "owner": owner.text, "uid": uid, "digest": digest, "card": text,
            "person": contact.person.text,
        ])
    }
}

/// The people a card may describe.
public struct CardCandidates: Sendable {
    /// The contact with the card's UID, or the contact into which that one was merged.
    public let sameUID: Contact?
    /// True if that contact is the result of a merge.
    public let isMerged: Bool
    /// Contacts with exactly the same name. If the card has addresses, they also share one of them.
    public let namesakes: [Contact]
    /// Other contacts with one of the card's addresses; only the first ones if there are many.
    public let sharing: [Contact]
    /// Guests with one of the card's addresses.
    public let guests: [Person]
    /// The version of the card that was imported before; `nil` if it is not known.
    public fileprivate(set) var base: ContactCard?

    static let limit = 20
    /// The maximum number of persons with an address who are examined.
    static let sharersMax = 100
    /// The maximum number of contacts with the same name that are compared by phone number.
    static let namesakesMax = 50

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

    /// Contacts with exactly the card's name and, if the card has addresses, one of these.
    static func namesakes(
        of card: ContactCard, at addresses: [String], of owner: PersonID, in db: Database
    ) throws -> [Contact] {
        let name = SearchKey.name(card.formattedName)
        let found =
            addresses.isEmpty
            ? try Contact.fetchAll(key: name, limit: namesakesMax, of: owner, in: db)
            : try addresses.flatMap {
                try Contact.fetchAll(name: name, address: $0, of: owner, in: db)
            }
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
            let spellings = contact.card.uid.map(ContactCard.spellings) ?? []
            if let uid = before.uid, !spellings.contains(uid) {
                try contact.addAlias(uid, owner: owner, in: db)
            }
        case .keep, .outdated:
            break
        }
    }

    /// The person whose meetings need replanning because the card changed something; `nil` for a
    /// new person or an unchanged contact.
    fileprivate var known: PersonID? {
        switch self {
        case .insert(let contact, let isNewPerson): isNewPerson ? nil : contact.person
        case .update(let contact, _): contact.person
        case .keep, .outdated: nil
        }
    }
}
