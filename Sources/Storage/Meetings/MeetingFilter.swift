public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The conditions for a list of meetings.
public struct MeetingFilter: Sendable {
    /// Only meetings that this person organizes.
    public var organizer: PersonID?
    /// Only meetings that this person organizes or takes part in.
    public var member: PersonID?
    /// Only meetings in which this person takes part without organizing them.
    public var invited: PersonID?
    /// Only meetings in which this person takes part and which they have not declined.
    public var comer: PersonID?
    /// People who are all invited, if only to single dates.
    public var guests: [PersonID] = []
    /// Only meetings to which this circle was invited, if only to single dates.
    public var circle: CircleID?
    /// Only meetings to which this person is invited and has not answered.
    public var silent: PersonID?
    /// Only meetings that this person may join without an invitation, organized by others.
    public var joiner: PersonID?
    /// Only open meetings whose organizer this person follows.
    public var follower: PersonID?
    /// Only meetings in which this person asked for a seat and has one, waits for one, or waits for
    /// the organizer's decision.
    public var joined: PersonID?
    /// Only meetings that end after this moment; earliest start first.
    public var endsAfter: Moment?
    /// Only meetings that have ended by this moment; latest start first.
    public var endsBefore: Moment?
    /// Only meetings that start before this moment.
    public var startsBefore: Moment?
    /// Only meetings whose id starts with this prefix.
    public var idPrefix: String?
    /// True to leave out cancelled meetings.
    public var isOnlyConfirmed = false
    /// True for cancelled meetings only.
    public var isOnlyCancelled = false
    /// The person whose own answers are read.
    public var reader: PersonID?
    /// The maximum number of meetings to return.
    public var limit: Int

    /// A filter that accepts every meeting, up to `limit` of them.
    public init(limit: Int) {
        self.limit = limit
    }
}

/// The details of a meeting that a list shows; they are read without the rest.
public struct MeetingSummary: Sendable {
    /// The id.
    public let id: MeetingID
    /// The title.
    public let title: String
    /// The time zone in which the meeting was planned.
    public let zone: String
    /// The start.
    public let startsAt: Moment
    /// The end.
    public let endsAt: Moment
    /// The status: confirmed or cancelled.
    public let status: MeetingStatus
    /// The name of its place, in one line.
    public let place: String?
    /// The counts of answers and guests.
    public let turnout: Turnout
    /// The name of the organizer, in lists of meetings that somebody may join; otherwise `nil`.
    public var organizer: String?
    /// The answer of the reader; `nil` if they are not invited.
    public var own: Answer?
    /// True if the reader has an answer of their own to this occurrence, or is invited to it alone.
    public var isOwnForDate = false
    /// The name of the occurrence, which is its original start; empty if the meeting does not
    /// repeat.
    public var occurrence = ""
    /// The recurrence rule; `nil` if the meeting does not repeat.
    public var rule: RecurrenceRule?

    /// Creates the summary of one occurrence of a recurring meeting.
    ///
    /// - Parameters:
    ///   - meeting: the meeting as it is on that date.
    ///   - date: the name of the occurrence.
    ///   - rule: the recurrence rule of the meeting.
    ///   - turnout: the counts of answers and guests.
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

    /// Creates the summary of a meeting that does not repeat.
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

    /// The non-recurring meetings that match the filter.
    public func meetings(_ filter: MeetingFilter) async throws -> [MeetingSummary] {
        let (condition, arguments) = filter.condition
        let order = filter.endsBefore == nil ? "m.starts_at, m.id" : "m.starts_at DESC, m.id"
        let sql = """
            SELECT m.id, m.title, m.zone, m.starts_at, m.ends_at, m.status, m.place_text,
                \(Turnout.columns),
                (SELECT a.present_answer FROM answer a
                    WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.person_id = :reader
                    AND a.is_removed = 0), \(filter.organizerColumn)
            FROM meeting m WHERE \(condition) ORDER BY \(order) LIMIT :limit
            """
        return try await read { db in
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
            var meetings: [MeetingSummary] = []
            // Reserved memory costs nothing until it is written; growing by copying is expensive.
            meetings.reserveCapacity(min(filter.limit, Self.reservedMeetingsMax))
            while let row = try rows.next() { meetings.append(try MeetingSummary(row: row)) }
            return meetings
        }
    }
}

extension Turnout {
    /// The SQL of three columns for a meeting `m`: the packed counts of the answers, the number of
    /// extra guests, and the number of answers for an old time. Each answer is read once, which
    /// matters in lists of thousands.
    static let columns: String = {
        let cases = Answer.allCases.map {
            "WHEN '\($0.rawValue)' THEN \(AnswerCounts.share(of: $0))"
        }
        return """
            (SELECT CAST(sum(CASE a.answer \(cases.joined(separator: " ")) END) AS bigint)
                FROM answer a
                WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.is_removed = 0
                AND a.is_outdated = 0),
            (SELECT CAST(sum(a.plus) AS bigint) FROM answer a
                WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.plus > 0
                AND a.present_answer = 'going' AND a.is_removed = 0),
            CASE WHEN EXISTS (
                SELECT 1 FROM answer o WHERE o.is_outdated = 1 AND o.meeting_id >= '') THEN
                (SELECT count(*) FROM answer a
                    WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.is_outdated = 1
                    AND a.is_removed = 0)
            ELSE 0 END
            """
    }()

    /// Reads the three columns; the first is at `column`.
    init(row: Row, at column: Int) {
        self.init(
            answers: AnswerCounts(packed: row[column] ?? 0), plus: row[column + 1] ?? 0,
            outdated: row[column + 2])
    }
}

extension MeetingSummary {
    /// Reads the columns by position: in a list of thousands, lookup by name costs more than
    /// everything else.
    fileprivate init(row: Row) throws {
        self.init(
            id: MeetingID(text: row[0]), title: row[1], zone: row[2],
            startsAt: Moment(milliseconds: row[3]), endsAt: Moment(milliseconds: row[4]),
            status: try StoredValue.decode(row[5]), place: row[6],
            turnout: Turnout(row: row, at: 7))
        own = try (row[10] as String?).map(StoredValue.decode)
        organizer = row[11]
    }
}

extension MeetingFilter {
    /// One day more than the longest meeting, because a clock change can make a meeting longer.
    private static let durationMillisecondsMax =
        Int64(MeetingRules.durationDaysMax + 1) * 86_400_000

    /// The condition that a circle was invited to a meeting `m`.
    static let conditionOfCircle = """
        EXISTS (
            SELECT 1 FROM meeting_circle c
            WHERE c.meeting_id = m.id AND c.circle_id = :circle)
        """

    fileprivate var condition: (sql: String, arguments: StatementArguments) {
        var parts = ["m.repetition IS NULL"]
        var arguments: [String: (any DatabaseValueConvertible)?] = [
            "limit": limit, "reader": reader?.text,
        ]
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
                    AND a.person_id = :comer AND a.is_removed = 0
                    AND a.present_answer <> 'declined')
            """, "comer", comer?.text)
        for (place, guest) in guests.enumerated() {
            // Names of arguments have no digits.
            let name = "guest_" + String(repeating: "i", count: place + 1)
            require(
                """
                EXISTS (
                    SELECT 1 FROM answer a WHERE a.meeting_id = m.id
                        AND a.person_id = :\(name) AND a.is_removed = 0)
                """, name, guest.text)
        }
        require(
            """
            EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.occurrence = ''
                    AND a.person_id = :silent AND a.is_removed = 0
                    AND a.present_answer = 'invited')
            """, "silent", silent?.text)
        require(Self.conditionOfCircle, "circle", circle?.text)
        require(Self.conditionOfJoiner, "joiner", joiner?.text)
        require(Self.conditionOfFollower, "follower", follower?.text)
        require(Self.conditionOfJoined, "joined", joined?.text)
        require("m.ends_at > :after", "after", endsAfter?.milliseconds)
        // A meeting that ends after a moment started at most its maximum duration earlier, so the
        // index by start can be used.
        require(
            "m.starts_at > :long_before", "long_before",
            endsAfter?.advanced(byMilliseconds: -Self.durationMillisecondsMax).milliseconds)
        require("m.ends_at <= :before", "before", endsBefore?.milliseconds)
        require("m.starts_at < :until", "until", startsBefore?.milliseconds)
        require("m.id >= :prefix AND m.id < :prefix || '~'", "prefix", idPrefix)
        if isOnlyConfirmed { parts.append("m.status = 'confirmed'") }
        if isOnlyCancelled { parts.append("m.status = 'cancelled'") }
        return (parts.joined(separator: " AND "), StatementArguments(arguments))
    }
}
