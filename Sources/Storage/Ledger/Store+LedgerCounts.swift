import GRDB
public import Ledger

extension Store {
    /// The number of rows in each state.
    public func deliveryCounts() async throws -> [DeliveryState: Int] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT state, count(*) AS n FROM delivery GROUP BY state
                        UNION ALL
                        SELECT d.state, -count(*)
                        FROM intent i JOIN delivery d ON d.id = i.delivery_id GROUP BY d.state
                        UNION ALL
                        SELECT d.state, count(*)
                        FROM intent i JOIN delivery_now d ON d.id = i.delivery_id GROUP BY d.state
                        """))
            return try Dictionary(
                rows.map { (try StoredValue.decode($0["state"]), $0["n"]) },
                uniquingKeysWith: +
            ).filter { $0.value > 0 }
        }
    }

    /// The delays between due time and first attempt of accepted deliveries, in milliseconds; the
    /// latest due first, at most `limit`.
    public func latenesses(limit: Int) async throws -> [Int64] {
        try await read { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT CASE WHEN a.at > d.due THEN a.at - d.due ELSE 0 END
                        FROM delivery d JOIN attempt a ON a.delivery_id = d.id AND a.number = 1
                        WHERE d.state = 'accepted' AND a.outcome = 'accepted'
                        ORDER BY d.due DESC LIMIT :limit
                        """), arguments: ["limit": limit])
        }
    }
}
