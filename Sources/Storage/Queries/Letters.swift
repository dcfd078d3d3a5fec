public import Agenda
import GRDB
import Ledger
import Timekeeping

/// All that is needed to write one delivery out: to whom, about what, and what was said before.
public struct Letter: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// Its row.
    public let row: LedgerRow
    /// Attempts that count against the channel's schedule, the one that is begun included.
    public let attempts: Int
    /// To whom.
    public let person: Person
    /// About what.
    public let meeting: Meeting
    /// Who plans it.
    public let organizer: Person
    /// Who takes part, uninvited people left out.
    public let participants: [Participant]
    /// The facts of which the person was told last; `nil` when they were told nothing yet.
    public let before: MeetingFacts?
    /// What somebody wrote for this delivery: a message, the note of a nudge.
    public let body: String?
}

/// Why a letter cannot be put together.
enum LetterFault: Error, CustomStringConvertible {
    case factsMissing

    var description: String { "its meeting or its person is missing" }
}

/// A delivery as its row tells it, before its letter is put together.
struct LetterDraft {
    let id: Int64
    let row: LedgerRow
    /// Attempts so far.
    let tried: Int
    /// Those of them that count against the channel's schedule.
    let counted: Int
    /// Whether nobody sends it, and it waits.
    let isFree: Bool
    /// Whether its person has at least ``FloodGuard/rowsMin`` rows of its meeting.
    let isOneOfMany: Bool
    let body: String?
}

/// Puts letters together; letters of one meeting share what is read of it.
struct LetterDesk {
    private struct Facts {
        let meeting: Meeting
        let organizer: Person
        let participants: [Participant]
        let historyNumber: Int
    }
    private var facts: [MeetingID: Facts] = [:]

    /// A delivery's row; `nil` when there is no such delivery.
    func draft(_ id: Int64, in db: Database) throws -> LetterDraft? {
        let statement = try db.cachedStatement(sql: Self.sql)
        return try Row.fetchOne(statement, arguments: ["id": id]).map { row in
            let ledgerRow = try LedgerRow(row: row)
            return LetterDraft(
                id: id, row: ledgerRow, tried: row["tried"], counted: row["counted"],
                isFree: [.planned, .ambiguous].contains(ledgerRow.state),
                isOneOfMany: row["rows"] >= FloodGuard.rowsMin, body: row["body"])
        }
    }

    /// The letter of a delivery before its attempt is begun.
    mutating func letter(_ draft: LetterDraft, in db: Database) throws -> Letter {
        let key = draft.row.key.notification
        let meetingID = MeetingID(text: key.meeting)
        guard let facts = try facts(meetingID, in: db),
            let person = try Person.fetch(PersonID(text: key.person), in: db)
        else { throw LetterFault.factsMissing }
        return Letter(
            id: draft.id, row: draft.row, attempts: draft.counted + 1, person: person,
            meeting: facts.meeting, organizer: facts.organizer,
            participants: facts.participants,
            // Most meetings never change: then nobody was told otherwise.
            before: facts.historyNumber > 1
                ? try MeetingFacts.lastTold(to: person.id, of: meetingID, in: db) : nil,
            body: draft.body)
    }

    /// Records that the letter is about to be sent by a worker, with the entry of the meeting's
    /// history whose facts it tells.
    func appendIntent(
        for draft: LetterDraft, by worker: Int64, now: Moment, in db: Database
    ) throws {
        let meeting = MeetingID(text: draft.row.key.notification.meeting)
        try db.cachedStatement(
            sql: """
                INSERT INTO intent (delivery_id, worker_id, number, at, history_number)
                VALUES (:id, :worker, :number, :now, :history)
                """
        ).execute(arguments: [
            "id": draft.id, "worker": worker, "number": draft.tried + 1,
            "now": now.milliseconds, "history": facts[meeting]?.historyNumber ?? 1,
        ])
    }

    private static let sql = """
        SELECT d.*, b.text AS body,
            (SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id) AS tried,
            (SELECT count(*) FROM attempt a
                WHERE a.delivery_id = d.id AND a.outcome <> 'misconfigured'
                AND a.code <> '\(AttemptReport.shutdownCode)') AS counted,
            (SELECT count(*) FROM (
                SELECT 1 AS one FROM delivery n
                WHERE n.meeting_id = d.meeting_id AND n.person_id = d.person_id
                LIMIT \(FloodGuard.rowsMin)) AS few) AS rows
        FROM delivery_now d LEFT JOIN body b ON b.id = d.body_id WHERE d.id = :id
        """
}

extension LetterDesk {
    private mutating func facts(_ id: MeetingID, in db: Database) throws -> Facts? {
        if let known = facts[id] { return known }
        guard let meeting = try Meeting.fetch(id, in: db),
            let organizer = try Person.fetch(meeting.organizer, in: db)
        else { return nil }
        let read = Facts(
            meeting: meeting, organizer: organizer,
            participants: try Participant.fetchAll(of: id, in: db).filter { !$0.isRemoved },
            historyNumber: try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT max(number) FROM meeting_history WHERE meeting_id = :id"),
                arguments: ["id": id.text]) ?? 1)
        facts[id] = read
        return read
    }
}

extension MeetingFacts {
    private static let telling = """
        d.meeting_id = :meeting AND d.kind IN ('invitation', 'change') AND d.person_id IN (
            SELECT id FROM person WHERE id = :person OR merged_into = :person)
        """

    /// The facts that held when the person last got an invitation or a change.
    static func lastTold(
        to person: PersonID, of meeting: MeetingID, in db: Database
    ) throws -> MeetingFacts? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT h.* FROM meeting_history h
                WHERE h.meeting_id = :meeting AND h.number = (
                    SELECT max(number) FROM (
                        SELECT a.history_number AS number FROM attempt a
                        JOIN delivery d ON d.id = a.delivery_id
                        WHERE a.outcome IN ('accepted', 'ambiguous') AND \(telling)
                        UNION ALL
                        SELECT i.history_number FROM intent i
                        JOIN outcome o ON o.delivery_id = i.delivery_id
                        JOIN delivery d ON d.id = i.delivery_id
                        WHERE o.outcome IN ('accepted', 'ambiguous') AND \(telling)) AS told)
                """,
            arguments: ["meeting": meeting.text, "person": person.text]
        ).map { row in
            MeetingFacts(
                title: row["title"], place: row["place_text"], time: try MeetingTime(row: row))
        }
    }
}
