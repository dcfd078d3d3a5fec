public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The past meetings of a person at a place: those that they organized or to which they were
    /// invited as a whole. A series counts as a whole, and is past when its last date is.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - reference: the id of the place, as meetings keep it.
    ///   - now: the current time.
    ///   - offset: the number of meetings before this page.
    ///   - limit: the most meetings.
    /// - Returns: the meetings, the latest first.
    /// - Throws: ``StoreError``.
    public func pastMeetings(
        of person: PersonID, at reference: String, now: Moment, offset: Int, limit: Int
    ) async throws -> [PersonMeeting] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        \(PersonMeeting.select)
                            AND m.place_reference = :place AND m.ends_at <= :now
                        ORDER BY m.starts_at DESC, m.id LIMIT :limit OFFSET :offset
                        """),
                arguments: [
                    "person": person.text, "place": reference, "now": now.milliseconds,
                    "limit": limit, "offset": offset,
                ]
            ) { try PersonMeeting(row: $0, person: person) }
        }
    }
}
