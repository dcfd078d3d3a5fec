public import Agenda
import Foundation
import GRDB
public import Ledger

extension Store {
    /// The people among these with whom somebody is acquainted: they themselves answered an
    /// invitation to a meeting in which both take part, or they organize it.
    ///
    /// Answers that others could have given do not count: unsigned ones by mail, those after the
    /// guest's link was shown to somebody else, and copies of answers to another meeting.
    public func acquaintances(
        of person: PersonID, among people: [PersonID]
    ) async throws -> Set<PersonID> {
        let list = try String(decoding: JSONEncoder().encode(people.map(\.text)), as: UTF8.self)
        return try await read { db in
            let found = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        /* SQLite */ SELECT DISTINCT n.value FROM json_each(:people) n
                        JOIN participant p ON p.person_id = n.value
                        JOIN meeting m ON m.id = p.meeting_id
                        JOIN answer a ON a.meeting_id = m.id AND a.occurrence = ''
                            AND a.person_id = n.value
                        JOIN answer b ON b.meeting_id = m.id AND b.occurrence = ''
                            AND b.person_id = :person
                        WHERE a.is_removed = 0 AND b.is_removed = 0
                            AND (m.organizer_id = a.person_id
                                OR a.answered_by IS NULL AND a.answer <> 'invited'
                                    AND a.is_unsigned = 0 AND a.is_copied = 0 AND NOT EXISTS (
                                        SELECT 1 FROM access_link l
                                        JOIN person q ON q.id = l.person_id
                                        WHERE l.meeting_id = m.id
                                            AND (q.id = n.value OR q.merged_into = n.value)
                                            AND l.shown_at <= a.answered_at
                                            AND (l.revoked_at IS NULL
                                                OR l.revoked_at > l.shown_at)))
                        """), arguments: ["people": list, "person": person.text])
            return Set(found.map { PersonID(text: $0) })
        }
    }
}
