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
    /// True if the task with the same id runs it. It ends when the task is removed.
    let isOfTask: Bool

    /// Names an import.
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - owner: the owner of the address book.
    ///   - isOfTask: true if the task with the same id runs it. It saves nothing more after the
    ///     task was removed together with its account.
    public init(id: ContactImportID, owner: PersonID, isOfTask: Bool = false) {
        self.id = id
        self.owner = owner
        self.isOfTask = isOfTask
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

    /// Checks that the owner of the address book is still a person of their own, and that a task
    /// was not removed together with its account. A task goes with its account when that is merged.
    ///
    /// - Throws: ``StoreError/accountGone``.
    func checkMaySave(in db: Database) throws {
        let task = "SELECT EXISTS (SELECT 1 FROM task WHERE id = :id AND person_id = :owner)"
        let person =
            "SELECT EXISTS (SELECT 1 FROM person WHERE id = :owner AND merged_into IS NULL)"
        let maySave =
            isOfTask
            ? try Bool.fetchOne(
                db.cachedStatement(sql: task),
                arguments: ["id": id.text, "owner": owner.text])
            : try Bool.fetchOne(
                db.cachedStatement(sql: person), arguments: ["owner": owner.text])
        guard maySave == true else { throw StoreError.accountGone }
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

extension ContactImport {
    /// Records that the import gives a contact a picture. Of several, the first one replaced the
    /// picture that the contact had before.
    func note(
        _ picture: String, of contact: Contact, insteadOf before: PictureState, now: Moment,
        in db: Database
    ) throws {
        try ContactTrace(before: contact, by: self, in: db).saveIfNone(now: now, in: db)
        try db.cachedStatement(
            sql: """
                UPDATE imported_contact SET
                    old_picture = CASE WHEN new_picture IS NULL THEN CAST(:name AS TEXT)
                        ELSE old_picture END,
                    old_photo = CASE WHEN new_picture IS NULL THEN CAST(:photo AS TEXT)
                        ELSE old_photo END,
                    old_is_own_picture = CASE WHEN new_picture IS NULL THEN CAST(:own AS BIGINT)
                        ELSE old_is_own_picture END,
                    new_picture = :new
                WHERE import_id = :import AND contact_number = (
                    SELECT number FROM contact
                    WHERE owner_id = :owner AND person_id = :person)
                """
        ).execute(arguments: [
            "name": before.name, "photo": before.photo, "own": before.isOwn ? 1 : 0,
            "new": picture, "import": id.text, "owner": owner.text,
            "person": contact.person.text,
        ])
    }
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
}

extension ContactTrace {
    /// The contact before a decision is saved; `nil` if the decision changes nothing.
    init?(of decision: CardDecision, by contactImport: ContactImport, in db: Database) throws {
        let person = decision.contact.person
        switch decision.act {
        case .insert(let isNewPerson):
            self.init(
                contactImport: contactImport, person: person, card: nil, sources: Sources(),
                isNewPerson: isNewPerson)
        case .update(let before):
            try self.init(
                before: Contact(person: person, card: before), by: contactImport, in: db)
        case .keep, .outdated: return nil
        }
    }

    /// A contact that the import is about to change.
    init(before contact: Contact, by contactImport: ContactImport, in db: Database) throws {
        let owner = contactImport.owner
        self.init(
            contactImport: contactImport, person: contact.person,
            card: VCardWriter.write([contact.card], version: .v4),
            sources: Sources(
                sources: try CardSource.all(of: contact.person, owner: owner, in: db),
                aliases: try contact.aliases(owner: owner, in: db)), isNewPerson: false)
    }

    /// Records the contact, unless a card of the import did.
    func saveIfNone(now: Moment, in db: Database) throws {
        let isRecorded = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM imported_contact i
                        JOIN contact c ON c.number = i.contact_number
                        WHERE i.import_id = :import AND c.owner_id = :owner
                            AND c.person_id = :person)
                    """),
            arguments: [
                "import": contactImport.id.text, "owner": contactImport.owner.text,
                "person": person.text,
            ])
        guard isRecorded != true else { return }
        try save(isJoined: false, now: now, in: db)
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
