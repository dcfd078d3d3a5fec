import Agenda
import Foundation
import GRDB
import Interchange
import Ledger
import Timekeeping

/// Takes back what an import did to one contact, in the transaction of the caller.
///
/// A contact that was changed since stays, and so does a new one that anything uses.
struct ImportUndo {
    let contactImport: ContactImport
    let madeAt: Moment
    let now: Moment
    let meeting: Replanning
    let db: Database

    /// The result for a contact.
    enum Outcome {
        case removed
        case restored
        case kept(UndoneContact.Reason, Contact)
    }

    /// The records of the contacts that come after a number, each with its contact of today.
    func nextRows(_ limit: Int, after number: Int64 = 0) throws -> [Row] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT i.contact_number, i.card AS before, i.sources, i.digest,
                        i.is_new_person, i.is_joined, i.old_picture, i.old_photo,
                        i.old_is_own_picture, i.new_picture, c.owner_id, c.person_id, c.card,
                        c.picture
                    FROM imported_contact i JOIN contact c ON c.number = i.contact_number
                    WHERE i.import_id = :import AND i.contact_number > :number
                    ORDER BY i.contact_number LIMIT :limit
                    """),
            arguments: [
                "import": contactImport.id.text, "limit": limit, "number": number,
            ])
    }

    /// Takes the circles of the import back, and forgets the import.
    func finish() throws {
        try finishCircles()
        try db.cachedStatement(sql: "DELETE FROM contact_import WHERE id = :id")
            .execute(arguments: ["id": contactImport.id.text])
    }

    /// Takes back what the import did to a contact, and forgets its record.
    func take(_ row: Row) throws -> Outcome {
        let contact = try Contact(row: row)
        let outcome = try outcome(of: contact, row)
        if case .kept = outcome { try keepMemberships(of: contact.person) }
        try db.cachedStatement(
            sql: """
                DELETE FROM imported_contact
                WHERE import_id = :import AND contact_number = :number
                """
        ).execute(arguments: [
            "import": contactImport.id.text, "number": row["contact_number"] as Int64,
        ])
        return outcome
    }

    /// Forgets into which circles the import brought a person, so that they stay there.
    private func keepMemberships(of person: PersonID) throws {
        try db.cachedStatement(
            sql: "DELETE FROM imported_member WHERE import_id = :import AND person_id = :id"
        ).execute(arguments: ["id": person.text, "import": contactImport.id.text])
    }

    private func outcome(of contact: Contact, _ row: Row) throws -> Outcome {
        if row["is_joined"] as Int == 1 { return .kept(.joined, contact) }
        guard SipHash.digest(of: row["card"] as String) == row["digest"] as String,
            row["owner_id"] as String == contactImport.owner.text, !isPictureChanged(row),
            try !isMergedSince(contact.person)
        else { return .kept(.changed, contact) }
        if let before = row["before"] as String? {
            try restore(contact, to: try ContactCard(stored: before), row["sources"])
            try restorePicture(of: contact.person, row)
            return .restored
        }
        guard try !isUsed(contact.person) else { return .kept(.used, contact) }
        try remove(contact.person, isNew: row["is_new_person"] as Int == 1)
        return .removed
    }

    /// True if a contact got another picture since the import. The picture of a contact that was
    /// there before, and to which the import gave none, stays in any case.
    private func isPictureChanged(_ row: Row) -> Bool {
        let given = row["new_picture"] as String?
        let isNew = (row["before"] as String?) == nil
        return (given != nil || isNew) && row["picture"] as String? != given
    }

    /// Gives a contact the picture that the import replaced.
    private func restorePicture(of person: PersonID, _ row: Row) throws {
        guard (row["new_picture"] as String?) != nil else { return }
        try PictureState(
            name: row["old_picture"], photo: row["old_photo"], isOwn: row["old_is_own_picture"]
        ).save(of: person, owner: contactImport.owner, in: db)
    }

    /// True if somebody was merged into a person since the import.
    private func isMergedSince(_ person: PersonID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM person_merge WHERE kept_id = :id AND merged_at >= :made)
                    """), arguments: ["id": person.text, "made": madeAt.milliseconds]) ?? false
    }

    /// Tables that refer to a person and that no merge moves, with their columns.
    private static let references = [
        ("meeting_history", "actor_id"), ("body", "author_id"), ("delivery", "person_id"),
        ("access_link", "person_id"), ("sign_in_ticket", "person_id"),
        ("address_request", "person_id"),
        ("person_merge", "kept_id"), ("person_merge", "other_id"), ("contact", "owner_id"),
    ]
    /// Tables whose rows about a person the import makes.
    private static let ownTables: Set = [
        "person", "person_address", "circle_member", "circle_leaver",
    ]

    /// The statement that tells whether anything but the contact of this owner and the circles of
    /// this import refers to a person.
    static let usesSQL = {
        let belongings = PersonTable.all.filter { !ownTables.contains($0.name) }
            .flatMap { table in table.conditions.map { "FROM \(table.name) WHERE \($0)" } }
        let others = references.map { "FROM \($0) WHERE \($1) = :id" }
        let special = [
            "FROM person WHERE merged_into = :id",
            "FROM person_address WHERE person_id = :id AND is_verified = 1",
            """
            FROM circle_member m WHERE m.person_id = :id AND m.circle_id NOT IN (
                SELECT i.circle_id FROM imported_member i
                WHERE i.import_id = :import AND i.person_id = :id)
            """,
        ]
        let all = (belongings + others + special).joined(separator: ") OR EXISTS (SELECT 1 ")
        return "SELECT EXISTS (SELECT 1 \(all))"
    }()

    /// True if anything uses a person: a meeting, a message, a circle, an account, a setting.
    private func isUsed(_ person: PersonID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: Self.usesSQL),
            arguments: ["id": person.text, "import": contactImport.id.text]) ?? false
    }

    /// Removes a contact, and the person if the import made them and nobody else knows them.
    private func remove(_ person: PersonID, isNew: Bool) throws {
        try Contact.remove(person, owner: contactImport.owner, in: db)
        let isKnown = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM contact WHERE person_id = :id)"),
            arguments: ["id": person.text])
        guard isNew, isKnown != true else {
            return try Contact.leaveAsGuest(person, now: now, in: db)
        }
        // A person who left the circle of somebody else is in no way used by it.
        try db.cachedStatement(sql: "DELETE FROM circle_leaver WHERE person_id = :id")
            .execute(arguments: ["id": person.text])
        try db.cachedStatement(sql: "DELETE FROM person WHERE id = :id")
            .execute(arguments: ["id": person.text])
    }

    /// Gives a contact its earlier card, and the cards of files from which it was built.
    private func restore(_ contact: Contact, to card: ContactCard, _ text: String) throws {
        let owner = contactImport.owner
        let before = try JSONDecoder().decode(
            ContactTrace.Sources.self, from: Data(text.utf8))
        for uid in try contact.aliases(owner: owner, in: db) where !before.aliases.contains(uid) {
            try contact.removeAlias(uid, owner: owner, in: db)
        }
        let restored = Contact(person: contact.person, card: card)
        try restored.save(owner: owner, in: db)
        for source in try CardSource.all(of: contact.person, owner: owner, in: db) {
            try source.delete(in: db)
        }
        for source in before.sources { try source.save(for: restored, in: db) }
        try MeetingBundle.replan(
            MeetingID.coming(of: contact.person, now: now, in: db), by: meeting, in: db)
    }

    /// Takes people out of the circles into which the import brought them, and deletes the circles
    /// that it made, if nobody is left in them. Circles that anything uses stay as they are.
    private func finishCircles() throws {
        let circles = try String.fetchAll(
            db, sql: Self.unusedCirclesSQL, arguments: ["import": contactImport.id.text])
        for circle in circles {
            for sql in Self.circleStatements {
                try db.cachedStatement(sql: sql).execute(arguments: [
                    "import": contactImport.id.text, "circle": circle,
                ])
            }
        }
    }

    private static let circleStatements = [
        """
        DELETE FROM circle_member WHERE circle_id = :circle AND person_id IN (
            SELECT person_id FROM imported_member
            WHERE import_id = :import AND circle_id = :circle)
        """,
        "DELETE FROM circle_source WHERE circle_id = :circle AND \(isLeft)",
        "DELETE FROM circle WHERE id = :circle AND \(isLeft)",
    ]

    /// The condition that the import made a circle, and that nobody is in it.
    private static let isLeft = """
        EXISTS (
            SELECT 1 FROM imported_circle WHERE import_id = :import AND circle_id = :circle)
        AND NOT EXISTS (SELECT 1 FROM circle_member WHERE circle_id = :circle)
        """

    /// The circles that the import made or extended, without those with a meeting, a feed, a
    /// channel or quiet hours.
    private static let unusedCirclesSQL = {
        let own = ["imported_member", "imported_circle"].map {
            "SELECT circle_id FROM \($0) WHERE import_id = :import"
        }.joined(separator: " UNION ")
        let unused = ["meeting_circle", "circle_asking", "feed", "channel", "circle_hours"].map {
            "NOT EXISTS (SELECT 1 FROM \($0) u WHERE u.circle_id = c.circle_id)"
        }.joined(separator: " AND ")
        return "SELECT c.circle_id FROM (\(own)) c WHERE \(unused)"
    }()
}
