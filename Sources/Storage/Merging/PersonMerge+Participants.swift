import Agenda
import GRDB
import Ledger
import Timekeeping

extension PersonMerge {
    /// Moves the meetings of `other` to `kept`. Where both take part in a meeting, or in one of its
    /// occurrences, an answer of somebody who was not uninvited wins; otherwise the more certain
    /// answer.
    func moveParticipations(in db: Database) throws {
        let meetings = try String.fetchAll(
            db, sql: "SELECT meeting_id FROM participant WHERE person_id = :other",
            arguments: ["other": other.id.text])
        for meeting in meetings {
            try insertParticipant(meeting, in: db)
            try noteNamedGuests(of: meeting, in: db)
            for occurrence in try answersToMove(in: meeting, db) {
                try moveAnswer(meeting, on: occurrence, in: db)
            }
            try db.execute(
                sql: """
                    UPDATE snooze SET person_id = :kept
                    WHERE meeting_id = :meeting AND person_id = :other AND occurrence NOT IN (
                        SELECT occurrence FROM snooze
                        WHERE meeting_id = :meeting AND person_id = :kept)
                    """,
                arguments: ["kept": kept.id.text, "other": other.id.text, "meeting": meeting])
            try db.execute(
                sql: "DELETE FROM participant WHERE meeting_id = :meeting AND person_id = :other",
                arguments: ["meeting": meeting, "other": other.id.text])
        }
        try moveSeatRequests(in: db)
        try db.execute(
            sql: "UPDATE answer SET answered_by = :kept WHERE answered_by = :other",
            arguments: arguments)
        try db.execute(
            sql: """
                UPDATE answer SET answered_by = NULL
                WHERE person_id = :kept AND answered_by = :kept
                """, arguments: ["kept": kept.id.text])
    }

    /// Moves the requests to join. None is left where the remaining person is in the meeting, or on
    /// the date, or asked there too.
    private func moveSeatRequests(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE seat_request SET person_id = :kept
                WHERE person_id = :other AND NOT EXISTS (
                    SELECT 1 FROM seat_request s
                    WHERE s.meeting_id = seat_request.meeting_id
                        AND s.occurrence = seat_request.occurrence AND s.person_id = :kept)
                """, arguments: arguments)
        try db.execute(
            sql: "DELETE FROM seat_request WHERE person_id = :other",
            arguments: ["other": other.id.text])
        try db.execute(
            sql: """
                DELETE FROM seat_request WHERE person_id = :kept AND EXISTS (
                    SELECT 1 FROM answer a
                    WHERE a.meeting_id = seat_request.meeting_id
                        AND a.occurrence = seat_request.occurrence AND a.person_id = :kept
                        AND a.is_removed = 0)
                """, arguments: ["kept": kept.id.text])
    }

    private func insertParticipant(_ meeting: String, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO participant (
                    meeting_id, person_id, position, known_address, typed_name)
                SELECT p.meeting_id, :kept, p.position, p.known_address, CASE
                    WHEN p.typed_name <> '' THEN p.typed_name
                    WHEN EXISTS (SELECT 1 FROM installation i WHERE i.owner_id = m.organizer_id)
                        OR EXISTS (
                            SELECT 1 FROM contact c
                            WHERE c.owner_id = m.organizer_id AND c.person_id = :kept) THEN ''
                    ELSE :theirs END
                FROM participant p JOIN meeting m ON m.id = p.meeting_id
                WHERE p.meeting_id = :meeting AND p.person_id = :other
                ON CONFLICT (meeting_id, person_id) DO NOTHING
                """,
            arguments: [
                "kept": kept.id.text, "other": other.id.text, "meeting": meeting,
                "theirs": other.name == kept.name ? "" : other.name,
            ])
    }

    /// Notes in both entries of a meeting, or of one of its dates, that the person was invited by
    /// name, if one of them says so and was not removed. Either entry may be the one that stays.
    private func noteNamedGuests(of meeting: String, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE answer SET is_by_circle = 0
                WHERE meeting_id = :meeting AND person_id IN (:kept, :other) AND EXISTS (
                    SELECT 1 FROM answer n
                    WHERE n.meeting_id = :meeting AND n.person_id IN (:kept, :other)
                        AND n.occurrence = answer.occurrence AND n.is_by_circle = 0
                        AND n.is_removed = 0)
                """,
            arguments: ["kept": kept.id.text, "other": other.id.text, "meeting": meeting])
    }

    /// The occurrences on which the answer of `other` counts more; `""` stands for the whole
    /// meeting. Without an answer to one occurrence, the answer to the whole meeting applies to it.
    private func answersToMove(in meeting: String, _ db: Database) throws -> [String] {
        let mine = try weights(meeting, of: kept.id, in: db)
        return try weights(meeting, of: other.id, in: db).filter { occurrence, theirs in
            guard let own = mine[occurrence] ?? mine[""] else { return true }
            guard own.isRemoved == theirs.isRemoved else { return own.isRemoved }
            return own.weight < theirs.weight
        }.keys.sorted()
    }

    private func weights(
        _ meeting: String, of person: PersonID, in db: Database
    ) throws -> [String: (isRemoved: Bool, weight: AnswerWeight)] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT occurrence, present_answer AS answer, answered_at, is_removed FROM answer
                WHERE meeting_id = :meeting AND person_id = :person
                """, arguments: ["meeting": meeting, "person": person.text])
        return try Dictionary(
            rows.map { row in
                let answer: Answer = try StoredValue.decode(row["answer"])
                let at = Moment(milliseconds: row["answered_at"])
                let weight = AnswerWeight(answer, answeredAt: at)
                return (row["occurrence"] as String, (row["is_removed"] as Bool, weight))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Replaces the answer of `kept` by the one of `other`.
    private func moveAnswer(
        _ meeting: String, on occurrence: String, in db: Database
    ) throws {
        let arguments: StatementArguments = [
            "meeting": meeting, "kept": kept.id.text, "occurrence": occurrence,
        ]
        try db.execute(
            sql: """
                DELETE FROM answer WHERE meeting_id = :meeting AND person_id = :kept
                    AND occurrence = :occurrence
                """, arguments: arguments)
        try db.execute(
            sql: """
                UPDATE answer SET person_id = :kept
                WHERE meeting_id = :meeting AND person_id = :other AND occurrence = :occurrence
                """, arguments: arguments + ["other": other.id.text])
    }
}
