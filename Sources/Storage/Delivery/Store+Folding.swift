import GRDB

/// The result of folding.
public struct FoldCount: Sendable {
    /// The number of outcomes that were folded.
    public var count = 0
    /// The keys of deliveries whose state contradicts their outcome, because of a damaged file or a
    /// manual change in the database. The attempt is kept in the history, and the state stays.
    public var setAside: [String] = []
}

extension Store {
    /// Applies recorded outcomes to the states of their deliveries, and moves the attempts into the
    /// ledger's history.
    ///
    /// - Returns: how many were folded, at most `limit`; fewer when none is left.
    public func foldOutcomes(limit: Int) async throws -> FoldCount {
        try await write { db in try Fold.first(limit, in: db)?.settle(in: db) ?? FoldCount() }
    }
}

/// Folding: applies outcomes to the states of deliveries and moves the attempts into the history.
struct Fold {
    /// The range of delivery numbers whose outcomes are folded.
    let numbers: ClosedRange<Int64>

    static let all = Fold(numbers: 0...Int64.max)

    static func one(_ id: Int64) -> Fold { Fold(numbers: id...id) }

    /// The first `limit` outcomes; `nil` if there is none.
    static func first(_ limit: Int, in db: Database) throws -> Fold? {
        let last = try Int64.fetchOne(
            db,
            sql: """
                SELECT max(delivery_id) FROM (
                    SELECT delivery_id FROM outcome ORDER BY delivery_id LIMIT :limit) AS first
                """, arguments: ["limit": limit])
        return last.map { Fold(numbers: 0...$0) }
    }

    /// Folds, and sets aside the rows that the schema rejects: one contradictory row must not block
    /// all other deliveries.
    func settle(in db: Database) throws -> FoldCount {
        do {
            var count = 0
            try db.inSavepoint {
                count = try run(in: db)
                return .commit
            }
            return FoldCount(count: count)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            let isOne = numbers.lowerBound == numbers.upperBound
            return isOne ? try setAside(in: db) : try settleEach(in: db)
        }
    }

    private func settleEach(in db: Database) throws -> FoldCount {
        let ids = try Int64.fetchAll(
            db,
            sql: """
                SELECT delivery_id FROM outcome WHERE delivery_id BETWEEN :first AND :last
                ORDER BY delivery_id
                """, arguments: ["first": numbers.lowerBound, "last": numbers.upperBound])
        return try ids.reduce(into: FoldCount()) { result, id in
            let one = try Fold.one(id).settle(in: db)
            result.count += one.count
            result.setAside += one.setAside
        }
    }

    /// Moves an attempt into the history even though its delivery contradicts it. The delivery
    /// still takes the new state if the schema allows it, so that an accepted delivery is not sent
    /// again.
    private func setAside(in db: Database) throws -> FoldCount {
        let range: StatementArguments = ["first": numbers.lowerBound, "last": numbers.upperBound]
        do {
            try db.inSavepoint {
                try db.execute(sql: Self.turning, arguments: range)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // The state stays, and `ledger verify` reports it.
        }
        try db.execute(sql: Self.keepingLast, arguments: range)
        try db.execute(sql: Self.clearing, arguments: range)
        let key = try String.fetchOne(
            db, sql: "SELECT key FROM delivery WHERE id = :id",
            arguments: ["id": numbers.lowerBound])
        return FoldCount(count: 1, setAside: [key ?? "\(numbers.lowerBound)"])
    }

    /// The outcome is deleted last: the schema allows this state change only while the outcome
    /// exists.
    @discardableResult
    func run(in db: Database) throws -> Int {
        for sql in [Self.turning, Self.keeping, Self.clearing] {
            try db.cachedStatement(sql: sql).execute(arguments: [
                "first": numbers.lowerBound, "last": numbers.upperBound,
            ])
        }
        return db.changesCount
    }

    /// The subquery selects the numbers from the few outcomes. A range condition on the delivery
    /// table would read that long table instead.
    private static let turning = """
        UPDATE delivery SET state = o.state, reason = o.reason,
            due = coalesce(o.due, delivery.due), hold = NULL, wanted = NULL,
            ambiguities = delivery.ambiguities
                + CASE WHEN o.outcome = 'ambiguous' THEN 1 ELSE 0 END
        FROM outcome o
        WHERE o.delivery_id = delivery.id AND delivery.id IN (
            SELECT delivery_id FROM outcome WHERE delivery_id BETWEEN :first AND :last)
        """
    private static let keeping = """
        INSERT INTO attempt (
            delivery_id, number, at, history_number, ended_at, outcome, code, reply)
        SELECT i.delivery_id, i.number, i.at, i.history_number, o.at, o.outcome, o.code, o.reply
        FROM outcome o JOIN intent i ON i.delivery_id = o.delivery_id
        WHERE o.delivery_id BETWEEN :first AND :last
        """
    /// Numbers the attempt after the last one.
    private static let keepingLast = """
        INSERT INTO attempt (
            delivery_id, number, at, history_number, ended_at, outcome, code, reply)
        SELECT i.delivery_id, 1 + coalesce((
                SELECT max(a.number) FROM attempt a WHERE a.delivery_id = i.delivery_id), 0),
            i.at, i.history_number, o.at, o.outcome, o.code, o.reply
        FROM outcome o JOIN intent i ON i.delivery_id = o.delivery_id
        WHERE o.delivery_id BETWEEN :first AND :last
        """
    /// Deleting an intent also deletes its outcome.
    private static let clearing = """
        DELETE FROM intent WHERE delivery_id BETWEEN :first AND :last AND EXISTS (
            SELECT 1 FROM outcome o WHERE o.delivery_id = intent.delivery_id)
        """
}
