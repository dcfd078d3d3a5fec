public import Agenda
import Foundation
import GRDB
import Interchange
public import Ledger
public import Timekeeping

/// Why a person cannot be erased yet.
public enum ErasureObstacle: Error, Equatable {
    /// They plan a meeting that is not over: its title.
    case organizes(String)
    /// Something is being sent to them at this moment.
    case isSending
}

/// What an erasure could not take away.
public struct ErasureTraces: Equatable, Sendable {
    /// Whether the whole file was written anew; else what was deleted is overwritten in the file,
    /// and its log may hold it until the log begins anew.
    public let isOverwritten: Bool
    /// Words that may mean the person, or somebody else.
    public let words: [RemainingWord]
    /// Databases that restores put aside, as they were.
    public let copies: [String]
}

extension Store {
    /// What an erased person is called from then on: stable, and made of the id alone.
    public static func pseudonym(of person: PersonID) -> String {
        "erased-\(person.text.prefix(6))"
    }

    /// Why a delivery to an erased person is suppressed.
    public static let erasureReason = "erased"

    /// Replaces a person's names, addresses and phone numbers everywhere by their pseudonym, those
    /// of today and earlier ones, and overwrites what the file still held of them.
    ///
    /// - Address books lose the contact with all keys; circles and coming meetings lose the
    ///   person; past meetings and the ledger keep them under the pseudonym.
    /// - Open and parked deliveries to them are suppressed, reason `erased`. Rows keep their keys,
    ///   so that the ledger still verifies.
    /// - What they wrote with an answer is emptied.
    /// - Texts that others wrote (titles, notes, places, links, keys, messages, names of circles,
    ///   words of servers, reasons in the ledger) stay, with whole names, addresses and phone
    ///   numbers replaced in them. A name of a single word, or a nickname, is replaced in texts of
    ///   meetings in which they take part or took part. Nothing is replaced that another person
    ///   shares: families share addresses.
    /// - What somebody noted about them on another contact's card stays: it is that card's.
    ///
    /// - Returns: what is left.
    /// - Throws: ``ErasureObstacle``, or ``StoreError``; nothing has changed then.
    public func erase(_ id: PersonID, now: Moment) async throws -> ErasureTraces {
        let words = try await write { db in
            // What was accepted a moment ago is told by texts of its own until it is folded.
            _ = try Fold.all.settle(in: db)
            let erasure = try PersonErasure(id, in: db)
            try erasure.checkIsPossible(now: now, in: db)
            let meetings = try erasure.texts.ownMeetings(in: db)
            try erasure.closeDeliveries(now: now, in: db)
            try erasure.leaveSuppressions(in: db)
            try erasure.leaveMeetings(now: now, in: db)
            try erasure.removeContacts(in: db)
            try erasure.rename(in: db)
            try erasure.replaceInTexts(in: db)
            try erasure.texts.replaceWords(in: meetings, in: db)
            try erasure.texts.forgetDigests(in: db)
            try ContactText.overwriteDeleted(in: db)
            return try erasure.texts.remainingWords(in: meetings, in: db)
        }
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

/// One person is made unrecognizable.
struct PersonErasure {
    let id: PersonID
    /// The person, and every id that was merged into it.
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

    /// Runs a statement once for each id, as `:id`.
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
                            OR kind IN ('answer', 'proposal') AND mark LIKE :id || ' %')
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
    }

    /// Meetings ahead lose the person, so that nothing is planned for them again.
    func leaveMeetings(now: Moment, in db: Database) throws {
        // Who plans a meeting was told their notes, perhaps together with others'.
        try forEachID(
            """
            UPDATE body SET text = '' WHERE id IN (
                SELECT d.body_id FROM delivery d
                WHERE d.kind IN ('answer', 'proposal') AND d.meeting_id IN (
                        SELECT meeting_id FROM answer WHERE person_id = :id)
                    AND (d.mark LIKE :id || ' %'
                        OR d.state NOT IN ('planned', 'claimed', 'ambiguous', 'parked')))
            """, in: db)
        try forEachID(
            """
            DELETE FROM participant WHERE person_id = :id AND meeting_id IN (
                SELECT id FROM meeting WHERE ends_at > :now)
            """, ["now": now.milliseconds], in: db)
        try forEachID(
            """
            UPDATE answer SET note = '' WHERE person_id = :id AND meeting_id IN (
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
            "circle_member", "reminder_policy", "sending_hours", "digest_policy", "person_address",
            "known_as", "access_link", "channel", "feed",
            "busy_calendar",
        ]
        for table in belongings {
            try forEachID("DELETE FROM \(table) WHERE person_id = :id", in: db)
        }
        for table in ["feed", "busy_calendar"] {
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
