public import Agenda
import GRDB
public import Timekeeping

extension Store {
    /// What was noted last of a delivery.
    private func lastReason(of delivery: Int64, in db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT reason FROM delivery_turn WHERE delivery_id = :id
                    ORDER BY id DESC LIMIT 1
                    """), arguments: ["id": delivery])
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
    /// - Returns: the meetings that could not be planned anew.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func noteBounce(
        of key: String, because reason: String, suppressing suppression: Suppression?,
        now: Moment, replanning: @escaping Replanning
    ) async throws -> [ReplanFailure] {
        try await write { db in
            let id = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT id FROM delivery WHERE key = :key"),
                arguments: ["key": key])
            guard let id, try self.lastReason(of: id, in: db) != reason else { return [] }
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
