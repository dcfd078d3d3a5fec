import Agenda
import GRDB
import Interchange
import Ledger

/// A card at its last import. It is known by its UID, and without one by a digest of its content.
///
/// A contact can have several cards without a UID, of several files. A value that a newer one of
/// them replaces is removed from the older ones, so that they never disagree.
struct CardSource: Codable {
    private let owner: PersonID
    private let uid: String
    private let digest: String
    /// The card without large values, in the form of a vCard; empty if it was imported before that
    /// was kept.
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
        text = isPlain ? whole : VCardWriter.write([plain], version: .v4)
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
        if isContent {
            try reduceOthers(of: decision.contact.person, in: db)
            // After a change, earlier cards whose text was not kept are new again.
            if case .update = decision { try forgetTextless(of: decision.contact, in: db) }
        }
        try save(for: decision.contact, in: db)
    }

    /// True for a card without a UID.
    var isContent: Bool { uid.hasPrefix(Self.contentMark) }

    private var card: ContactCard? { VCardReader.read(Array(text.utf8)).cards.first }

    /// The cards without a UID from which a contact was built, at most
    /// ``contentsMax``.
    static func contents(
        of person: PersonID, owner: PersonID, in db: Database
    ) throws -> [ContactCard] {
        try rows(of: person, owner: owner, in: db).compactMap(\.card)
    }

    private static func rows(
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
        ).map {
            CardSource(owner: owner, uid: $0["uid"], digest: $0["digest"], text: $0["card"])
        }
    }

    /// The most cards without a UID of one contact.
    private static let contentsMax = 10

    /// Removes from the other cards without a UID what this card replaces, and those that say
    /// nothing else.
    private func reduceOthers(of person: PersonID, in db: Database) throws {
        guard let card else { return }
        let others = try Self.rows(of: person, owner: owner, in: db).filter { $0.uid != uid }
        for (place, other) in others.enumerated() {
            guard let before = other.card else { continue }
            let rest = before.withoutReplaced(by: card)
            if rest.saysNothing(besides: card) || place >= Self.contentsMax - 2 {
                try other.delete(in: db)
            } else if rest != before {
                try other.delete(in: db)
                try db.cachedStatement(
                    sql: """
                        INSERT INTO card_source (owner_id, uid, contact_number, digest, card)
                        SELECT owner_id, :uid, number, '', :card FROM contact
                        WHERE owner_id = :owner AND person_id = :person
                        ON CONFLICT (owner_id, uid) DO NOTHING
                        """
                ).execute(arguments: [
                    "owner": owner.text, "uid": other.uid, "person": person.text,
                    "card": VCardWriter.write([rest], version: .v4),
                ])
            }
        }
    }

    private func forgetTextless(of contact: Contact, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM card_source WHERE owner_id = :owner AND uid LIKE '#%' AND card = ''
                    AND contact_number IN (
                        SELECT number FROM contact
                        WHERE owner_id = :owner AND person_id = :person)
                """
        ).execute(arguments: ["owner": owner.text, "person": contact.person.text])
    }

    private func delete(in db: Database) throws {
        try db.cachedStatement(
            sql: "DELETE FROM card_source WHERE owner_id = :owner AND uid = :uid"
        ).execute(arguments: ["owner": owner.text, "uid": uid])
    }

    func save(for contact: Contact, in db: Database) throws {
        // The last version counts, in whatever spelling of the UID it came.
        for spelling in ContactCard.spellings(ofUID: uid) where spelling != uid {
            try CardSource(owner: owner, uid: spelling, digest: "", text: "").delete(in: db)
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
