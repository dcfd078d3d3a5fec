public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A meeting with the data that a calendar file of one person shows.
public struct CalendarMeeting: Sendable {
    /// The meeting, with the answers of this person alone and without other people.
    public let bundle: MeetingBundle
    /// The calendar text from which they imported it; `nil` if they did not.
    public let text: String?
}

extension Store {
    /// The meetings that a person organizes or is invited to, with any status, ordered by start.
    /// The number of statements does not depend on that of the meetings.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - last: returns only meetings after this start and id.
    ///   - limit: the maximum number to return.
    /// - Returns: the meetings.
    /// - Throws: ``StoreError``.
    public func calendarMeetings(
        of person: PersonID, after last: (startsAt: Moment, id: String), limit: Int
    ) async throws -> [CalendarMeeting] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: CalendarPage.meetings),
                arguments: [
                    "start": last.startsAt.milliseconds, "id": last.id, "person": person.text,
                    "limit": limit,
                ])
            guard let end = rows.last else { return [] }
            let page = CalendarPage(
                arguments: [
                    "start": last.startsAt.milliseconds, "id": last.id, "person": person.text,
                    "end": end["starts_at"] as Int64, "end_id": end["id"] as String,
                ])
            return try page.meetings(from: rows, in: db)
        }
    }
}

/// A page of the meetings of a person, as a range of their starts and ids.
private struct CalendarPage {
    let arguments: StatementArguments

    private static let isSeen = """
        (m.organizer_id = :person OR EXISTS (
            SELECT 1 FROM answer s
            WHERE s.meeting_id = m.id AND s.person_id = :person AND s.is_removed = 0))
        """

    static let meetings = """
        SELECT m.* FROM meeting m
        WHERE (m.starts_at, m.id) > (:start, :id) AND \(isSeen)
        ORDER BY m.starts_at, m.id LIMIT :limit
        """

    /// Statements begin with the meetings of the page, which are fewer than all answers and texts
    /// of the person.
    private static func joined(_ columns: String, _ table: String, _ condition: String) -> String {
        """
        SELECT \(columns) FROM meeting m CROSS JOIN \(table)
        WHERE (m.starts_at, m.id) > (:start, :id) AND (m.starts_at, m.id) <= (:end, :end_id)
            AND \(isSeen) AND \(condition)
        """
    }

    private static let changes = joined(
        "o.*", "meeting_override o", "o.meeting_id = m.id")
    private static let answers = joined(
        "a.*", "answer a", "a.meeting_id = m.id AND a.person_id = :person")
    private static let texts = joined(
        "o.meeting_id, o.text", "calendar_object o",
        "o.meeting_id = m.id AND o.owner_id = :person")

    func meetings(from rows: [Row], in db: Database) throws -> [CalendarMeeting] {
        let changes = try grouped(Self.changes, in: db)
        let answers = try grouped(Self.answers, in: db)
        let texts = try grouped(Self.texts, in: db)
        return try rows.map { row in
            var meeting = try Meeting(row: row)
            let id = meeting.id.text
            let zone = meeting.time.zone
            for row in changes[id] ?? [] {
                meeting.series?.changes[row["occurrence"]] = try DateChange(row: row, zone: zone)
            }
            let answers = Dictionary(grouping: answers[id] ?? []) { $0["occurrence"] as String }
            let own = try answers.mapValues { try $0.map(Participant.init(row:)) }
            let bundle = MeetingBundle(
                meeting: meeting, participants: own[""] ?? [], people: [:],
                dateParticipants: own.filter { !$0.key.isEmpty })
            return CalendarMeeting(bundle: bundle, text: texts[id]?.first?["text"])
        }
    }

    private func grouped(_ sql: String, in db: Database) throws -> [String: [Row]] {
        let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        return Dictionary(grouping: rows) { $0["meeting_id"] as String }
    }
}
