public import Agenda
import GRDB
public import Timekeeping

extension Store {
    /// True if this reason was recorded for the delivery before.
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

    /// Records that a mail bounced after its server had accepted it. If the bounce says that the
    /// address does not exist, the address is suppressed, unless a person has decided about it
    /// for this channel. A repeated bounce is
    /// recorded once.
    ///
    /// - Parameters:
    ///   - key: the delivery's key.
    ///   - reason: the bounce, in words.
    ///   - suppression: the suppression of the address; `nil` to suppress nothing.
    ///   - now: the current time.
    ///   - replanning: replans the coming meetings of everyone with the address.
    /// - Returns: the meetings that could not be replanned; `nil` if the bounce was recorded
    ///   before.
    /// - Throws: ``StoreError``; nothing is changed then.
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
            let isDecided = known.contains {
                $0.origin != .bounce && $0.holds(suppression.channel ?? "", at: now)
            }
            guard !isDecided else { return [] }
            try SuppressionList.put(suppression, in: db)
            return try MeetingBundle.replanEach(
                SuppressionList.comingMeetings(of: suppression.address, now: now, in: db),
                by: replanning, in: db)
        }
    }
}
