import GRDB

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
