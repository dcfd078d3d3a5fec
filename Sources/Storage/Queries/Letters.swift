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
    /// How often it has become ambiguous so far.
    public let ambiguities: Int
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

/// Puts letters together; letters of one meeting share what is read of it.
struct LetterDesk {
    private var meetings: [MeetingID: (Meeting, Person, [Participant])] = [:]

    /// The letter of a delivery before its attempt is begun; `nil` when there is no such delivery.
    mutating func letter(_ id: Int64, in db: Database) throws -> Letter? {
        guard let row = try Row.fetchOne(db, sql: Self.sql, arguments: ["id": id]) else {
            return nil
        }
        let meetingID = MeetingID(text: row["meeting_id"])
        let personID = PersonID(text: row["person_id"])
        guard let (meeting, organizer, participants) = try facts(meetingID, in: db),
            let person = try Person.fetch(personID, in: db)
        else { throw LetterFault.factsMissing }
        return Letter(
            id: id, row: try LedgerRow(row: row), attempts: row["attempts"],
            ambiguities: row["ambiguities"], person: person, meeting: meeting,
            organizer: organizer, participants: participants,
            before: try MeetingFacts.lastTold(to: person.id, of: meetingID, in: db),
            body: row["body"])
    }

    private static let sql = """
        SELECT d.*, b.text AS body, (
            SELECT count(*) + 1 FROM attempt a LEFT JOIN attempt_outcome o ON o.attempt_id = a.id
            WHERE a.delivery_id = d.id AND o.outcome IS DISTINCT FROM 'misconfigured'
                AND o.code IS DISTINCT FROM '\(AttemptReport.shutdownCode)') AS attempts
        FROM delivery d LEFT JOIN body b ON b.id = d.body_id WHERE d.id = :id
        """

    private mutating func facts(
        _ id: MeetingID, in db: Database
    ) throws -> (Meeting, Person, [Participant])? {
        if let known = meetings[id] { return known }
        guard let meeting = try Meeting.fetch(id, in: db),
            let organizer = try Person.fetch(meeting.organizer, in: db)
        else { return nil }
        let participants = try Participant.fetchAll(of: id, in: db).filter { !$0.isRemoved }
        meetings[id] = (meeting, organizer, participants)
        return (meeting, organizer, participants)
    }
}

extension MeetingFacts {
    /// The facts that held when the person last got an invitation or a change.
    static func lastTold(
        to person: PersonID, of meeting: MeetingID, in db: Database
    ) throws -> MeetingFacts? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT h.* FROM meeting_history h
                WHERE h.meeting_id = :meeting AND h.number = (
                    SELECT max(a.history_number) FROM attempt a
                    JOIN attempt_outcome o ON o.attempt_id = a.id
                    JOIN delivery d ON d.id = a.delivery_id
                    WHERE d.meeting_id = :meeting AND d.person_id IN (
                            SELECT id FROM person WHERE id = :person OR merged_into = :person)
                        AND d.kind IN ('invitation', 'change')
                        AND o.outcome IN ('accepted', 'ambiguous'))
                """,
            arguments: ["meeting": meeting.text, "person": person.text]
        ).map { row in
            MeetingFacts(
                title: row["title"], place: row["place_text"], time: try MeetingTime(row: row))
        }
    }
}
