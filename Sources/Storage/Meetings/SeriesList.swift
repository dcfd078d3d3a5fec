public import Agenda
import GRDB
import Ledger
import Timekeeping

/// A series with what a list of its dates says of them.
public struct SeriesListing: Sendable {
    /// The series.
    public let meeting: Meeting
    /// The people of the whole.
    public let participants: [Participant]
    /// What people said to single dates, and who was asked to them or taken off them.
    public let dateParticipants: [String: [Participant]]

    /// The people of one of its dates, those who were taken off it among them.
    public func people(on date: SeriesDate) -> [Participant] {
        participants.on(dateParticipants[date.name] ?? [])
    }
}

extension Store {
    /// The series of which some date may pass the filter; which of them do shows by their rules.
    public func series(_ filter: MeetingFilter) async throws -> [SeriesListing] {
        let person = filter.member ?? filter.invited ?? filter.comer ?? filter.silent
        return try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT * FROM meeting m
                        WHERE m.repetition IS NOT NULL AND m.ends_at > :after
                            AND m.starts_at < :before
                            AND (:organizer = '' OR m.organizer_id = :organizer)
                            AND (:person = '' OR m.organizer_id = :person OR EXISTS (
                                SELECT 1 FROM answer a WHERE a.meeting_id = m.id
                                    AND a.person_id = :person AND a.is_removed = 0))
                            AND (:prefix = '' OR m.id >= :prefix AND m.id < :prefix || '~')
                            AND (:status = '' OR m.status = :status)
                        """),
                arguments: [
                    "after": filter.endsAfter?.milliseconds ?? 0,
                    "before": (filter.startsBefore ?? filter.endsBefore ?? Series.endless)
                        .milliseconds,
                    "organizer": filter.organizer?.text ?? "", "person": person?.text ?? "",
                    "prefix": filter.idPrefix ?? "",
                    "status": filter.isOnlyConfirmed ? MeetingStatus.confirmed.rawValue : "",
                ],
                as: { try SeriesListing(row: $0, in: db) })
        }
    }
}

extension SeriesListing {
    fileprivate init(row: Row, in db: Database) throws {
        var meeting = try Meeting(row: row)
        let changes = try DateChange.fetchAll(of: meeting, in: db)
        meeting.series?.changes = changes
        self.meeting = meeting
        participants = try Participant.fetchAll(of: meeting.id, in: db)
        dateParticipants = try Participant.fetchDates(of: meeting, in: db)
    }
}
