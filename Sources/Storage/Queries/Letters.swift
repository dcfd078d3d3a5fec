public import Agenda
import GRDB
import Ledger
import Timekeeping

/// What the letters of one meeting share that are begun together: the same object in all of them.
public final class LetterFacts: Sendable {
    /// About what.
    public let meeting: Meeting
    /// Who plans it.
    public let organizer: Person
    /// Who takes part, uninvited people left out.
    public let participants: [Participant]
    /// The entry of the meeting's history whose facts these are.
    let historyNumber: Int

    init(
        meeting: Meeting, organizer: Person, participants: [Participant], historyNumber: Int
    ) {
        self.meeting = meeting
        self.organizer = organizer
        self.participants = participants
        self.historyNumber = historyNumber
    }
}

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
    /// About what, planned by whom, with whom.
    public let facts: LetterFacts
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
    /// Whether its person has at least ``FloodGuard/rowsMin`` rows and unanswered attempts of its
    /// meeting.
    let isOneOfMany: Bool
    let body: String?
    /// To whom; `nil` when they are missing.
    let person: Person?
}

/// Puts letters together; letters of one meeting share what is read of it.
struct LetterDesk {
    private var facts: [String: LetterFacts] = [:]

    /// A delivery's row; `nil` when there is no such delivery.
    func draft(_ id: Int64, in db: Database) throws -> LetterDraft? {
        let statement = try db.cachedStatement(sql: Self.sql)
        let cursor = try Row.fetchCursor(statement, arguments: ["id": id])
        // Its row can be read as long as the cursor lives.
        return try withExtendedLifetime(cursor) {
            try cursor.next().map { row in try LetterDraft(id: id, row: row) }
        }
    }

    /// The letter of a delivery before its attempt is begun.
    mutating func letter(_ draft: LetterDraft, in db: Database) throws -> Letter {
        let key = draft.row.key.notification
        guard let facts = try facts(key.meeting, in: db), let person = draft.person
        else { throw LetterFault.factsMissing }
        return Letter(
            id: draft.id, row: draft.row, attempts: draft.counted + 1,
            person: person, facts: facts,
            // Most meetings never change: then nobody was told otherwise.
            before: facts.historyNumber > 1
                ? try MeetingFacts.lastTold(to: person.id, of: facts.meeting.id, in: db) : nil,
            body: draft.body)
    }

    /// Records that the letter is about to be sent by a worker, with the entry of the meeting's
    /// history whose facts it tells.
    func appendIntent(
        for draft: LetterDraft, by worker: Int64, now: Moment, in db: Database
    ) throws {
        let meeting = draft.row.key.notification.meeting
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

    /// The columns stand in the order in which ``LetterDraft`` reads them.
    private static let sql = """
        SELECT d.key, d.meeting_id, d.occurrence, d.person_id, d.kind, d.mark, d.channel, d.address,
            d.due, d.deadline, d.state, d.reason, d.ambiguities, b.text,
            (SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id),
            (SELECT count(*) FROM attempt a
                WHERE a.delivery_id = d.id AND a.outcome <> 'misconfigured'
                AND a.code NOT IN (
                    '\(AttemptReport.shutdownCode)', '\(AttemptReport.heldCode)')),
            p.id, p.name, p.zone, (
                SELECT a.address FROM person_address a WHERE a.person_id = p.id
                ORDER BY a.position, a.folded LIMIT 1),
            d.hold, d.wanted, d.body_id, (
                SELECT count(*) + CAST(coalesce(sum(few.ambiguities), 0) AS BIGINT) FROM (
                    SELECT n.ambiguities FROM delivery n
                    WHERE n.meeting_id = d.meeting_id AND n.person_id = d.person_id
                    LIMIT \(FloodGuard.rowsMin)) AS few)
        FROM delivery_now d LEFT JOIN body b ON b.id = d.body_id
        LEFT JOIN person q ON q.id = d.person_id
        LEFT JOIN person p ON p.id = coalesce(q.merged_into, q.id)
        WHERE d.id = :id
        """
}

extension LetterDraft {
    /// By number: this is read for each delivery that is sent.
    fileprivate init(id: Int64, row: Row) throws {
        let notification = NotificationKey(
            meeting: row[1], occurrence: row[2], person: row[3] ?? "",
            kind: try StoredValue.decode(row[4]), mark: row[5])
        let state: DeliveryState = try StoredValue.decode(row[10])
        self.id = id
        self.row = LedgerRow(
            key: DeliveryKey(notification: notification, channel: row[6], address: row[7]),
            name: row[0], state: state, due: Moment(milliseconds: row[8]),
            deadline: Moment(milliseconds: row[9]), reason: row[11], ambiguities: row[12],
            hold: try Hold(kind: row[20], wanted: row[21]), body: row[22])
        isOneOfMany = row[23] >= FloodGuard.rowsMin
        body = row[13]
        tried = row[14]
        counted = row[15]
        isFree = [.planned, .ambiguous].contains(state)
        person = (row[16] as String?).map { person in
            Person(
                id: PersonID(text: person), name: row[17], address: row[19] ?? "", zone: row[18])
        }
    }
}

extension LetterDesk {
    private mutating func facts(_ text: String, in db: Database) throws -> LetterFacts? {
        if let known = facts[text] { return known }
        let id = MeetingID(text: text)
        guard let meeting = try Meeting.fetch(id, in: db),
            let organizer = try Person.fetch(meeting.organizer, in: db)
        else { return nil }
        let read = LetterFacts(
            meeting: meeting, organizer: organizer,
            participants: try Participant.fetchAll(of: id, in: db).filter { !$0.isRemoved },
            historyNumber: try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT max(number) FROM meeting_history WHERE meeting_id = :id"),
                arguments: ["id": text]) ?? 1)
        facts[text] = read
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
