import Agenda
import GRDB
import Ledger
import Timekeeping

extension Snooze {
    /// The snoozed reminders of a meeting's participants.
    static func fetchAll(of meeting: MeetingID, in db: Database) throws -> [PersonID: Snooze] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT person_id, starts_at, due FROM snooze
                    WHERE meeting_id = :id AND occurrence = ''
                    """), arguments: ["id": meeting.text])
        return Dictionary(
            rows.map { row in
                (
                    PersonID(text: row["person_id"]),
                    Snooze(
                        due: Moment(milliseconds: row["due"]),
                        startsAt: Moment(milliseconds: row["starts_at"]))
                )
            }, uniquingKeysWith: { $1 })
    }

    /// Saves the snooze. Each person has one for a meeting: the last.
    func save(of person: PersonID, in meeting: MeetingID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO snooze (meeting_id, person_id, starts_at, due)
                VALUES (:meeting, :person, :start, :due)
                ON CONFLICT (meeting_id, occurrence, person_id) DO UPDATE SET
                    starts_at = :start, due = :due
                """
        ).execute(arguments: [
            "meeting": meeting.text, "person": person.text, "start": startsAt.milliseconds,
            "due": due.milliseconds,
        ])
    }
}
