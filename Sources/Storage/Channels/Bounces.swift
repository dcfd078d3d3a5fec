public import Agenda
import GRDB
public import Timekeeping

extension Store {
    /// Whether something was noted of a delivery before.
    private func isNoted(
        _ reason: String, of delivery: Int64, in db: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM delivery_turn WHERE delivery_id = :id AND reason = :reason)
                    """), arguments: ["id": delivery, "reason": reason]) == true
    }

    /// Notes that a mail came back which its server had taken, and sends nothing more to its
    /// address where that is said to be none. What somebody decided of the address stays, and the
    /// same that comes twice is noted once.
    ///
    /// - Parameters:
    ///   - key: the delivery's.
    ///   - reason: what came back, in words.
    ///   - suppression: the address and why, where nothing more is to be sent there.
    ///   - now: the clock.
    ///   - replanning: plans the coming meetings of who has the address.
    /// - Returns: the meetings that could not be planned anew; `nil` where it was noted before.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func noteBounce(
        of key: String, because reason: String, suppressing suppression: Suppression?,
        now: Moment, replanning: @escaping Replanning
    ) async throws -> [ReplanFailure]? {
        try await write { db in
            let id = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT id FROM delivery WHERE key = :key"),
                arguments: ["key": key])
            guard let id, try !self.isNoted(reason, of: id, in: db) else { return nil }
            try LedgerChanges.note(id, because: reason, now: now, in: db)
            guard let suppression else { return [] }
            let known = try SuppressionList(in: db).entries(of: suppression.address, in: db)
            guard !known.contains(where: { $0.origin != .bounce }) else { return [] }
            try SuppressionList.put(suppression, in: db)
            return try MeetingBundle.replanEach(
                SuppressionList.comingMeetings(of: suppression.address, now: now, in: db),
                by: replanning, in: db)
        }
    }
}
