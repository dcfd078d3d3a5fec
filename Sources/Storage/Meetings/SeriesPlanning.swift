public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// Series whose reminders are in the ledger only up to a moment before this one, and that go on
    /// after it, the earliest first.
    public func seriesToPlan(before horizon: Moment, limit: Int) async throws -> [MeetingID] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM meeting
                        WHERE planned_until IS NOT NULL AND planned_until < ends_at
                            AND status = 'confirmed' AND planned_until < :horizon
                        ORDER BY planned_until LIMIT :limit
                        """), arguments: ["horizon": horizon.milliseconds, "limit": limit]
            ).map { MeetingID(text: $0) }
        }
    }
}
