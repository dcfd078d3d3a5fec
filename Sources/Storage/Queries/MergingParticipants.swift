import Agenda
import GRDB
import Ledger
import Timekeeping

extension PersonMerge {
    /// In a meeting where both take part, the one who was not uninvited decides, else the more
    /// certain answer.
    func moveParticipations(in db: Database) throws {
        let meetings = try Row.fetchAll(
            db,
            sql: """
                SELECT p.meeting_id, o.is_removed AS other_removed, k.is_removed AS kept_removed
                FROM participant p
                JOIN answer o ON o.meeting_id = p.meeting_id AND o.person_id = p.person_id
                    AND o.occurrence = ''
                LEFT JOIN answer k ON k.meeting_id = p.meeting_id AND k.person_id = :kept
                    AND k.occurrence = ''
                WHERE p.person_id = :other
                """, arguments: arguments)
        for row in meetings {
            let isOtherRemoved: Bool = row["other_removed"]
            let meeting: String = row["meeting_id"]
            if let isKeptRemoved = row["kept_removed"] as Bool? {
                try unite(meeting, isOtherRemoved, isKeptRemoved, in: db)
            } else {
                try insertParticipant(meeting, in: db)
                try moveAnswers(meeting, to: kept.id, from: other.id, in: db)
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
        try db.execute(
            sql: "UPDATE answer SET answered_by = :kept WHERE answered_by = :other",
            arguments: arguments)
        try db.execute(
            sql: """
                UPDATE answer SET answered_by = NULL
                WHERE person_id = :kept AND answered_by = :kept
                """, arguments: ["kept": kept.id.text])
    }

    private func insertParticipant(_ meeting: String, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO participant (meeting_id, person_id, position)
                SELECT meeting_id, :kept, position FROM participant
                WHERE meeting_id = :meeting AND person_id = :other
                """, arguments: ["kept": kept.id.text, "other": other.id.text, "meeting": meeting])
    }

    private func unite(
        _ meeting: String, _ isOtherRemoved: Bool, _ isKeptRemoved: Bool, in db: Database
    ) throws {
        guard isOtherRemoved == isKeptRemoved else {
            guard isKeptRemoved else { return }
            return try moveAnswers(meeting, to: kept.id, from: other.id, in: db)
        }
        let mine = try weights(meeting, of: kept.id, in: db)
        for (occurrence, weight) in try weights(meeting, of: other.id, in: db) {
            guard let own = mine[occurrence] else {
                try moveAnswers(
                    meeting, to: kept.id, from: other.id, only: occurrence, in: db)
                continue
            }
            guard own < weight else { continue }
            try moveAnswers(meeting, to: kept.id, from: other.id, only: occurrence, in: db)
        }
    }

    private func weights(
        _ meeting: String, of person: PersonID, in db: Database
    ) throws -> [String: AnswerWeight] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT occurrence, answer, answered_at FROM answer
                WHERE meeting_id = :meeting AND person_id = :person
                """, arguments: ["meeting": meeting, "person": person.text])
        return try Dictionary(
            rows.map { row in
                let answer: Answer = try StoredValue.decode(row["answer"])
                return (
                    row["occurrence"] as String,
                    AnswerWeight(
                        answer, answeredAt: Moment(milliseconds: row["answered_at"]))
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Answers take the place of those that are there.
    private func moveAnswers(
        _ meeting: String, to heir: PersonID, from person: PersonID, only occurrence: String? = nil,
        in db: Database
    ) throws {
        let moved = """
            SELECT occurrence FROM answer WHERE meeting_id = :meeting AND person_id = :person
                AND (occurrence = :occurrence OR :occurrence IS NULL)
            """
        let arguments: StatementArguments = [
            "meeting": meeting, "heir": heir.text, "person": person.text,
            "occurrence": occurrence,
        ]
        try db.execute(
            sql: """
                DELETE FROM answer WHERE meeting_id = :meeting AND person_id = :heir
                    AND occurrence IN (\(moved))
                """, arguments: arguments)
        try db.execute(
            sql: """
                UPDATE answer SET person_id = :heir
                WHERE meeting_id = :meeting AND person_id = :person
                    AND (occurrence = :occurrence OR :occurrence IS NULL)
                """, arguments: arguments)
    }
}
