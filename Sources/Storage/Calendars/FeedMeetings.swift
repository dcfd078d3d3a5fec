public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// A meeting as a feed shows it.
public struct FeedMeeting: Sendable {
    /// The answer of the feed's person to one occurrence.
    public struct DateAnswer: Sendable {
        /// The answer.
        public let answer: Answer
        /// True if they were uninvited from this occurrence.
        public let isRemoved: Bool
    }

    /// The meeting.
    public let meeting: Meeting
    /// The answer of the feed's person to the whole meeting; `nil` if they are not invited to all
    /// of it. A circle counts as going to everything it is invited to.
    public let answer: Answer?
    /// The answers to single occurrences, by the names of the occurrences.
    public let dates: [String: DateAnswer]
    /// The time of the last change.
    public let changedAt: Moment
    /// Other display properties, if the organizer imported the meeting from a calendar.
    public let nature: EventNature
}

/// The meetings that a feed may show.
public struct FeedMeetings: Sendable {
    /// The meetings, in no particular order.
    public let meetings: [FeedMeeting]
    /// The meetings that have changed since the given number, including those that the feed no
    /// longer shows.
    public let changed: Set<MeetingID>
}

extension Store {
    /// The maximum number of meetings in a feed.
    public static let feedMeetingsMax = 50_000

    /// The meetings that a feed may show. Cancelled meetings, and those that the person declined,
    /// are left out.
    ///
    /// - Parameters:
    ///   - subject: the person or circle whose meetings are returned.
    ///   - after: returns meetings that end after this; for a series, the end of its last
    ///     occurrence counts.
    ///   - before: returns meetings that start before this; for a series, the start of its first
    ///     occurrence counts.
    ///   - mark: returns only meetings that have changed since this number; `nil` for all.
    /// - Returns: the meetings, at most ``feedMeetingsMax``.
    /// - Throws: ``StoreError``.
    public func feedMeetings(
        of subject: Feed.Subject, endingAfter after: Moment, startingBefore before: Moment,
        changedSince mark: Int64?
    ) async throws -> FeedMeetings {
        try await read { db in
            let query = FeedQuery(subject, after, before, since: mark)
            return try db.withLargeCache {
                FeedMeetings(
                    meetings: try query.meetings(in: db), changed: try query.changed(in: db))
            }
        }
    }
}

/// The query for all meetings that a feed may show.
struct FeedQuery {
    private let arguments: StatementArguments
    private let isOfPerson: Bool
    private let mark: Int64?
    /// True to leave out meetings that do not make the person busy.
    private let isOfBusyTimes: Bool

    init(
        _ subject: Feed.Subject, _ after: Moment, _ before: Moment, since mark: Int64?,
        busyTimes isOfBusyTimes: Bool = false
    ) {
        self.isOfBusyTimes = isOfBusyTimes
        let id: String
        switch subject {
        case .person(let person): (id, isOfPerson) = (person.text, true)
        case .circle(let circle): (id, isOfPerson) = (circle.text, false)
        }
        self.mark = mark
        var arguments: StatementArguments = [
            "id": id, "after": after.milliseconds, "before": before.milliseconds,
            "limit": Store.feedMeetingsMax,
        ]
        if let mark { arguments += ["mark": mark] }
        self.arguments = arguments
    }

    /// The tables that lead from a person or a circle to their meetings.
    private var source: String {
        "\(isOfPerson ? "participant" : "meeting_circle") s JOIN meeting m ON m.id = s.meeting_id"
    }

    private var condition: String {
        """
        s.\(isOfPerson ? "person_id" : "circle_id") = :id AND m.status = 'confirmed'
            AND m.ends_at > :after AND m.starts_at < :before
            \(isOfPerson ? "" : "AND (\(Self.isAsked) OR \(Self.isAskedOnce))")
            \(isOfBusyTimes ? "AND NOT \(Self.isFree)" : "")
            \(mark == nil ? "" : "AND m.id IN (\(Self.changed))")
        """
    }

    /// The condition that some member of the circle is still invited to the whole meeting; the
    /// recorded invitation of the circle alone does not prove that.
    private static let isAsked = """
        EXISTS (
            SELECT 1 FROM circle_asking k JOIN circle_member c ON c.circle_id = k.circle_id
                JOIN answer n ON n.meeting_id = k.meeting_id AND n.occurrence = ''
                    AND n.person_id = c.person_id AND n.is_removed = 0
            WHERE k.meeting_id = m.id AND k.circle_id = s.circle_id AND k.occurrence = '')
        """

    /// The condition that the circle was invited to single occurrences, and some of its members
    /// still are.
    private static let isAskedOnce = """
        EXISTS (
            SELECT 1 FROM circle_asking k
            WHERE k.meeting_id = m.id AND k.circle_id = s.circle_id AND k.occurrence <> ''
                AND \(isOfPeople))
        """
    private static let isOfPeople = """
        EXISTS (
            SELECT 1 FROM circle_member c JOIN answer n ON n.meeting_id = k.meeting_id
                AND n.person_id = c.person_id AND n.is_removed = 0
                AND n.occurrence IN ('', k.occurrence)
            WHERE c.circle_id = k.circle_id AND NOT EXISTS (
                SELECT 1 FROM answer r WHERE r.meeting_id = k.meeting_id
                    AND r.person_id = c.person_id AND r.occurrence = k.occurrence
                    AND r.is_removed = 1))
        """

    /// The condition that the meeting was imported from a calendar and does not make the person
    /// busy.
    static let isFree = """
        EXISTS (
            SELECT 1 FROM calendar_object o WHERE o.meeting_id = m.id
                AND o.owner_id = s.person_id AND o.takes_time = 0)
        """

    private static let changed = "SELECT c.meeting_id FROM meeting_mark c WHERE c.mark > :mark"

    /// The meetings that do not repeat, followed by the series.
    func meetings(in db: Database) throws -> [FeedMeeting] {
        try singles(in: db) + series(in: db)
    }

    /// The series.
    func series(in db: Database) throws -> [FeedMeeting] {
        let changes = try changes(in: db)
        let dates = try dates(in: db)
        return try Row.read(
            db.cachedStatement(
                sql: """
                    SELECT \(own) AS own_answer, \(Self.changedAt) AS changed_at,
                        \(Self.nature) AS nature, m.*
                    FROM \(source) \(answer) WHERE \(condition) AND m.repetition IS NOT NULL
                    LIMIT :limit
                    """), arguments: arguments
        ) { try FeedMeeting(series: $0, changes: changes, dates: dates) }
    }

    private func singles(in db: Database) throws -> [FeedMeeting] {
        try Row.read(
            db.cachedStatement(
                sql: """
                    SELECT \(own), \(Self.changedAt), m.id, m.uid, m.organizer_id, m.title, m.note,
                        m.link, m.place_text, m.place_latitude, m.place_longitude, m.start_wall,
                        m.zone, m.duration, m.starts_at, m.ends_at, m.sequence, m.reminders,
                        \(Self.nature)
                    FROM \(source) \(answer) WHERE \(condition) AND m.repetition IS NULL
                        AND \(isOfPerson ? "a.present_answer <> 'declined'" : Self.isAsked)
                    LIMIT :limit
                    """), arguments: arguments, as: FeedMeeting.init(single:))
    }

    private var own: String {
        isOfPerson ? "a.present_answer" : "CASE WHEN \(Self.isAsked) THEN 'going' END"
    }

    private var answer: String {
        isOfPerson
            ? """
            LEFT JOIN answer a ON a.meeting_id = m.id AND a.occurrence = ''
                AND a.person_id = s.person_id AND a.is_removed = 0
            """ : ""
    }

    private static let changedAt = """
        coalesce((
            SELECT h.at FROM meeting_history h WHERE h.meeting_id = m.id
            ORDER BY h.number DESC LIMIT 1), m.created_at)
        """

    private static let nature = """
        coalesce((
            SELECT o.nature FROM calendar_object o
            WHERE o.meeting_id = m.id AND o.owner_id = m.organizer_id LIMIT 1), 0)
        """

    /// The exceptions of the series, grouped by meeting.
    private func changes(in db: Database) throws -> [String: [Row]] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT o.* FROM \(source) JOIN meeting_override o ON o.meeting_id = m.id
                    WHERE \(condition) AND m.repetition IS NOT NULL LIMIT :limit
                    """), arguments: arguments)
        return Dictionary(grouping: rows) { $0["meeting_id"] }
    }

    /// The answers to single occurrences of the series, grouped by meeting.
    private func dates(in db: Database) throws -> [String: [Row]] {
        guard isOfPerson else { return try datesOfCircle(in: db) }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT a.meeting_id, a.occurrence, a.present_answer AS answer, a.is_removed
                    FROM \(source) JOIN answer a ON a.meeting_id = m.id AND a.occurrence > ''
                        AND a.person_id = s.person_id
                    WHERE \(condition) AND m.repetition IS NOT NULL LIMIT :limit
                    """), arguments: arguments)
        return Dictionary(grouping: rows) { $0["meeting_id"] }
    }

    /// The single occurrences that matter for a circle: first those from which all members who are
    /// invited to the whole series were uninvited, then those to which the circle itself was
    /// invited.
    private func datesOfCircle(in db: Database) throws -> [String: [Row]] {
        let removed = """
            SELECT n.meeting_id, n.occurrence, 'going' AS answer, 1 AS is_removed
            FROM \(source) JOIN circle_member c ON c.circle_id = s.circle_id
                JOIN answer n ON n.meeting_id = m.id AND n.person_id = c.person_id
                    AND n.occurrence <> '' AND n.is_removed = 1
                JOIN answer g ON g.meeting_id = m.id AND g.person_id = c.person_id
                    AND g.occurrence = '' AND g.is_removed = 0
            WHERE \(condition) AND m.repetition IS NOT NULL
            GROUP BY n.meeting_id, n.occurrence
            HAVING count(*) >= (
                SELECT count(*) FROM circle_member w JOIN answer a ON a.person_id = w.person_id
                WHERE w.circle_id = :id AND a.meeting_id = n.meeting_id AND a.occurrence = ''
                    AND a.is_removed = 0)
            LIMIT :limit
            """
        let asked = """
            SELECT k.meeting_id, k.occurrence, 'going' AS answer, 0 AS is_removed
            FROM \(source) JOIN circle_asking k ON k.meeting_id = m.id
                AND k.circle_id = s.circle_id AND k.occurrence <> ''
            WHERE \(condition) AND m.repetition IS NOT NULL AND \(Self.isOfPeople)
            LIMIT :limit
            """
        let rows = try [removed, asked].flatMap { sql in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        }
        return Dictionary(grouping: rows) { $0["meeting_id"] }
    }

    func changed(in db: Database) throws -> Set<MeetingID> {
        guard let mark else { return [] }
        let ids = try String.fetchAll(
            db.cachedStatement(sql: Self.changed), arguments: ["mark": mark])
        return Set(ids.map { MeetingID(text: $0) })
    }
}

extension FeedMeeting {
    fileprivate init(series row: Row, changes: [String: [Row]], dates: [String: [Row]]) throws {
        var meeting = try Meeting(row: row)
        let zone = meeting.time.zone
        for row in changes[meeting.id.text] ?? [] {
            meeting.series?.changes[row["occurrence"]] = try DateChange(row: row, zone: zone)
        }
        self.init(
            meeting: meeting,
            answer: try (row["own_answer"] as String?).map { try StoredValue.decode($0) },
            dates: Dictionary(
                try (dates[meeting.id.text] ?? []).map { row in
                    let answer: Answer = try StoredValue.decode(row["answer"])
                    return (
                        row["occurrence"], DateAnswer(answer: answer, isRemoved: row["is_removed"])
                    )
                }, uniquingKeysWith: { $1 }), changedAt: Moment(milliseconds: row["changed_at"]),
            nature: EventNature(rawValue: row["nature"]))
    }

    /// Reads the columns by position: for thousands of rows, lookup by name costs more than
    /// everything else.
    fileprivate init(single row: Row) throws {
        let place = (row[8] as String?).map {
            MeetingPlace(text: $0, latitude: row[9], longitude: row[10])
        }
        let time = MeetingTime(
            start: try StoredValue.read(row[11]) { try WallTime.parse($0) }, zone: row[12],
            duration: try StoredValue.read(row[13]) { try TimeSpan.parse($0) },
            startsAt: Moment(milliseconds: row[14]), endsAt: Moment(milliseconds: row[15]))
        self.init(
            meeting: Meeting(
                id: MeetingID(text: row[2]), uid: row[3], organizer: PersonID(text: row[4]),
                title: row[5], note: row[6], link: row[7], place: place, time: time,
                sequence: row[16], reminders: try Spans.decode(row[17])),
            answer: try (row[0] as String?).map { try StoredValue.decode($0) }, dates: [:],
            changedAt: Moment(milliseconds: row[1]), nature: EventNature(rawValue: row[18]))
    }
}
