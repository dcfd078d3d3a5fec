public import Agenda
import Foundation
import GRDB
import Interchange
public import Ledger
public import Timekeeping

/// The reason why a person cannot be erased yet.
public enum ErasureObstacle: Error, Equatable {
    /// They organize a meeting that has not ended; holds its title.
    case organizes(String)
    /// A delivery to them is being sent at this moment.
    case isSending
}

/// The traces of a person that an erasure could not remove.
public struct ErasureTraces: Equatable, Sendable {
    /// True if the whole file was rewritten. Otherwise deleted data is overwritten in the file, but
    /// the write-ahead log may hold it until the log is restarted.
    public let isOverwritten: Bool
    /// Words that may refer to the person or to somebody else.
    public let words: [RemainingWord]
    /// Databases that earlier restores set aside; they are unchanged.
    public let copies: [String]
}

extension Store {
    /// The name of an erased person: stable, and built from the id alone.
    public static func pseudonym(of person: PersonID) -> String {
        "erased-\(person.text.prefix(6))"
    }

    /// The reason stored with suppressed deliveries to an erased person.
    public static let erasureReason = "erased"

    /// Erases a person: replaces their current and earlier names, addresses and phone numbers
    /// everywhere with a pseudonym, and overwrites the old data in the file.
    ///
    /// - Address books lose the contact with all its keys. Circles and coming meetings lose the
    ///   person. Past meetings and the ledger keep them under the pseudonym.
    /// - Open and parked deliveries to them are suppressed with the reason `erased`. The rows keep
    ///   their keys, so that the ledger still verifies.
    /// - Their own contacts, circles, saved places and imported calendar objects are deleted.
    /// - The notes they wrote with their answers are cleared.
    /// - Texts that others wrote (titles, notes, places, links, keys, messages, names of circles,
    ///   server replies, reasons in the ledger) stay, but whole names, addresses and phone numbers
    ///   in them are replaced. A name of a single word, or a nickname, is replaced in the texts of
    ///   meetings in which they take part or took part. Nothing that another person shares is
    ///   replaced, because families share addresses.
    /// - The files of their pictures are removed, unless another contact uses the same.
    /// - Merges of any persons can no longer be taken back.
    /// - A note about them on another contact's card stays, because it belongs to that card.
    ///
    /// - Returns: the traces that are left.
    /// - Throws: ``ErasureObstacle``, or ``StoreError``; nothing has changed then.
    public func erase(_ id: PersonID, now: Moment) async throws -> ErasureTraces {
        let words = try await write { db in
            // Recently accepted deliveries keep texts of their own until they are folded into the
            // ledger.
            _ = try Fold.all.settle(in: db)
            let erasure = try PersonErasure(id, in: db)
            try erasure.checkIsPossible(now: now, in: db)
            let meetings = try erasure.texts.ownMeetings(in: db)
            try erasure.closeDeliveries(now: now, in: db)
            try erasure.leaveSuppressions(in: db)
            try erasure.leaveMeetings(now: now, in: db)
            try erasure.removeContacts(in: db)
            try erasure.removeOwnBook(in: db)
            try erasure.rename(in: db)
            try erasure.replaceInTexts(in: db)
            try erasure.texts.replaceWords(in: meetings, in: db)
            try erasure.texts.forgetDigests(in: db)
            try ContactText.overwriteDeleted(in: db)
            return try erasure.texts.remainingWords(in: meetings, in: db)
        }
        AbandonedFiles.remove(beside: path)
        try await removeUnusedPictures()
        return ErasureTraces(
            isOverwritten: try await isOverwritten(), words: words,
            copies: Self.databasesPutAside(beside: path))
    }

    private func isOverwritten() async throws -> Bool {
        do {
            try await overwriteDeleted()
            return true
        } catch is StoreError {
            return false
        }
    }
}

/// The erasure of one person.
struct PersonErasure {
    let id: PersonID
    /// The id of the person, and every id that was merged into it.
    let ids: [String]
    let texts: TextErasure

    private var pseudonym: String { Store.pseudonym(of: id) }

    init(_ id: PersonID, in db: Database) throws {
        self.id = id
        ids = try String.fetchAll(
            db, sql: "SELECT id FROM person WHERE id = :id OR merged_into = :id",
            arguments: ["id": id.text])
        texts = try TextErasure(of: ids, pseudonym: Store.pseudonym(of: id), in: db)
    }

    /// Runs a statement once for each id, bound as `:id`.
    private func forEachID(
        _ sql: String, _ arguments: [String: (any DatabaseValueConvertible)?] = [:],
        in db: Database
    ) throws {
        for id in ids {
            var all = arguments
            all["id"] = id
            try db.execute(sql: sql, arguments: StatementArguments(all))
        }
    }

    func checkIsPossible(now: Moment, in db: Database) throws {
        let title = try String.fetchOne(
            db,
            sql: """
                SELECT title FROM meeting
                WHERE organizer_id = :id AND ends_at > :now AND status = 'confirmed' LIMIT 1
                """, arguments: ["id": id.text, "now": now.milliseconds])
        if let title { throw ErasureObstacle.organizes(title) }
        for id in ids {
            let isSending = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM intent i JOIN delivery d ON d.id = i.delivery_id
                        WHERE d.person_id = :id)
                    """, arguments: ["id": id])
            if isSending == true { throw ErasureObstacle.isSending }
        }
    }

    func closeDeliveries(now: Moment, in db: Database) throws {
        for id in ids {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT key, state FROM delivery
                    WHERE (person_id = :id
                            OR kind IN (
                                'answer', 'proposal', 'join', 'leave', 'request', 'follow')
                                AND mark LIKE :id || ' %')
                        AND state IN ('planned', 'ambiguous', 'parked')
                    """, arguments: ["id": id])
            for row in rows {
                try LedgerChanges.turn(
                    row["key"], from: try StoredValue.decode(row["state"]), to: .suppressed,
                    reason: Store.erasureReason, now: now, in: db)
            }
        }
        try forEachID(
            "UPDATE delivery SET address = :name WHERE person_id = :id AND address <> ''",
            ["name": pseudonym], in: db)
        try forEachID(
            """
            UPDATE participant SET typed_name = '', known_address = '' WHERE person_id = :id
            """, in: db)
    }

    /// Removes the person from coming meetings, so that nothing is planned for them again, and
    /// clears their notes.
    func leaveMeetings(now: Moment, in db: Database) throws {
        // Organizers received the person's notes, perhaps in one text with notes of others.
        try forEachID(
            """
            UPDATE body SET text = '' WHERE id IN (
                SELECT d.body_id FROM delivery d
                WHERE d.kind IN ('answer', 'proposal', 'join', 'leave', 'request')
                    AND d.meeting_id IN (
                        SELECT meeting_id FROM answer WHERE person_id = :id
                        UNION SELECT meeting_id FROM seat_request WHERE person_id = :id)
                    AND (d.mark LIKE :id || ' %'
                        OR d.state NOT IN ('planned', 'claimed', 'ambiguous', 'parked')))
            """, in: db)
        try forEachID("DELETE FROM seat_request WHERE person_id = :id", in: db)
        try forEachID(
            """
            DELETE FROM participant WHERE person_id = :id AND meeting_id IN (
                SELECT id FROM meeting WHERE ends_at > :now)
            """, ["now": now.milliseconds], in: db)
        try forEachID(
            """
            UPDATE answer SET note = '', reply_mail = NULL WHERE person_id = :id AND meeting_id IN (
                SELECT meeting_id FROM participant WHERE person_id = :id)
            """, in: db)
    }

    func removeContacts(in db: Database) throws {
        for id in ids {
            let owners = try String.fetchAll(
                db, sql: "SELECT owner_id FROM contact WHERE person_id = :id",
                arguments: ["id": id])
            for owner in owners {
                try Contact.remove(PersonID(text: id), owner: PersonID(text: owner), in: db)
            }
        }
        let belongings = [
            "circle_member", "circle_leaver", "reminder_policy", "sending_hours", "digest_policy",
            "person_address",
            "known_as", "access_link", "channel", "feed", "busy_calendar", "sign_in_ticket",
            "address_request", "ignored_mail", "task", "imported_member",
            // With its sessions, passkeys and draft.
            "account",
        ]
        for table in belongings {
            try forEachID("DELETE FROM \(table) WHERE person_id = :id", in: db)
        }
        // What the person blocked, and their follows, went with the account.
        try forEachID("DELETE FROM block WHERE blocked_id = :id", in: db)
        // The records of merges may contain the person's name in texts of others.
        try db.execute(sql: "DELETE FROM person_merge")
        try forEachID("UPDATE access_act SET detail = '' WHERE person_id = :id", in: db)
        for table in ["feed", "busy_calendar"] {
            try forEachID("DELETE FROM \(table) WHERE owner_id = :id", in: db)
        }
    }

    /// Deletes what the person kept for themselves: contacts, circles, saved places, and the
    /// imported calendar objects, with the names of other people in them.
    func removeOwnBook(in db: Database) throws {
        for id in ids {
            let owner = PersonID(text: id)
            let people = try String.fetchAll(
                db, sql: "SELECT person_id FROM contact WHERE owner_id = :id",
                arguments: ["id": id])
            for person in people {
                try Contact.remove(PersonID(text: person), owner: owner, in: db)
            }
        }
        let tables = [
            "circle", "saved_place", "calendar_object", "circle_source", "contact_import",
        ]
        for table in tables {
            try forEachID("DELETE FROM \(table) WHERE owner_id = :id", in: db)
        }
    }

    func rename(in db: Database) throws {
        try forEachID(
            """
            UPDATE person SET name = :name, zone = NULL, language = NULL, is_erased = 1
            WHERE id = :id
            """,
            ["name": pseudonym], in: db)
    }

    func replaceInTexts(in db: Database) throws {
        for column in TextErasure.columns { try texts.replace(in: column, in: db) }
        for table in TextErasure.namedTables { try texts.rename(table, in: db) }
    }
}
