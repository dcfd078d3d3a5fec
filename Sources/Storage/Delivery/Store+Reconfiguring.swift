import GRDB
import Ledger
public import Timekeeping

extension Store {
    /// The time within which the last attempt must have ended, in milliseconds: with wrong
    /// settings, no delivery waits longer for its next attempt.
    private static let misconfiguredMillisecondsMax = 2 * Verdict.misconfiguredWaitMilliseconds

    /// Makes the deliveries due now whose last attempt failed because of wrong settings: the
    /// settings were read again and may be right now. Only outcomes that are folded count.
    ///
    /// - Parameter now: the current time.
    /// - Returns: how many deliveries were made due.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func retryMisconfigured(now: Moment) async throws -> Int {
        let since = now.advanced(byMilliseconds: -Self.misconfiguredMillisecondsMax)
        return try await write { db in
            let ids = try Int64.fetchAll(
                db.cachedStatement(sql: Self.misconfigured),
                arguments: ["now": now.milliseconds, "since": since.milliseconds])
            for id in ids {
                try db.cachedStatement(sql: "UPDATE delivery SET due = :now WHERE id = :id")
                    .execute(arguments: ["id": id, "now": now.milliseconds])
                try LedgerChanges.note(
                    id, because: "the settings were read again", now: now, in: db)
            }
            return ids.count
        }
    }

    /// The list of outcomes is the condition of the index.
    private static let misconfigured = """
        SELECT d.id FROM attempt a JOIN delivery d ON d.id = a.delivery_id
        WHERE a.outcome IN ('retry', 'misconfigured', 'ambiguous')
            AND a.outcome = 'misconfigured' AND a.ended_at >= :since
            AND d.state = 'planned' AND d.due > :now AND d.hold IS NULL
            AND NOT EXISTS (
                SELECT 1 FROM attempt b WHERE b.delivery_id = d.id AND b.number > a.number)
            AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
        ORDER BY d.id
        """
}
