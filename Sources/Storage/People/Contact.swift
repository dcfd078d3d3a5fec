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
    /// The card in the address book.
    public var card: ContactCard
    /// The name of the files of the picture, if the contact has one and it was asked for.
    public internal(set) var picture: String?

    /// Creates a contact value.
    public init(person: PersonID, card: ContactCard) {
        self.person = person
        self.card = card
    }
}

/// The decisions about a contact that is being written, made inside the transaction that saves it.
public struct ContactDecisions: Sendable {
    /// Selects the guest whom the card describes, among the guests at the card's addresses.
    public var guest: @Sendable (_ card: ContactCard, _ guests: [Person]) -> Person?
    /// Decides about the cards of a merged person, and about coming meetings.
    public var merge: MergeDecisions

    /// Creates the decisions from these rules.
    public init(
        guest: @escaping @Sendable (_ card: ContactCard, _ guests: [Person]) -> Person?,
        merge: MergeDecisions
    ) {
        self.guest = guest
        self.merge = merge
    }
}

/// The result of adding a contact.
public enum ContactAddition: Equatable, Sendable {
    /// The contact was added.
    case added(Contact)
    /// This contact already existed; nothing has changed.
    case known(Contact)
}

extension Store {
    /// The contact of a person in an owner's address book.
    public func contact(_ person: PersonID, of owner: PersonID) async throws -> Contact? {
        try await read { db in try Contact.fetch(person, of: owner, in: db) }
    }

    /// The number of contacts in an address book, and of the characters of their cards.
    public func bookSize(of owner: PersonID) async throws -> (count: Int, characters: Int) {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) AS number, coalesce(sum(length(card)), 0) AS characters
                        FROM contact WHERE owner_id = :owner
                        """),
                arguments: ["owner": owner.text])
            return (row?["number"] ?? 0, row?["characters"] ?? 0)
        }
    }

    /// Changes a contact and replans the person's coming meetings. Both happen in one transaction,
    /// so that concurrent changes are not lost. If the card gains the address of a guest and
    /// `decisions` identifies the two, they are merged into one person. In an address book that is
    /// not the installation owner's, this happens only if nobody else knows either of them.
    ///
    /// - Parameters:
    ///   - person: the person whose card changes.
    ///   - owner: the owner of the address book.
    ///   - now: the current time.
    ///   - decisions: decide who is the same person, and about cards and meetings.
    ///   - change: changes the card.
    /// - Returns: the contact after the change; `nil` if there is none.
    /// - Throws: ``StoreError``, or an error that a decision throws; nothing has changed then.
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

    /// Adds a contact. The contact is linked to the guest whom `decisions` selects among those at
    /// the card's addresses, or else to a new person. Nothing is added if the address book already
    /// has a contact with the same name, in any order of words, and one of the card's addresses.
    ///
    /// - Parameters:
    ///   - card: the card to save; a card without a UID gets the person's id.
    ///   - owner: the owner of the address book.
    ///   - newID: the id of a new person.
    ///   - now: the current time.
    ///   - decisions: decide who is the same person, and about that guest's meetings.
    /// - Returns: the new contact, or the existing one.
    /// - Throws: ``StoreError``.
    public func addContact(
        _ card: ContactCard, owner: PersonID, newID: PersonID, now: Moment,
        decisions: ContactDecisions
    ) async throws -> ContactAddition {
        try await write { db in
            let addresses = card.emails.map { PersonAddresses.folded($0.address) }
            let known = try CardCandidates.namesakes(
                of: card, at: addresses, of: owner, ImportMemory(), in: db
            ).first
            if let known { return .known(known) }
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

    /// Removes a person from an address book, with their picture. The person stays in meetings, as
    /// a guest if they are in no other book.
    public func removeContact(_ person: PersonID, owner: PersonID, now: Moment) async throws {
        let picture = try await write { db in
            let picture = try PictureState.fetch(of: person, owner: owner, in: db).name
            try Contact.remove(person, owner: owner, in: db)
            try Contact.leaveAsGuest(person, now: now, in: db)
            return picture
        }
        try await removePictures([picture].compactMap(\.self))
    }
}

extension ContactCard {
    /// The card that a text of the database describes.
    init(stored text: String) throws(UnreadableValue) {
        guard let card = VCardReader.read(Array(text.utf8)).cards.first else {
            throw UnreadableValue.card
        }
        self = card
    }
}

extension Contact {
    init(row: Row) throws {
        self.init(
            person: PersonID(text: row["person_id"]), card: try ContactCard(stored: row["card"]))
        picture = row["picture"]
    }

    /// The key that sorts contacts by family name, as address books do.
    var sortKey: String { SearchKey.fold("\(card.family) \(card.given) \(card.formattedName)") }

    static func fetch(_ person: PersonID, of owner: PersonID, in db: Database) throws -> Contact? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT person_id, card, picture FROM contact
                    WHERE owner_id = :owner AND person_id = (
                        SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                    """),
            arguments: ["owner": owner.text, "person": person.text]
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

    /// Merges the contact with a guest who has one of the card's new addresses, if `decisions`
    /// selects one. The caller must replan coming meetings.
    ///
    /// - Returns: true if they were merged.
    @discardableResult
    func adoptGuest(
        since before: ContactCard, owner: PersonID, decisions: ContactDecisions, in db: Database
    ) throws -> Bool {
        let known = Set(before.emails.map { PersonAddresses.folded($0.address) })
        let new = card.emails.map { PersonAddresses.folded($0.address) }
            .filter { !known.contains($0) }
        let guests = try Person.guests(at: new, besides: owner, in: db)
        guard let guest = decisions.guest(card, guests),
            try owner.speaks(for: person, in: db),
            let kept = try Person.fetch(person, in: db)
        else { return false }
        try PersonMerge(kept: kept, other: guest).unite(by: decisions.merge, in: db)
        return true
    }

    /// Saves the card and its search keys. If the owner's address book decides about the person
    /// (``Acquaintance/speaks``), also copies name, time zone, language and addresses to them. What
    /// they chose themselves is kept, also that they have no time zone of their own.
    ///
    /// `isNew` means that the person is new: there are no old search keys to remove and no earlier
    /// texts to remember.
    func save(owner: PersonID, isNew: Bool = false, in db: Database) throws {
        if !isNew { try KnownAs.remember(person, in: db) }
        let number = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO contact (owner_id, person_id, uid, sort_key, birthday, card)
                    VALUES (:owner, :person, :uid, :sort, :birthday, :card)
                    ON CONFLICT (owner_id, person_id) DO UPDATE SET
                        uid = :uid, sort_key = :sort, birthday = :birthday, card = :card
                    RETURNING number
                    """),
            arguments: [
                "owner": owner.text, "person": person.text, "uid": card.uid, "sort": sortKey,
                "birthday": card.birthday.flatMap { Birthday($0) }?.key,
                "card": VCardWriter.write([card], version: .v4),
            ])
        guard let number else { throw StoreError.failed("saving a contact returned no row number") }
        if !isNew { try Self.removeKeys(number, in: db) }
        try saveKeys(number, owner: owner, in: db)
        guard try owner.speaks(for: person, in: db) else { return }
        try Person.keepNames(of: person, besides: owner, being: card.formattedName, in: db)
        try db.cachedStatement(
            sql: """
                UPDATE person SET
                    name = coalesce((SELECT name FROM account WHERE person_id = :id), :name),
                    zone = CASE WHEN EXISTS (
                            SELECT 1 FROM account WHERE person_id = :id AND name IS NOT NULL)
                        THEN (SELECT zone FROM account WHERE person_id = :id)
                        ELSE CAST(:zone AS TEXT) END,
                    language = coalesce(
                        (SELECT language FROM account WHERE person_id = :id), :language)
                WHERE id = :id
                """
        ).execute(arguments: [
            "id": person.text, "name": card.formattedName, "zone": card.timeZone,
            "language": card.language,
        ])
        let addresses = card.emailsByPreference.map(\.address)
        try PersonAddresses.replace(of: person, with: addresses, in: db)
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
        for table in ["circle_member", "circle_leaver"] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE person_id = :person AND circle_id IN (
                        SELECT id FROM circle WHERE owner_id = :owner)
                    """, arguments: ["owner": owner.text, "person": person.text])
        }
    }

    /// Forgets what only removed cards said about a person who is in no address book any more: the
    /// unproven addresses behind the one to which their mail goes. The links of earlier mails that
    /// are for no single meeting are revoked, because those mails may have gone elsewhere.
    static func leaveAsGuest(_ person: PersonID, now: Moment, in db: Database) throws {
        let isKnown = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM contact WHERE person_id = :person)",
            arguments: ["person": person.text])
        guard isKnown != true else { return }
        try db.execute(
            sql: """
                DELETE FROM person_address WHERE person_id = :person AND is_verified = 0
                    AND folded <> (
                        SELECT a.folded FROM person_address a WHERE a.person_id = :person
                        ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1)
                """, arguments: ["person": person.text])
        try db.execute(
            sql: """
                UPDATE access_link SET revoked_at = :now
                WHERE person_id = :person AND meeting_id IS NULL AND revoked_at IS NULL
                """, arguments: ["person": person.text, "now": now.milliseconds])
    }
}
