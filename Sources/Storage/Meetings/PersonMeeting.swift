public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A meeting in which a person takes part.
public struct PersonMeeting: Sendable {
    /// The meeting.
    public let meeting: ListedMeeting
    /// The person's answer for the present time.
    public let answer: Answer
    /// True if the person organizes it.
    public let isOrganizer: Bool
    /// True if the person or the reader is invited to single dates of a series only. The two
    /// may have no date in common.
    public var isOfDates = false
}

extension PersonMeeting {
    /// The meetings to which a person is invited as a whole.
    static let select = """
        SELECT \(ListedMeeting.columns), m.organizer_id, a.present_answer
        FROM participant t JOIN meeting m ON m.id = t.meeting_id
        JOIN answer a ON a.meeting_id = m.id AND a.person_id = t.person_id
            AND a.occurrence = ''
        WHERE t.person_id = :person AND a.is_removed = 0
        """

    init(row: Row, person: PersonID) throws {
        self.init(
            meeting: try ListedMeeting(row: row),
            answer: try StoredValue.decode(row["present_answer"]),
            isOrganizer: row["organizer_id"] == person.text)
    }
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
                        \(PersonMeeting.select)
                            AND (:reader = '' OR m.organizer_id = :reader OR EXISTS (
                                SELECT 1 FROM answer b
                                WHERE b.meeting_id = m.id AND b.person_id = :reader
                                    AND b.occurrence = '' AND b.is_removed = 0))
                        ORDER BY m.starts_at DESC, m.id LIMIT :limit
                        """),
                arguments: [
                    "person": person.text, "reader": reader?.text ?? "", "limit": limit,
                ]
            ) { try PersonMeeting(row: $0, person: person) }
        }
    }

    /// A page of the meetings of a person that a reader may see: those that the reader organizes or
    /// takes part in, or all. A series counts as a whole. One to which either is invited on single
    /// dates only is among the meetings that are over, too, because these dates may be.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - reader: the reader; `nil` for one who may see all meetings.
    ///   - isOver: true for the meetings that are over, the latest first; false for the others,
    ///     the earliest first. A series is over when its last date is.
    ///   - now: the current time.
    ///   - offset: the number of meetings before this page.
    ///   - limit: the most meetings.
    /// - Returns: the meetings.
    /// - Throws: ``StoreError``.
    public func meetings(
        of person: PersonID, seenBy reader: PersonID?, isOver: Bool, now: Moment, offset: Int,
        limit: Int
    ) async throws -> [PersonMeeting] {
        try await read { db in
            try Row.read(
                db.cachedStatement(sql: Self.meetingsOfPerson(isOver: isOver)),
                arguments: [
                    "person": person.text, "reader": reader?.text ?? "",
                    "now": now.milliseconds, "limit": limit, "offset": offset,
                ]
            ) { row in
                var meeting = try PersonMeeting(row: row, person: person)
                meeting.isOfDates = row["is_of_dates"]
                return meeting
            }
        }
    }

    private static func meetingsOfPerson(isOver: Bool) -> String {
        """
        SELECT \(ListedMeeting.columns), m.organizer_id,
            coalesce(a.present_answer, 'invited') AS present_answer,
            (a.person_id IS NULL OR NOT (\(Self.readsWhole))) AS is_of_dates
        FROM participant t JOIN meeting m ON m.id = t.meeting_id
        LEFT JOIN answer a ON a.meeting_id = m.id AND a.person_id = t.person_id
            AND a.occurrence = '' AND a.is_removed = 0
        WHERE t.person_id = :person
            AND \(isOver
                ? "(m.ends_at <= :now OR a.person_id IS NULL OR NOT (\(Self.readsWhole)))"
                : "m.ends_at > :now")
            AND (\(Self.readsWhole) OR EXISTS (
                SELECT 1 FROM answer s
                WHERE s.meeting_id = m.id AND s.person_id = :reader
                    AND s.occurrence <> '' AND s.is_removed = 0))
            AND (a.person_id IS NOT NULL OR EXISTS (
                SELECT 1 FROM answer d
                WHERE d.meeting_id = m.id AND d.person_id = t.person_id
                    AND d.occurrence <> '' AND d.is_removed = 0
                    AND NOT EXISTS (
                        SELECT 1 FROM answer r
                        WHERE r.meeting_id = m.id AND r.person_id = :reader
                            AND r.occurrence = d.occurrence AND r.is_removed = 1)))
        ORDER BY m.starts_at \(isOver ? "DESC" : "ASC"), m.id LIMIT :limit OFFSET :offset
        """
    }

    /// The condition that a reader may see a meeting with all its dates.
    private static let readsWhole = """
        :reader = '' OR m.organizer_id = :reader OR EXISTS (
            SELECT 1 FROM answer b
            WHERE b.meeting_id = m.id AND b.person_id = :reader
                AND b.occurrence = '' AND b.is_removed = 0)
        """
}
