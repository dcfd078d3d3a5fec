import Agenda
import GRDB
import Ledger

/// The numbers by which open pages find out that something which only they show has changed.
///
/// Triggers raise them for nearly all changes. Outcomes of deliveries come in large numbers, so the
/// store raises the numbers once for all that it records together.
enum AccountMarks {
    /// Tells the organizers of the meetings that these deliveries were attempted.
    static func raise(forDeliveries ids: [Int64], in db: Database) throws {
        guard !ids.isEmpty else { return }
        try db.cachedStatement(
            sql: "/* SQLite */ UPDATE live_mark SET mark = mark + 1 WHERE id = 1"
        ).execute()
        try db.cachedStatement(sql: attemptedSQL)
            .execute(arguments: ["[\(ids.map(String.init).joined(separator: ","))]"])
    }

    /// Puts what these deliveries have brought into the inboxes of those who have an account, each
    /// notification once, and tells them. Their outcomes are recorded and not folded yet.
    static func fillInboxes(byDeliveries ids: [Int64], in db: Database) throws {
        guard !ids.isEmpty else { return }
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        try db.cachedStatement(sql: arrivedSQL).execute(arguments: [list])
        guard db.changesCount > 0 else { return }
        try db.cachedStatement(sql: inboxesSQL).execute(arguments: [list])
    }

    /// Tells a person that a part of their pages has changed.
    static func raise(_ topic: String, for person: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: "/* SQLite */ UPDATE live_mark SET mark = mark + 1 WHERE id = 1"
        ).execute()
        try db.cachedStatement(
            sql: """
                /* SQLite */ INSERT INTO account_mark (person_id, topic, mark)
                SELECT a.person_id, :topic, m.mark
                FROM account a JOIN live_mark m ON m.id = 1 WHERE a.person_id = :person
                ON CONFLICT (person_id, topic) DO UPDATE SET mark = excluded.mark
                """
        ).execute(arguments: ["topic": topic, "person": person.text])
    }

    private static let arrivedSQL = """
        /* SQLite */ INSERT INTO peck (
            key, person_id, meeting_id, occurrence, kind, mark, title, shown_at)
        SELECT d.key, a.person_id, d.meeting_id, d.occurrence, d.kind, d.mark,
            coalesce(k.title, substr(b.text, 1, instr(b.text || char(10), char(10)) - 1)), o.at
        FROM json_each(:ids) n CROSS JOIN outcome o ON o.delivery_id = n.value
        CROSS JOIN delivery d ON d.id = o.delivery_id
        CROSS JOIN person p ON p.id = d.person_id
        CROSS JOIN account a ON a.person_id = coalesce(p.merged_into, p.id)
        LEFT JOIN meeting k ON k.id = d.meeting_id
        LEFT JOIN body b ON b.id = d.body_id
        WHERE o.outcome IN ('accepted', 'ambiguous') AND (k.id IS NOT NULL OR b.id IS NOT NULL)
            AND d.kind IN (\(PeckRows.kinds))
            AND NOT EXISTS (
                SELECT 1 FROM peck_muted_kind u
                WHERE u.person_id = a.person_id AND u.kind = d.kind)
        ON CONFLICT DO NOTHING
        """

    /// The number has risen when the organizers were told.
    private static let inboxesSQL = """
        /* SQLite */ INSERT INTO account_mark (person_id, topic, mark)
        SELECT DISTINCT k.person_id, '\(ChangeTopic.pecks)', m.mark
        FROM json_each(:ids) n CROSS JOIN delivery d ON d.id = n.value
        CROSS JOIN peck k ON k.key = d.key
        JOIN live_mark m ON m.id = 1
        WHERE true
        ON CONFLICT (person_id, topic) DO UPDATE SET mark = excluded.mark
        """

    private static let attemptedSQL = """
        /* SQLite */ INSERT INTO account_mark (person_id, topic, mark)
        SELECT DISTINCT a.person_id, 'm/' || k.id, m.mark
        FROM json_each(:ids) n CROSS JOIN delivery d ON d.id = n.value
        CROSS JOIN meeting k ON k.id = d.meeting_id
        CROSS JOIN account a ON a.person_id = k.organizer_id
        JOIN live_mark m ON m.id = 1
        WHERE true
        ON CONFLICT (person_id, topic) DO UPDATE SET mark = excluded.mark
        """
}
