import GRDB
public import Timekeeping

extension Store {
    /// Removes texts that are no longer needed: those of deliveries that were accepted before
    /// `moment`, or are closed otherwise with a deadline before `moment`.
    ///
    /// - Parameters:
    ///   - moment: the age limit.
    ///   - limit: the most texts to remove.
    /// - Returns: how many texts were removed.
    /// - Throws: ``StoreError``.
    public func pruneTexts(before moment: Moment, limit: Int) async throws -> Int {
        try await write { db in
            let ids = try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT b.id FROM body b WHERE b.written_at < :moment AND NOT EXISTS (
                            SELECT 1 FROM delivery d WHERE d.body_id = b.id AND (
                                d.state IN ('planned', 'claimed', 'ambiguous', 'parked')
                                OR d.state <> 'accepted' AND d.deadline >= :moment
                                OR EXISTS (
                                    SELECT 1 FROM attempt a
                                    WHERE a.delivery_id = d.id AND a.ended_at >= :moment)))
                        ORDER BY b.written_at, b.id LIMIT :limit
                        """), arguments: ["moment": moment.milliseconds, "limit": limit])
            let forgetting = try db.cachedStatement(
                sql: "UPDATE delivery SET body_id = NULL WHERE body_id = :id")
            let removing = try db.cachedStatement(sql: "DELETE FROM body WHERE id = :id")
            for id in ids {
                try forgetting.execute(arguments: ["id": id])
                try removing.execute(arguments: ["id": id])
            }
            return ids.count
        }
    }
}
