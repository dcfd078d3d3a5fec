public import Agenda
import GRDB
public import Ledger
import Timekeeping

/// A meeting in which a person takes part; of a series, in all dates.
public struct PersonMeeting: Sendable {
    /// The meeting.
    public let meeting: ListedMeeting
    /// The person's answer for the present time.
    public let answer: Answer
    /// True if the person organizes it.
    public let isOrganizer: Bool
}

extension Store {
    /// The meetings of a person that a reader may see: those that the reader organizes or takes
    /// part in, or all. Of series, only those to which both are invited as a whole.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - reader: the reader; `nil` for one who may see all meetings.
    ///   - limit: the most meetings.
    /// - Returns: the meetings, the latest first. A series counts by its first date.
    /// - Throws: ``StoreError``.
    public func meetings(
        of person: PersonID, seenBy reader: PersonID?, limit: Int
    ) async throws -> [PersonMeeting] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT \(ListedMeeting.columns), m.organizer_id, a.present_answer
                        FROM participant t JOIN meeting m ON m.id = t.meeting_id
                        JOIN answer a ON a.meeting_id = m.id AND a.person_id = t.person_id
                            AND a.occurrence = ''
                        WHERE t.person_id = :person AND a.is_removed = 0
                            AND (:reader = '' OR m.organizer_id = :reader OR EXISTS (
                                SELECT 1 FROM answer b
                                WHERE b.meeting_id = m.id AND b.person_id = :reader
                                    AND b.occurrence = '' AND b.is_removed = 0))
                        ORDER BY m.starts_at DESC, m.id LIMIT :limit
                        """),
                arguments: [
                    "person": person.text, "reader": reader?.text ?? "", "limit": limit,
                ]
            ) { row in
                PersonMeeting(
                    meeting: try ListedMeeting(row: row),
                    answer: try StoredValue.decode(row["present_answer"]),
                    isOrganizer: row["organizer_id"] == person.text)
            }
        }
    }
}
