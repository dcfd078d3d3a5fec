public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Which meetings are asked for.
public struct MeetingFilter: Sendable {
    /// Only meetings that this person organizes.
    public var organizer: PersonID?
    /// Only meetings that this person organizes or takes part in.
    public var member: PersonID?
    /// Only meetings in which this person takes part without organizing them.
    public var invited: PersonID?
    /// Only meetings in which this person takes part, and to which they have not said no.
    public var comer: PersonID?
    /// Only meetings to which this person is invited, and which they have not answered.
    public var silent: PersonID?
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

/// What a list says of a meeting: it is read without the rest.
public struct MeetingSummary: Sendable {
    /// The id.
    public let id: MeetingID
    /// The title.
    public let title: String
    /// The id of the zone in which it was planned.
    public let zone: String
    /// When it starts.
    public let startsAt: Moment
    /// When it ends.
    public let endsAt: Moment
    /// Whether it is on.
    public let status: MeetingStatus
    /// The line of its place.
    public let place: String?
    /// How many come.
    public let turnout: Turnout
    /// The date of a series that it is, by its original start; empty of what does not repeat.
    public var occurrence = ""
    /// How it repeats; `nil` of what does not.
    public var rule: RecurrenceRule?

    /// Says it of one date of a series.
    ///
    /// - Parameters:
    ///   - meeting: the meeting as it is on that date.
    ///   - date: the name of the date.
    ///   - rule: how the whole repeats.
    ///   - turnout: how many come.
    public init(_ meeting: Meeting, on date: String, of rule: RecurrenceRule, turnout: Turnout) {
        id = meeting.id
        title = meeting.title
        zone = meeting.time.zone
        startsAt = meeting.time.startsAt
        endsAt = meeting.time.endsAt
        status = meeting.status
        place = meeting.place?.text
        self.turnout = turnout
        occurrence = date
        self.rule = rule
    }

    /// Says it of what does not repeat.
    public init(
        id: MeetingID, title: String, zone: String, startsAt: Moment, endsAt: Moment,
        status: MeetingStatus, place: String?, turnout: Turnout
    ) {
        self.id = id
        self.title = title
        self.zone = zone
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.status = status
        self.place = place
        self.turnout = turnout
    }
}

extension Store {
    private static let reservedMeetingsMax = 16_384

    /// The meetings that pass the filter, of those that do not repeat.
    public func meetings(_ filter: MeetingFilter) async throws -> [MeetingSummary] {
        let (condition, arguments) = filter.condition
        let order = filter.endsBefore == nil ? "m.starts_at, m.id" : "m.starts_at DESC, m.id"
        let sql = """
            SELECT m.id, m.title, m.zone, m.starts_at, m.ends_at, m.status, m.place_text,
                \(Turnout.columns)
            FROM meeting m WHERE \(condition) ORDER BY \(order) LIMIT :limit
            """
        return try await read { db in
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
            var meetings: [MeetingSummary] = []
            // Memory that is never written costs nothing, and to grow by copying costs much.
            meetings.reserveCapacity(min(filter.limit, Self.reservedMeetingsMax))
            while let row = try rows.next() { meetings.append(try MeetingSummary(row: row)) }
            return meetings
        }
    }
}

extension Turnout {
    /// Two columns, the counts of the answers and the guests whom people bring, of a meeting `m`:
    /// one look at each answer is enough in a list of thousands.
    static let columns: String = {
        let cases = Answer.allCases.map {
            "WHEN '\($0.rawValue)' THEN \(AnswerCounts.share(of: $0))"
        }
        return """
            (SELECT CAST(sum(CASE a.answer \(cases.joined(separator: " ")) END) AS bigint)
                FROM answer a
                WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.is_removed = 0),
            (SELECT CAST(sum(a.plus) AS bigint) FROM answer a
                WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.plus > 0
                AND a.answer = 'going' AND a.is_removed = 0)
            """
    }()

    /// Reads the two columns, of which this is the first.
    init(row: Row, at column: Int) {
        self.init(
            answers: AnswerCounts(packed: row[column] ?? 0), plus: row[column + 1] ?? 0)
    }
}

extension MeetingSummary {
    /// By the columns' places: in a list of thousands their names cost more than all the rest.
    fileprivate init(row: Row) throws {
        self.init(
            id: MeetingID(text: row[0]), title: row[1], zone: row[2],
            startsAt: Moment(milliseconds: row[3]), endsAt: Moment(milliseconds: row[4]),
            status: try StoredValue.decode(row[5]), place: row[6],
            turnout: Turnout(row: row, at: 7))
    }
}

extension MeetingFilter {
    /// A day longer than the longest meeting: clocks are set back in some.
    private static let durationMillisecondsMax =
        Int64(MeetingRules.durationDaysMax + 1) * 86_400_000

    fileprivate var condition: (sql: String, arguments: StatementArguments) {
        var parts = ["m.repetition IS NULL"]
        var arguments: [String: (any DatabaseValueConvertible)?] = ["limit": limit]
        func require(_ sql: String, _ name: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            parts.append(sql)
            arguments[name] = value
        }
        require("m.organizer_id = :organizer", "organizer", organizer?.text)
        require(
            """
            (m.organizer_id = :member OR EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.occurrence = ''
                    AND a.person_id = :member AND a.is_removed = 0))
            """, "member", member?.text)
        require(
            """
            m.organizer_id <> :invited AND EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.occurrence = ''
                    AND a.person_id = :invited AND a.is_removed = 0)
            """, "invited", invited?.text)
        require(
            """
            EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.occurrence = ''
                    AND a.person_id = :comer AND a.is_removed = 0 AND a.answer <> 'declined')
            """, "comer", comer?.text)
        require(
            """
            EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.occurrence = ''
                    AND a.person_id = :silent AND a.is_removed = 0 AND a.answer = 'invited')
            """, "silent", silent?.text)
        require("m.ends_at > :after", "after", endsAfter?.milliseconds)
        // What ends after a moment cannot have started long before: so the index by start serves.
        require(
            "m.starts_at > :long_before", "long_before",
            endsAfter?.advanced(byMilliseconds: -Self.durationMillisecondsMax).milliseconds)
        require("m.ends_at <= :before", "before", endsBefore?.milliseconds)
        require("m.starts_at < :until", "until", startsBefore?.milliseconds)
        require("m.id >= :prefix AND m.id < :prefix || '~'", "prefix", idPrefix)
        if isOnlyConfirmed { parts.append("m.status = 'confirmed'") }
        return (parts.joined(separator: " AND "), StatementArguments(arguments))
    }
}
