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
    /// Up to where was looked: the mark for the next look.
    public let mark: NewsMark
}

/// Up to where the news is known: the last delivery that was planned, and the last turn of any.
public struct NewsMark: Equatable, Sendable {
    let delivery: Int64
    let turn: Int64

    static func fetch(_ db: Database) throws -> NewsMark {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT coalesce((SELECT max(id) FROM delivery), 0),
                        coalesce((SELECT max(id) FROM delivery_turn), 0)
                    """))
        return NewsMark(delivery: row?[0] ?? 0, turn: row?[1] ?? 0)
    }

    /// As far as this mark, and not too much at a time.
    func end(before last: NewsMark) -> NewsMark {
        NewsMark(
            delivery: min(last.delivery, delivery + Store.newsRowsMax),
            turn: min(last.turn, turn + Store.newsRowsMax))
    }
}

extension Store {
    /// The most deliveries, and the most turns, that one look at the news goes over.
    static let newsRowsMax: Int64 = 50_000

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
    public func newsMark() async throws -> NewsMark {
        try await read { db in try NewsMark.fetch(db) }
    }

    /// What was planned and what turned since the mark, as far as it waits and falls due up to a
    /// moment.
    public func ledgerNews(
        since mark: NewsMark, through horizon: Moment
    ) async throws -> LedgerNews {
        try await read { db in
            let end = mark.end(before: try NewsMark.fetch(db))
            guard end != mark else { return LedgerNews(deliveries: [], mark: mark) }
            // The news comes first: it is little, what waits may be much.
            let statement = try db.cachedStatement(
                sql: """
                    SELECT d.id, d.due FROM (
                        SELECT id FROM delivery WHERE id > :delivery AND id <= :last_delivery
                        UNION
                        SELECT delivery_id FROM delivery_turn WHERE id > :turn AND id <= :last_turn
                    ) AS news CROSS JOIN delivery d
                    WHERE d.id = news.id AND d.due <= :horizon
                        AND d.state IN ('planned', 'ambiguous')
                        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                    """)
            let deliveries = try DueDelivery.fetchAll(
                statement,
                [
                    "delivery": mark.delivery, "last_delivery": end.delivery, "turn": mark.turn,
                    "last_turn": end.turn, "horizon": horizon.milliseconds,
                ])
            return LedgerNews(deliveries: deliveries, mark: end)
        }
    }
}

extension DueDelivery {
    fileprivate static func fetchAll(
        _ statement: Statement, _ arguments: StatementArguments
    ) throws -> [DueDelivery] {
        // By number: there may be a hundred thousand of them.
        try Row.read(statement, arguments: arguments) {
            DueDelivery(id: $0[0], due: Moment(milliseconds: $0[1]))
        }
    }
}
