import GRDB
public import Timekeeping

/// A delivery's number and due time, for the timer wheel.
public struct DueDelivery: Equatable, Sendable {
    /// The delivery's number: shorter than its key, and valid only within one run of a daemon.
    public let id: Int64
    /// The due time.
    public let due: Moment

    /// Creates a due delivery.
    public init(id: Int64, due: Moment) {
        self.id = id
        self.due = due
    }
}

/// The deliveries that were attempted, did not arrive, and wait for a retry.
public struct WaitingRetries: Equatable, Sendable {
    /// The number of deliveries.
    public let count: Int
    /// The time of the first retry; `nil` if none waits.
    public let next: Moment?
}

/// The deliveries that were planned or changed since the last look.
public struct LedgerNews: Sendable {
    /// The deliveries that wait, including ones that waited before.
    public let deliveries: [DueDelivery]
    /// The mark for the next look.
    public let mark: NewsMark
}

/// A position in the ledger's changes: the last delivery planned, and the last state change.
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

    /// The position up to which the next look reads: at most `last`, and a bounded number of rows
    /// ahead.
    func end(before last: NewsMark) -> NewsMark {
        NewsMark(
            delivery: min(last.delivery, delivery + Store.newsRowsMax),
            turn: min(last.turn, turn + Store.newsRowsMax))
    }
}

extension Store {
    /// The most deliveries, and the most state changes, that one look reads.
    static let newsRowsMax: Int64 = 50_000

    /// The deliveries that fall due after `past` and at or before `horizon`, earliest first, at
    /// most `limit`. Deliveries under way are left out.
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

    /// The deliveries that were attempted before, are not due yet, and are not under way.
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

    /// The due time of the next delivery, without a horizon.
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

    /// The current position; later changes come after it.
    public func newsMark() async throws -> NewsMark {
        try await read { db in try NewsMark.fetch(db) }
    }

    /// The deliveries that were planned or changed since the mark, still wait, and fall due at or
    /// before `horizon`.
    public func ledgerNews(
        since mark: NewsMark, through horizon: Moment
    ) async throws -> LedgerNews {
        try await read { db in
            let end = mark.end(before: try NewsMark.fetch(db))
            guard end != mark else { return LedgerNews(deliveries: [], mark: mark) }
            // The join starts from the changes: they are few, while many deliveries may wait.
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
        // Columns by number, for speed: there may be a hundred thousand rows.
        try Row.read(statement, arguments: arguments) {
            DueDelivery(id: $0[0], due: Moment(milliseconds: $0[1]))
        }
    }
}
