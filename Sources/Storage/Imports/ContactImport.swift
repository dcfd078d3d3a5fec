public import Agenda
import Foundation
import GRDB
import Interchange
public import Ledger
import Timekeeping

/// The id of an import of contacts.
public typealias ContactImportID = Identifier<ContactImport>

/// An import of contacts that can be taken back.
public struct ContactImport: Sendable {
    /// The number of days for which an import can be taken back.
    public static let days: Int64 = 30

    /// The id.
    public let id: ContactImportID
    /// The owner of the address book.
    public let owner: PersonID
    /// True if a task with the same id does the import.
    private let isTask: Bool

    /// Names an import.
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - owner: the owner of the address book.
    ///   - isTask: true if a task with the same id does the import.
    public init(id: ContactImportID, owner: PersonID, isTask: Bool = false) {
        self.id = id
        self.owner = owner
        self.isTask = isTask
    }

    /// Checks that the owner may still import.
    ///
    /// - Throws: ``EndedImport`` if a task does the import, and the account of the owner was
    ///   deleted since it began.
    func checkMayGoOn(in db: Database) throws {
        guard isTask else { return }
        let isOpen = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM task t JOIN account a ON a.person_id = t.person_id
                        WHERE t.id = :id AND t.person_id = :owner)
                    """), arguments: ["id": id.text, "owner": owner.text])
        guard isOpen == true else { throw EndedImport() }
    }

    /// The time of the oldest import that can still be taken back.
    static func oldest(_ now: Moment) -> Moment { now.advanced(bySeconds: -days * 86_400) }

    /// Records the import, if it was not yet.
    fileprivate func insert(now: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO contact_import (id, owner_id, made_at) VALUES (:id, :owner, :now)
                ON CONFLICT (id) DO NOTHING
                """
        ).execute(arguments: [
            "id": id.text, "owner": owner.text, "now": now.milliseconds,
        ])
    }

    /// Records the people whom the import brought into a circle.
    func note(_ circle: CircleExtension, now: Moment, in db: Database) throws {
        guard circle.isNew || !circle.newMembers.isEmpty else { return }
        try insert(now: now, in: db)
        if circle.isNew {
            try db.cachedStatement(
                sql: """
                    INSERT INTO imported_circle (import_id, circle_id) VALUES (:import, :circle)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: ["import": id.text, "circle": circle.circle.text])
        }
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO imported_member (import_id, circle_id, person_id)
                VALUES (:import, :circle, :person) ON CONFLICT DO NOTHING
                """)
        for person in circle.newMembers {
            try insertion.execute(arguments: [
                "import": id.text, "circle": circle.circle.text, "person": person.text,
            ])
        }
    }
}

/// The account that started an import was deleted meanwhile, so that nothing more is imported.
public struct EndedImport: Error {
    init() {}
}

/// The changes of one contact by an import.
struct ContactTrace {
    /// The texts from which a contact was built, apart from its card.
    struct Sources: Codable {
        var sources: [CardSource] = []
        var aliases: [String] = []
    }

    private let contactImport: ContactImport
    private let person: PersonID
    private let card: String?
    private let sources: Sources
    private let isNewPerson: Bool

    /// The contact before a decision is saved; `nil` if the decision changes nothing.
    init?(of decision: CardDecision, by contactImport: ContactImport, in db: Database) throws {
        self.contactImport = contactImport
        person = decision.contact.person
        switch decision.act {
        case .insert(let isNewPerson):
            (card, sources) = (nil, Sources())
            self.isNewPerson = isNewPerson
        case .update(let before):
            card = VCardWriter.write([before], version: .v4)
            let owner = contactImport.owner
            sources = Sources(
                sources: try CardSource.all(of: person, owner: owner, in: db),
                aliases: try Contact(person: person, card: before).aliases(owner: owner, in: db))
            isNewPerson = false
        case .keep, .outdated: return nil
        }
    }

    /// Records the contact as it was before the import, unless an earlier card of the import did,
    /// and as it is now.
    ///
    /// - Parameters:
    ///   - isJoined: true if a guest became the same person.
    ///   - now: the present time.
    ///   - db: the database.
    /// - Throws: database errors.
    func save(isJoined: Bool, now: Moment, in db: Database) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT number, card FROM contact
                    WHERE owner_id = :owner AND person_id = :person
                    """),
            arguments: ["owner": contactImport.owner.text, "person": person.text])
        guard let row else { return }
        try contactImport.insert(now: now, in: db)
        try db.cachedStatement(
            sql: """
                INSERT INTO imported_contact (
                    import_id, contact_number, card, sources, digest, is_new_person, is_joined)
                VALUES (:import, :number, :card, :sources, :digest, :new, :joined)
                ON CONFLICT (import_id, contact_number) DO UPDATE SET
                    digest = excluded.digest,
                    is_joined = CASE excluded.is_joined
                        WHEN 1 THEN 1 ELSE imported_contact.is_joined END
                """
        ).execute(arguments: [
            "import": contactImport.id.text, "number": row["number"] as Int64, "card": card,
            "sources": String(decoding: try JSONEncoder().encode(sources), as: UTF8.self),
            "digest": SipHash.digest(of: row["card"] as String),
            "new": isNewPerson ? 1 : 0, "joined": isJoined ? 1 : 0,
        ])
    }
}
