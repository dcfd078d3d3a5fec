import Agenda
import GRDB
import Interchange
import Ledger

/// A card at its last import. It is known by its UID, and without one by a digest of its content.
///
/// A contact can have several cards without a UID, of several files. A value that a newer one of
/// them replaces is removed from those of earlier imports, which may be its earlier versions;
/// another spelling of the name stays. Cards of one import may disagree.
///
/// The mail addresses that were typed here stand on a card of their own, because files may have
/// them later and then lose them.
struct CardSource: Codable {
    private let owner: PersonID
    let uid: String
    private let digest: String
    /// The card without large values, in the form of a vCard; empty if it was imported before that
    /// was kept.
    private let text: String
    /// The name on a card without a UID; empty for other cards, and `nil` if it was not read yet.
    private let nameKey: String?

    /// The mark before the digest of a card without a UID.
    private static let contentMark = "#"
    /// The mark before the person of a card with typed addresses.
    private static let typedMark = "@"

    private init(
        owner: PersonID, uid: String, digest: String, text: String, nameKey: String? = nil
    ) {
        self.owner = owner
        self.uid = uid
        self.digest = digest
        self.text = text
        self.nameKey = nameKey
    }

    private init(row: Row, owner: PersonID) {
        self.init(owner: owner, uid: row["uid"], digest: row["digest"], text: row["card"])
    }

    /// The sources of the cards from which a contact of this owner was built.
    static func all(
        of person: PersonID, owner: PersonID, limit: Int = .max, in db: Database
    ) throws -> [CardSource] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT s.uid, s.digest, s.card FROM contact c
                    JOIN card_source s ON s.contact_number = c.number
                    WHERE c.owner_id = :owner AND c.person_id = :person
                        AND s.owner_id = :owner
                    ORDER BY s.uid LIMIT :limit
                    """),
            arguments: ["owner": owner.text, "person": person.text, "limit": limit]
        ).map { CardSource(row: $0, owner: owner) }
    }

    /// Describes a card of an import into this owner's address book.
    init(of card: ContactCard, owner: PersonID) {
        self.owner = owner
        nameKey = card.uid == nil ? Self.name(of: card) : ""
        let whole = VCardWriter.write([card], version: .v4)
        digest = SipHash.digest(of: whole)
        uid = card.uid ?? Self.contentMark + digest
        var plain = card
        plain.extra.removeAll { $0.utf8.count > ContactCard.extraOctetsMax }
        let isPlain = plain.extra.count == card.extra.count
        text = isPlain ? whole : VCardWriter.write([plain], version: .v4)
    }

    /// The card with the addresses of a contact that were typed here.
    init(typed emails: [ContactCard.Email], of person: PersonID, owner: PersonID) {
        var card = ContactCard(formattedName: "")
        card.emails = emails
        self.init(
            owner: owner, uid: Self.typedMark + person.text, digest: "",
            text: VCardWriter.write([card], version: .v4))
    }

    /// The key of a card without a UID.
    static func key(of card: ContactCard) -> String {
        contentMark + SipHash.digest(of: VCardWriter.write([card], version: .v4))
    }

    /// The name on a card, in the form in which names are compared.
    static func name(of card: ContactCard) -> String {
        let key = SearchKey.name(card.formattedName)
        return key.isEmpty ? card.formattedName : key
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
    func save(
        for decision: CardDecision, besides cards: CardsWithoutUID, in db: Database
    ) throws {
        if isContent {
            try reduceOthers(of: decision.contact.person, besides: cards, in: db)
            // After a change, earlier cards whose text was not kept are new again.
            if case .update = decision.act { try forgetTextless(of: decision.contact, in: db) }
        }
        try save(for: decision.contact, in: db)
    }

    /// True for a card without a UID.
    var isContent: Bool { uid.hasPrefix(Self.contentMark) }

    /// True for a card with typed addresses, which no file has.
    var isTyped: Bool { uid.hasPrefix(Self.typedMark) }

    /// The card; `nil` if it was imported before its text was kept.
    var card: ContactCard? { VCardReader.read(Array(text.utf8)).cards.first }

    /// True if this is an earlier version of another card: one with the same UID. Of a card without
    /// a UID, nothing tells which one it was.
    func precedes(_ other: CardSource) -> Bool {
        !other.isContent && ContactCard.spellings(ofUID: other.uid).contains(uid)
    }

    /// The cards without a UID from which a contact was built, at most
    /// ``contentsMax``.
    static func rows(
        of person: PersonID, owner: PersonID, in db: Database
    ) throws -> [CardSource] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT s.uid, s.digest, s.card FROM contact c
                    JOIN card_source s ON s.contact_number = c.number
                    WHERE c.owner_id = :owner AND c.person_id = :person AND s.uid LIKE '#%'
                        AND s.card <> '' ORDER BY s.uid LIMIT :limit
                    """),
            arguments: ["owner": owner.text, "person": person.text, "limit": contentsMax]
        ).map { CardSource(row: $0, owner: owner) }
    }

    /// The version of the card that was imported into a contact before; `nil` if there is none.
    func base(of known: PersonID, in db: Database) throws -> CardSource? {
        for spelling in ContactCard.spellings(ofUID: uid) {
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT s.uid, s.digest, s.card FROM card_source s
                        JOIN contact c ON c.number = s.contact_number
                        WHERE s.owner_id = :owner AND s.uid = :uid AND c.person_id = :person
                        """),
                arguments: ["owner": owner.text, "uid": spelling, "person": known.text])
            if let row { return CardSource(row: row, owner: owner) }
        }
        return nil
    }

    /// The most cards without a UID of one contact.
    private static let contentsMax = 10

    /// Removes from the cards without a UID of earlier imports what this card replaces, and those
    /// that say nothing else.
    private func reduceOthers(
        of person: PersonID, besides cards: CardsWithoutUID, in db: Database
    ) throws {
        guard let card else { return }
        let others = try Self.rows(of: person, owner: owner, in: db).filter { $0.uid != uid }
        for (place, other) in others.enumerated() {
            guard let before = other.card else { continue }
            let rest = before.withoutReplaced(by: card)
            if place >= Self.contentsMax - 2 {
                try other.delete(in: db)
            } else if cards.contains(other.uid) {
                continue
            } else if rest.saysNothing(besides: card) {
                try other.delete(in: db)
            } else if rest != before {
                try other.delete(in: db)
                try CardSource(
                    owner: owner, uid: other.uid, digest: "",
                    text: VCardWriter.write([rest], version: .v4), nameKey: Self.name(of: rest)
                ).insert(for: person, in: db)
            }
        }
    }

    private func forgetTextless(of contact: Contact, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM card_source
                WHERE owner_id = :owner AND card = '' AND uid LIKE '#%' AND uid IN (
                    SELECT s.uid FROM contact c
                    JOIN card_source s ON s.contact_number = c.number
                    WHERE c.owner_id = :owner AND c.person_id = :person AND s.owner_id = :owner)
                """
        ).execute(arguments: ["owner": owner.text, "person": contact.person.text])
    }

    func delete(in db: Database) throws {
        try db.cachedStatement(
            sql: "DELETE FROM card_source WHERE owner_id = :owner AND uid = :uid"
        ).execute(arguments: ["owner": owner.text, "uid": uid])
    }

    func save(for contact: Contact, in db: Database) throws {
        // The last version counts, in whatever spelling of the UID it came.
        for spelling in ContactCard.spellings(ofUID: uid) where spelling != uid {
            try CardSource(owner: owner, uid: spelling, digest: "", text: "").delete(in: db)
        }
        try insert(for: contact.person, in: db)
    }

    private func insert(for person: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO card_source (owner_id, uid, contact_number, digest, card, name)
                SELECT owner_id, :uid, number, :digest, :card, :name FROM contact
                WHERE owner_id = :owner AND person_id = :person
                ON CONFLICT (owner_id, uid) DO UPDATE SET
                    contact_number = excluded.contact_number, digest = excluded.digest,
                    card = excluded.card, name = excluded.name
                """
        ).execute(arguments: [
            "owner": owner.text, "uid": uid, "digest": digest, "card": text,
            "person": person.text,
            "name": nameKey ?? (isContent ? card.map(Self.name(of:)) ?? "" : ""),
        ])
    }
}
