public import Agenda
import GRDB
import Ledger
public import Timekeeping

/// A meeting as a feed shows it.
public struct FeedMeeting: Equatable, Sendable {
    /// What its reader said to one date of a series.
    public struct DateAnswer: Equatable, Sendable {
        /// What they said.
        public let answer: Answer
        /// Whether they were taken off it.
        public let isRemoved: Bool
    }

    /// The meeting.
    public let meeting: Meeting
    /// What its reader said to all of it; `nil` where they are not asked to all of it, or many read
    /// it.
    public let answer: Answer?
    /// What they said to single dates, by the names of these.
    public let dates: [String: DateAnswer]
    /// When it was last changed.
    public let changedAt: Moment
}

extension Store {
    /// The most meetings that a feed shows.
    public static let feedMeetingsMax = 50_000

    /// The meetings that a feed may show, in the order of their first starts: those that are off,
    /// and those to which its reader said no, are left out.
    ///
    /// - Parameters:
    ///   - subject: whose meetings.
    ///   - after: they end after this; of a series, its last date.
    ///   - before: they start before this; of a series, its first date.
    /// - Returns: the meetings, at most ``feedMeetingsMax``.
    /// - Throws: ``StoreError``.
    public func feedMeetings(
        of subject: Feed.Subject, endingAfter after: Moment, startingBefore before: Moment
    ) async throws -> [FeedMeeting] {
        try await read { db in
            let query = FeedQuery(subject, after, before)
            let changes = try query.changes(in: db)
            let dates = try query.dates(in: db)
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: query.meetings), arguments: query.arguments)
            var meetings: [FeedMeeting] = []
            while let row = try rows.next() {
                meetings.append(try FeedMeeting(row: row, changes: changes, dates: dates))
            }
            return meetings
        }
    }
}

/// Asks for all that a feed may show.
private struct FeedQuery {
    let arguments: StatementArguments
    private let isOfPerson: Bool

    init(_ subject: Feed.Subject, _ after: Moment, _ before: Moment) {
        let id: String
        switch subject {
        case .person(let person): (id, isOfPerson) = (person.text, true)
        case .circle(let circle): (id, isOfPerson) = (circle.text, false)
        }
        arguments = [
            "id": id, "after": after.milliseconds, "before": before.milliseconds,
            "limit": Store.feedMeetingsMax,
        ]
    }

    /// From whom the way to the meetings leads.
    private var source: String { isOfPerson ? "participant s" : "meeting_circle s" }

    private var condition: String {
        """
        s.\(isOfPerson ? "person_id" : "circle_id") = :id AND m.status = 'confirmed'
            AND m.ends_at > :after AND m.starts_at < :before
        """
    }

    var meetings: String {
        let own = """
            LEFT JOIN answer a ON a.meeting_id = m.id AND a.occurrence = ''
                AND a.person_id = s.person_id AND a.is_removed = 0
            """
        return """
            SELECT m.*, \(isOfPerson ? "a.answer" : "NULL") AS own_answer, coalesce((
                    SELECT h.at FROM meeting_history h WHERE h.meeting_id = m.id
                    ORDER BY h.number DESC LIMIT 1), m.created_at) AS changed_at
            FROM \(source) JOIN meeting m ON m.id = s.meeting_id \(isOfPerson ? own : "")
            WHERE \(condition)
                \(isOfPerson ? "AND (m.repetition IS NOT NULL OR a.answer <> 'declined')" : "")
            ORDER BY m.starts_at, m.id LIMIT :limit
            """
    }

    /// What is otherwise on dates of series, by their meetings.
    func changes(in db: Database) throws -> [String: [Row]] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT o.* FROM \(source) JOIN meeting m ON m.id = s.meeting_id
                        JOIN meeting_override o ON o.meeting_id = m.id
                    WHERE \(condition) AND m.repetition IS NOT NULL LIMIT :limit
                    """), arguments: arguments)
        return Dictionary(grouping: rows) { $0["meeting_id"] }
    }

    /// What a person said to dates of series, by their meetings.
    func dates(in db: Database) throws -> [String: [Row]] {
        guard isOfPerson else { return [:] }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT a.meeting_id, a.occurrence, a.answer, a.is_removed
                    FROM \(source) JOIN meeting m ON m.id = s.meeting_id
                        JOIN answer a ON a.meeting_id = m.id AND a.occurrence > ''
                            AND a.person_id = s.person_id
                    WHERE \(condition) AND m.repetition IS NOT NULL LIMIT :limit
                    """), arguments: arguments)
        return Dictionary(grouping: rows) { $0["meeting_id"] }
    }
}

extension FeedMeeting {
    fileprivate init(row: Row, changes: [String: [Row]], dates: [String: [Row]]) throws {
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
                }, uniquingKeysWith: { $1 }), changedAt: Moment(milliseconds: row["changed_at"]))
    }
}
