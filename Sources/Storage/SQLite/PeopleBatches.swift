import Agenda
import GRDB
import Ledger
import Timekeeping

/// Queries about many people with one statement. For a meeting of fifty they run while all other
/// writes wait.
enum PeopleBatches {
    /// True if one of these people is erased or was merged into another person.
    static func isAnyGone(_ people: [PersonID], in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT EXISTS (
                        SELECT 1 FROM json_each(:ids) n CROSS JOIN person p WHERE p.id = n.value
                            AND (p.merged_into IS NOT NULL OR p.is_erased = 1))
                    """), arguments: [list(people)]) ?? false
    }

    /// The personal reminder times of these people, as far as they have set any, and the kinds of
    /// notifications that those with an account do not want in their inbox.
    static func choices(
        of people: [PersonID], in db: Database
    ) throws -> (reminders: [PersonID: [TimeSpan]], inboxes: [PersonID: Set<NotificationKind>]) {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT n.value AS person_id, r.offsets,
                        a.person_id IS NOT NULL AS has_inbox, coalesce((
                            SELECT group_concat(k.kind, ' ') FROM peck_muted_kind k
                            WHERE k.person_id = a.person_id), '') AS muted
                    FROM json_each(:ids) n
                    LEFT JOIN reminder_policy r ON r.person_id = n.value
                    LEFT JOIN account a ON a.person_id = n.value
                    WHERE r.person_id IS NOT NULL OR a.person_id IS NOT NULL
                    """), arguments: [list(people)])
        var (reminders, inboxes) = ([PersonID: [TimeSpan]](), [PersonID: Set<NotificationKind>]())
        for row in rows {
            let person = PersonID(text: row["person_id"])
            if let offsets: String = row["offsets"] {
                reminders[person] = try Spans.decode(offsets)
            }
            guard row["has_inbox"] else { continue }
            let muted: String = row["muted"]
            inboxes[person] = Set(
                muted.split(separator: " ").compactMap { word in
                    NotificationKind(rawValue: String(word))
                })
        }
        return (reminders, inboxes)
    }

    /// The pictures of people in an address book. People without a contact are absent.
    static func pictures(
        of people: [PersonID], by owner: PersonID, in db: Database
    ) throws -> [PersonID: PictureState] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT c.person_id, \(PictureState.columns)
                    FROM json_each(:ids) n CROSS JOIN contact c
                    WHERE c.person_id = n.value AND c.owner_id = :owner
                    """), arguments: ["ids": list(people), "owner": owner.text])
        return Dictionary(
            rows.map { (PersonID(text: $0[0]), PictureState(row: $0)) }, uniquingKeysWith: { $1 })
    }

    /// The people in a list with whom a reader shares a meeting, or whom they have in their address
    /// book and whose mail does not go to the proven address of somebody else's account.
    static func foreseeable(
        _ people: [PersonID], by reader: PersonID, in db: Database
    ) throws -> Set<PersonID> {
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT n.value FROM json_each(:ids) n
                    WHERE EXISTS (
                            SELECT 1 FROM participant g
                            JOIN participant r ON r.meeting_id = g.meeting_id
                            WHERE g.person_id = n.value AND r.person_id = :reader)
                        OR EXISTS (
                            SELECT 1 FROM contact c
                            WHERE c.owner_id = :reader AND c.person_id = n.value)
                        AND NOT EXISTS (
                            SELECT 1 FROM person_address f
                            JOIN person_address v ON v.folded = f.folded AND v.is_verified = 1
                            JOIN account a ON a.person_id = v.person_id
                            WHERE f.person_id = n.value AND v.person_id <> f.person_id
                                AND \(PersonAddresses.isForMail("f")))
                    """), arguments: ["ids": list(people), "reader": reader.text])
        return Set(ids.map { PersonID(text: $0) })
    }

    private static func list(_ people: [PersonID]) -> String {
        "[\(people.map { "\"\($0.text)\"" }.joined(separator: ","))]"
    }
}
