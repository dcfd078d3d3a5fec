import Agenda
import Foundation
import GRDB
import Ledger
import Timekeeping

/// The changes of a merge of two persons, so that it can be taken back.
struct MergeRecord: Codable {
    /// The number of days for which a merge can be taken back.
    static let days = 30
    /// The same time in seconds.
    static let seconds = Int64(days) * 86_400

    /// The cards of the two persons in one address book.
    struct Cards: Codable {
        let owner: String
        /// The card of the person who stayed, before the merge; `nil` for none.
        let kept: String?
        /// The card of both.
        let united: String
        /// The card of the other person, before the merge; `nil` for none.
        let other: String?
        /// The picture of the person who stayed, before the merge; `nil` for an early record.
        var keptState: PictureState?
        /// The other person's picture, before the merge; `nil` for an early record.
        var otherState: PictureState?
        /// The UIDs under which files know the other card.
        let aliases: [String]
        /// The imported cards from which the other card was built.
        let sources: [CardSource]
    }

    /// A contact in the address book of the other person, which moved to that of the first.
    struct Moved: Codable {
        let number: Int64
        let person: String
    }

    var rows: [RowChange]
    var cards: [Cards] = []
    var moved: [Moved] = []
    /// The account of the person who stayed, after the merge; `nil` for none.
    var account: StoredRow?
    /// The earlier names and addresses of the person who stayed, before the merge.
    var known: [Known] = []

    /// A text by which the person who stayed was known.
    struct Known: Codable, Hashable {
        let kind: String
        let text: String

        static func all(of person: PersonID, in db: Database) throws -> [Known] {
            try Row.fetchAll(
                db, sql: "SELECT kind, text FROM known_as WHERE person_id = :id",
                arguments: ["id": person.text]
            ).map { Known(kind: $0["kind"], text: $0["text"]) }
        }
    }

    func insert(
        kept: PersonID, other: PersonID, now: Moment, in db: Database
    ) throws {
        try Self.forget(before: now, in: db)
        try db.execute(
            sql: """
                INSERT INTO person_merge (kept_id, other_id, merged_at, changes)
                VALUES (:kept, :other, :now, :changes)
                """,
            arguments: [
                "kept": kept.text, "other": other.text, "now": now.milliseconds,
                "changes": String(decoding: try JSONEncoder().encode(self), as: UTF8.self),
            ])
    }

    /// Forgets merges that can no longer be taken back.
    static func forget(before now: Moment, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM person_merge WHERE merged_at < :moment")
            .execute(arguments: ["moment": oldest(now).milliseconds])
    }

    /// The time of the oldest merge that can still be taken back.
    private static func oldest(_ now: Moment) -> Moment {
        now.advanced(bySeconds: -seconds)
    }

    /// The last merge into a person, if it can still be taken back. Older ones stay stored: the
    /// command may run with another clock, or be a preview.
    static func last(
        into kept: PersonID, now: Moment, in db: Database
    ) throws -> LastMerge? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT number, other_id, merged_at, changes FROM person_merge
                    WHERE kept_id = :kept AND merged_at >= :oldest ORDER BY number DESC LIMIT 1
                    """), arguments: ["kept": kept.text, "oldest": oldest(now).milliseconds])
        return try row.map { row in
            let changes = Data((row["changes"] as String).utf8)
            return LastMerge(
                number: row["number"], other: PersonID(text: row["other_id"]),
                at: Moment(milliseconds: row["merged_at"]),
                record: try JSONDecoder().decode(MergeRecord.self, from: changes))
        }
    }
}

/// The last merge into a person.
struct LastMerge {
    let number: Int64
    /// The person who was merged.
    let other: PersonID
    /// The time of the merge.
    let at: Moment
    let record: MergeRecord
}
