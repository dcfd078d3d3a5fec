public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A meeting to which a circle was invited.
public struct CircleMeeting: Sendable {
    /// The meeting.
    public let meeting: ListedMeeting
    /// True if the circle was invited to all dates, and not only to single ones.
    public let isWhole: Bool
    /// The number of people who come, with the organizer. For a series, to all of it.
    public let goingCount: Int
}

extension Store {
    /// The meetings to which a circle was invited, the latest first.
    ///
    /// - Parameters:
    ///   - circle: the circle.
    ///   - end: only meetings that end after this moment; `nil` for all.
    ///   - limit: the most meetings.
    /// - Returns: the meetings. A series counts by its first date.
    /// - Throws: ``StoreError``.
    public func meetings(
        of circle: CircleID, endingAfter end: Moment?, limit: Int
    ) async throws -> [CircleMeeting] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT \(ListedMeeting.columns),
                            EXISTS (
                                SELECT 1 FROM circle_asking k
                                WHERE k.meeting_id = m.id AND k.circle_id = c.circle_id
                                    AND k.occurrence = '') AS is_whole,
                            (SELECT count(*) FROM answer a
                                WHERE a.meeting_id = m.id AND a.occurrence = ''
                                    AND a.is_removed = 0 AND a.present_answer = 'going') AS going
                        FROM meeting_circle c JOIN meeting m ON m.id = c.meeting_id
                        WHERE c.circle_id = :circle AND m.ends_at > :end
                        ORDER BY m.starts_at DESC, m.id LIMIT :limit
                        """),
                arguments: [
                    "circle": circle.text, "end": end?.milliseconds ?? .min, "limit": limit,
                ]
            ) { row in
                CircleMeeting(
                    meeting: try ListedMeeting(row: row), isWhole: row["is_whole"],
                    goingCount: row["going"])
            }
        }
    }
}
