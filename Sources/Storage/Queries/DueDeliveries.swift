import GRDB
public import Timekeeping

/// A delivery that falls due: what the timer wheel has to know of it.
public struct DueDelivery: Equatable, Sendable {
    /// Its number in the store, smaller than its key and good for one run of a daemon.
    public let id: Int64
    /// When it is to be sent.
    public let due: Moment

    /// Names a delivery and its time.
    public init(id: Int64, due: Moment) {
        self.id = id
        self.due = due
    }
}

/// What was tried, did not arrive, and waits.
public struct WaitingRetries: Equatable, Sendable {
    /// How many deliveries.
    public let count: Int
    /// When the first of them is tried again; `nil` when there is none.
    public let next: Moment?
}

/// What became due, or due at another time, since somebody looked last.
public struct LedgerNews: Sendable {
    /// Deliveries that wait, whether they waited before or not.
    public let deliveries: [DueDelivery]
    /// The turn up to which was looked: the mark for the next look.
    public let mark: Int64
}

extension Store {
    /// The most turns that one look at the news goes over.
    static let newsTurnsMax: Int64 = 50_000

    /// What falls due after a moment and up to another, the earliest first, at most `limit`; what
    /// is being sent is left out.
    public func dueDeliveries(
        after past: Moment = .earliest, through horizon: Moment, limit: Int
    ) async throws -> [DueDelivery] {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT d.id, d.due FROM delivery d
                    WHERE d.state IN ('planned', 'ambiguous')
                        AND d.due > :past AND d.due <= :horizon
                        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                    ORDER BY d.due, d.id LIMIT :limit
                    """)
            return try DueDelivery.fetchAll(
                statement,
                [
                    "past": past.milliseconds, "horizon": horizon.milliseconds, "limit": limit,
                ])
        }
    }

    /// The deliveries that were tried before, are not due again yet, and are not being sent.
    public func waitingRetries(now: Moment) async throws -> WaitingRetries {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) AS count, min(d.due) AS next FROM delivery d
                        WHERE d.state IN ('planned', 'ambiguous') AND d.due > :now
                            AND EXISTS (SELECT 1 FROM attempt a WHERE a.delivery_id = d.id)
                            AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                        """), arguments: ["now": now.milliseconds])
            return WaitingRetries(
                count: row?["count"] ?? 0,
                next: (row?["next"] as Int64?).map(Moment.init(milliseconds:)))
        }
    }

    /// When the next delivery falls due, whatever the horizon.
    public func nextDue() async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT d.due FROM delivery d
                        WHERE d.state IN ('planned', 'ambiguous')
                            AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                        ORDER BY d.due LIMIT 1
                        """)
            ).map(Moment.init(milliseconds:))
        }
    }

    /// The mark from which news is news from now on.
    public func newsMark() async throws -> Int64 {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: "SELECT max(id) FROM delivery_turn")) ?? 0
        }
    }

    /// What turned since the mark, as far as it waits and falls due up to a moment.
    public func ledgerNews(since mark: Int64, through horizon: Moment) async throws -> LedgerNews {
        try await read { db in
            let last =
                try Int64.fetchOne(
                    db.cachedStatement(
                        sql: "SELECT max(id) FROM delivery_turn")) ?? 0
            let end = min(last, mark + Self.newsTurnsMax)
            guard end > mark else { return LedgerNews(deliveries: [], mark: mark) }
            // The turns come first: what turned is little, what waits may be much.
            let statement = try db.cachedStatement(
                sql: """
                    SELECT DISTINCT d.id, d.due FROM delivery_turn t CROSS JOIN delivery d
                    WHERE d.id = t.delivery_id AND t.id > :mark AND t.id <= :end
                        AND d.due <= :horizon
                        AND d.state IN ('planned', 'ambiguous')
                        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                    """)
            let deliveries = try DueDelivery.fetchAll(
                statement, ["mark": mark, "end": end, "horizon": horizon.milliseconds])
            return LedgerNews(deliveries: deliveries, mark: end)
        }
    }
}

extension DueDelivery {
    fileprivate static func fetchAll(
        _ statement: Statement, _ arguments: StatementArguments
    ) throws -> [DueDelivery] {
        var deliveries: [DueDelivery] = []
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            // By number: there may be a hundred thousand of them.
            deliveries.append(
                DueDelivery(id: row[0], due: Moment(milliseconds: row[1])))
        }
        return deliveries
    }
}
