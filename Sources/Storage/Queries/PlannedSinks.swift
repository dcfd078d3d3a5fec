public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The sinks by which coming meetings are planned, as they were written down; `nil` where that
    /// was never done.
    public func plannedSinks() async throws -> String? {
        try await read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT sinks FROM installation WHERE sinks IS NOT NULL"))
        }
    }

    /// All coming meetings are planned by these sinks now, or are about to be.
    ///
    /// - Parameters:
    ///   - sinks: the sinks.
    ///   - since: from when on one of them tells of all that happens, and of nothing that was
    ///     before; as it was without it.
    /// - Throws: ``StoreError``.
    public func savePlannedSinks(_ sinks: String, tellingAllSince since: Moment? = nil) async throws
    {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE installation
                    SET sinks = :sinks, told_since = coalesce(:since, told_since)
                    """
            ).execute(arguments: ["sinks": sinks, "since": since?.milliseconds])
        }
    }

    /// Plans some meetings that are not over anew, in the order of their ids.
    ///
    /// - Parameters:
    ///   - last: those behind it; from the first on without it.
    ///   - now: the clock.
    ///   - limit: how many, at most.
    ///   - replanning: plans a meeting.
    /// - Returns: the last of them, `nil` when none is left; how many they are, and those that
    ///   could not be planned anew.
    /// - Throws: ``StoreError``.
    public func replanComing(
        after last: MeetingID?, now: Moment, limit: Int, replanning: @escaping Replanning
    ) async throws -> (last: MeetingID?, count: ReplanCount) {
        try await write { db in
            let ids = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM meeting WHERE id > :last AND ends_at > :now
                        ORDER BY id LIMIT :limit
                        """),
                arguments: ["last": last?.text ?? "", "now": now.milliseconds, "limit": limit]
            ).map(MeetingID.init(text:))
            let failures = try MeetingBundle.replanEach(ids, by: replanning, in: db)
            return (ids.last, ReplanCount(count: ids.count, failures: failures))
        }
    }
}
