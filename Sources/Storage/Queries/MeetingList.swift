public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Which meetings are asked for.
public struct MeetingFilter: Sendable {
    /// Only meetings that this person organizes.
    public var organizer: PersonID?
    /// Only meetings in which this person takes part without organizing them.
    public var invited: PersonID?
    /// Only meetings that have not ended by this moment; the earliest start first.
    public var endsAfter: Moment?
    /// Only meetings that have ended by this moment; the latest start first.
    public var endsBefore: Moment?
    /// Only meetings that start before this moment.
    public var startsBefore: Moment?
    /// Only these ids, by their beginning.
    public var idPrefix: String?
    /// Whether meetings that are off are left out.
    public var isOnlyConfirmed = false
    /// The most meetings to return.
    public var limit: Int

    /// A filter that lets through everything, up to `limit` meetings.
    public init(limit: Int) {
        self.limit = limit
    }
}

/// A meeting with the counts of its answers.
public struct MeetingSummary: Sendable {
    /// The meeting.
    public let meeting: Meeting
    /// How many people gave each answer; the organizer counts as going.
    public let answers: [Answer: Int]
    /// How many guests those who come bring beside themselves.
    public let plus: Int
}

extension Store {
    /// The meetings that pass the filter.
    public func meetings(_ filter: MeetingFilter) async throws -> [MeetingSummary] {
        try await read { db in
            let (condition, arguments) = filter.condition
            let order = filter.endsBefore == nil ? "starts_at, id" : "starts_at DESC, id"
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT * FROM meeting m WHERE \(condition) ORDER BY \(order) LIMIT :limit",
                arguments: arguments)
            return try rows.map { row in
                try MeetingSummary(meeting: try Meeting(row: row), in: db)
            }
        }
    }
}

extension MeetingFilter {
    fileprivate var condition: (sql: String, arguments: StatementArguments) {
        var parts = ["1"]
        var arguments: [String: (any DatabaseValueConvertible)?] = ["limit": limit]
        func require(_ sql: String, _ name: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            parts.append(sql)
            arguments[name] = value
        }
        require("m.organizer_id = :organizer", "organizer", organizer?.text)
        require(
            """
            m.organizer_id <> :invited AND EXISTS (SELECT 1 FROM participant p
                WHERE p.meeting_id = m.id AND p.person_id = :invited AND p.is_removed = 0)
            """, "invited", invited?.text)
        require("m.ends_at > :after", "after", endsAfter?.milliseconds)
        require("m.ends_at <= :before", "before", endsBefore?.milliseconds)
        require("m.starts_at < :until", "until", startsBefore?.milliseconds)
        require("m.id >= :prefix AND m.id < :prefix || '~'", "prefix", idPrefix)
        if isOnlyConfirmed { parts.append("m.status = 'confirmed'") }
        return (parts.joined(separator: " AND "), StatementArguments(arguments))
    }
}

extension MeetingSummary {
    fileprivate init(meeting: Meeting, in db: Database) throws {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT a.answer, count(*) AS people, sum(a.plus) AS plus FROM answer a
                    JOIN participant p
                        ON p.meeting_id = a.meeting_id AND p.person_id = a.person_id
                    WHERE a.meeting_id = :id AND a.occurrence = '' AND p.is_removed = 0
                    GROUP BY a.answer
                    """), arguments: ["id": meeting.id.text])
        var answers: [Answer: Int] = [:]
        var plus = 0
        for row in rows {
            let answer: Answer = try StoredValue.decode(row["answer"])
            answers[answer] = row["people"]
            if answer == .going { plus = row["plus"] }
        }
        self.init(meeting: meeting, answers: answers, plus: plus)
    }
}
