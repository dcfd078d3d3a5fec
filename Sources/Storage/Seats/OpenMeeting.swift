public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A meeting that people can join, with the number of people who come.
public struct OpenMeeting: Sendable {
    /// The meeting. A series has its exceptions.
    public let meeting: Meeting
    /// The number of seats that are taken, with the organizer's own and those of guests. For a
    /// series, in all of it.
    public let takenCount: Int
}

extension Store {
    /// The confirmed meetings of an organizer that the people in a circle can join and that have
    /// not ended.
    ///
    /// - Parameters:
    ///   - organizer: the organizer, whose circle it is.
    ///   - circle: the circle.
    ///   - now: the meetings end after this moment.
    ///   - limit: the most meetings.
    /// - Returns: the meetings; those that start first before others. A series counts by its first
    ///   date.
    /// - Throws: ``StoreError``.
    public func openMeetings(
        of organizer: PersonID, forCircle circle: CircleID, after now: Moment, limit: Int
    ) async throws -> [OpenMeeting] {
        let arguments: StatementArguments = [
            "circle": circle.text, "organizer": organizer.text, "now": now.milliseconds,
            "limit": limit,
        ]
        return try await read { db in
            let found = try Row.read(
                db.cachedStatement(sql: OpenMeeting.listing), arguments: arguments
            ) { row in
                OpenMeeting(meeting: try Meeting(row: row), takenCount: row["taken"])
            }
            guard found.contains(where: { $0.meeting.series != nil }) else { return found }
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: OpenMeeting.changes), arguments: arguments)
            let changes = Dictionary(grouping: rows) { $0["meeting_id"] as String }
            return try found.map { try $0.with(changes[$0.meeting.id.text] ?? []) }
        }
    }
}

extension OpenMeeting {
    /// The condition that the people in a circle can join a meeting `m`.
    private static let condition = """
        m.audience_circle_id = :circle AND m.audience = 'circle' AND m.organizer_id = :organizer
        AND m.status = 'confirmed' AND m.ends_at > :now
        """

    /// The query for the meetings.
    fileprivate static let listing = """
        SELECT m.*,
            (SELECT CAST(coalesce(sum(1 + a.plus), 0) AS bigint) FROM answer a
                WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.is_removed = 0
                AND a.present_answer = 'going') AS taken
        FROM meeting m WHERE \(condition)
        ORDER BY m.starts_at, m.id LIMIT :limit
        """

    /// The query for the exceptions of the series among them.
    fileprivate static let changes = """
        SELECT v.* FROM meeting_override v
        WHERE v.meeting_id IN (
            SELECT m.id FROM meeting m WHERE \(condition)
            ORDER BY m.starts_at, m.id LIMIT :limit)
        """

    /// The same meeting with the exceptions of its series.
    fileprivate func with(_ rows: [Row]) throws -> OpenMeeting {
        var meeting = meeting
        meeting.series?.changes = try rows.reduce(into: [:]) { changes, row in
            changes[row["occurrence"]] = try DateChange(row: row, zone: meeting.time.zone)
        }
        return OpenMeeting(meeting: meeting, takenCount: takenCount)
    }
}
