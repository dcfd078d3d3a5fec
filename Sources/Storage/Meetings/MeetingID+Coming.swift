public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The coming meetings of a person, if only of single dates, earliest first.
    public func comingMeetings(of person: PersonID, now: Moment) async throws -> [MeetingID] {
        try await read { db in try MeetingID.coming(of: person, now: now, in: db) }
    }
}

extension MeetingID {
    /// The coming meetings of a person, earliest first, read in pages of `rowsMax` rows.
    static func coming(
        of person: PersonID, now: Moment, in db: Database, rowsMax: Int = 1000
    ) throws -> [MeetingID] {
        // The CROSS JOIN starts from the few meetings of the person, not from all coming meetings.
        let page = try db.cachedStatement(
            sql: """
                SELECT m.starts_at, m.id FROM participant p CROSS JOIN meeting m
                WHERE p.person_id = :person AND m.id = p.meeting_id AND m.ends_at > :now
                    AND (m.starts_at, m.id) > (:start, :id)
                ORDER BY m.starts_at, m.id LIMIT :limit
                """)
        var found: [MeetingID] = []
        var last = (start: Int64.min, id: "")
        while true {
            let rows = try Row.fetchAll(
                page,
                arguments: [
                    "person": person.text, "now": now.milliseconds, "start": last.start,
                    "id": last.id, "limit": rowsMax,
                ])
            found += rows.map { MeetingID(text: $0["id"]) }
            guard rows.count == rowsMax, let end = rows.last else { return found }
            last = (end["starts_at"], end["id"])
        }
    }

    /// The coming meetings in which at least one of these people takes part, without repeats.
    static func coming(
        ofAny people: [PersonID], now: Moment, in db: Database
    ) throws -> [MeetingID] {
        Set(try people.flatMap { try coming(of: $0, now: now, in: db) })
            .sorted { $0.text < $1.text }
    }
}
