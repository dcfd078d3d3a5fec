import Agenda
import GRDB
import Ledger
import Timekeeping

/// The rows of inboxes.
enum PeckRows {
    /// The kinds of notifications that stand in an inbox, as a list in a statement.
    static let kinds = NotificationKind.allCases.filter(\.goesToInbox)
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The number of unread notifications of a person, at the time `:now`.
    ///
    /// - Parameter person: the SQL expression for the person.
    /// - Returns: an SQL expression.
    static func unreadCount(of person: String) -> String {
        """
        (SELECT count(*) FROM (
            SELECT 1 FROM peck u WHERE u.person_id = \(person) AND u.read_at IS NULL
                AND (u.snoozed_until IS NULL OR u.snoozed_until <= :now)
            LIMIT \(Store.unreadPecksMax)) AS few)
        """
    }

    /// Marks everything as read that is not snoozed. Returns the number of rows.
    static func readAll(of person: PersonID, now: Moment, in db: Database) throws -> Int {
        try db.cachedStatement(
            sql: """
                UPDATE peck SET read_at = :now
                WHERE person_id = :person AND read_at IS NULL
                    AND (snoozed_until IS NULL OR snoozed_until <= :now)
                """
        ).execute(arguments: ["now": now.milliseconds, "person": person.text])
        let count = db.changesCount
        if count > 0 { try AccountMarks.raise(ChangeTopic.pecks, for: person, in: db) }
        return count
    }

    static func mutedKinds(
        of person: PersonID, in db: Database
    ) throws -> Set<NotificationKind> {
        let kinds = try String.fetchAll(
            db.cachedStatement(sql: "SELECT kind FROM peck_muted_kind WHERE person_id = :person"),
            arguments: ["person": person.text])
        return Set(try kinds.map { try StoredValue.decode($0) })
    }

    static func mute(
        _ kinds: Set<NotificationKind>, of person: PersonID, in db: Database
    ) throws {
        try db.cachedStatement(sql: "DELETE FROM peck_muted_kind WHERE person_id = :person")
            .execute(arguments: ["person": person.text])
        for kind in kinds.map(\.rawValue).sorted() {
            for sql in [
                "INSERT INTO peck_muted_kind (person_id, kind) VALUES (:person, :kind)",
                "DELETE FROM peck WHERE person_id = :person AND kind = :kind",
            ] {
                try db.cachedStatement(sql: sql)
                    .execute(arguments: ["person": person.text, "kind": kind])
            }
        }
    }

    /// Puts what a person was sent before they had an account into their inbox, as read.
    static func addPast(of person: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO peck (
                    key, person_id, meeting_id, occurrence, kind, mark, title, shown_at, read_at)
                SELECT d.key, :person, d.meeting_id, d.occurrence, d.kind, d.mark, m.title, d.due,
                    d.due
                FROM delivery_now d JOIN meeting m ON m.id = d.meeting_id
                WHERE d.person_id IN (
                        SELECT id FROM person WHERE id = :person OR merged_into = :person)
                    AND d.state IN ('accepted', 'ambiguous') AND d.kind IN (\(kinds))
                ORDER BY d.due DESC, d.id DESC LIMIT :limit
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: ["person": person.text, "limit": pastMax])
    }

    /// The most earlier notifications that a new inbox gets.
    private static let pastMax = 1_000
}
