public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A part of a series that was split in two, seen from the other part.
public struct SeriesPart: Sendable {
    /// The meeting.
    public let meeting: ListedMeeting
    /// True if it continues the other part; false if the other part continues it.
    public let isLater: Bool
}

extension Store {
    /// The other part of a series that was split in two. If the series was split more than once,
    /// the parts before and after this one.
    ///
    /// - Parameters:
    ///   - id: the part that is known.
    ///   - now: only parts that end after this moment and are not cancelled.
    /// - Returns: the parts, the earliest first.
    /// - Throws: ``StoreError``.
    public func parts(beside id: MeetingID, endingAfter now: Moment) async throws -> [SeriesPart] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT \(ListedMeeting.columns), EXISTS (
                                SELECT 1 FROM meeting c
                                WHERE c.id = :id AND c.continued_id = m.id) AS is_later
                        FROM meeting m
                        WHERE m.id IN (
                                SELECT p.id FROM meeting p WHERE p.continued_id = :id
                                UNION ALL
                                SELECT c.continued_id FROM meeting c WHERE c.id = :id)
                            AND m.status = 'confirmed' AND m.ends_at > :now
                        ORDER BY m.starts_at, m.id LIMIT 10
                        """), arguments: ["id": id.text, "now": now.milliseconds]
            ) { row in
                SeriesPart(meeting: try ListedMeeting(row: row), isLater: row["is_later"])
            }
        }
    }
}
