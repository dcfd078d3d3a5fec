public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A series with the data that a list of its occurrences shows.
public struct SeriesListing: Sendable {
    /// The series.
    public let meeting: Meeting
    /// The participants of the whole series.
    public let participants: [Participant]
    /// The participants who differ on single occurrences, by the names of the occurrences: those
    /// who answered, were invited or were uninvited there.
    public let dateParticipants: [String: [Participant]]

    /// The participants of one occurrence, including those who were uninvited from it.
    public func people(on date: SeriesDate) -> [Participant] {
        participants.on(dateParticipants[date.name] ?? [])
    }
}

extension Store {
    /// The series of which some occurrence may match the filter. The caller applies the recurrence
    /// rule to find the occurrences that do.
    public func series(_ filter: MeetingFilter) async throws -> [SeriesListing] {
        let person =
            filter.member ?? filter.invited ?? filter.comer ?? filter.silent
            ?? filter.guests.first
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

extension Store {
    /// The recurring meetings that continue beyond the time up to which their reminders are in the
    /// ledger, if that time is before `horizon`; earliest first.
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
