import Agenda
import Foundation
import GRDB
import Interchange
import Ledger
import Timekeeping

/// The queries for the busy times of several people.
struct BusyQuery {
    /// The longest range, in milliseconds, for which the meetings are found by their times: two
    /// days. In a longer range, the installation may have more meetings than the people.
    private static let shortRange: Int64 = 2 * 86_400_000

    private let time: Range<Moment>
    private let people: StatementArguments
    private let arguments: StatementArguments

    init(_ people: [PersonID], _ time: Range<Moment>) throws {
        self.time = time
        let ids = String(decoding: try JSONEncoder().encode(people.map(\.text)), as: UTF8.self)
        self.people = ["people": ids]
        arguments = [
            "people": ids, "after": time.lowerBound.milliseconds,
            "before": time.upperBound.milliseconds,
        ]
    }

    func calendars(in db: Database) throws -> [PersonID: [BusyCalendarRecord]] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT \(BusyCalendarRecord.columns), '' AS times
                    FROM busy_calendar WHERE person_id IN (SELECT value FROM json_each(:people))
                    """), arguments: people)
        return Dictionary(grouping: try rows.map(BusyCalendarRecord.init(row:)), by: \.person)
    }

    func spans(in db: Database) throws -> [PersonID: [KnownTimes.Span]] {
        let isShort = time.upperBound.milliseconds(since: time.lowerBound) <= Self.shortRange
        let rows = try Row.read(
            db.cachedStatement(sql: isShort ? Self.spansByTime : Self.spansByPerson),
            arguments: arguments
        ) { row in
            let span = KnownTimes.Span(
                meeting: MeetingID(text: row[1]),
                time: Moment(milliseconds: row[2])..<Moment(milliseconds: row[3]),
                isFirm: row[4])
            return (PersonID(text: row[0]), span)
        }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The series of those people who have one in the range: a feed's query for each.
    func series(in db: Database) throws -> [PersonID: [FeedMeeting]] {
        let people = try String.fetchAll(
            db.cachedStatement(sql: Self.peopleWithSeries), arguments: arguments
        ).map { PersonID(text: $0) }
        return try people.reduce(into: [:]) { series, person in
            series[person] = try FeedQuery(
                .person(person), time.lowerBound, time.upperBound, since: nil, busyTimes: true
            ).series(in: db)
        }
    }

    /// Meetings that last longer than a day have an index of their own, so that all others are
    /// found by their start.
    private static let spansByTime = """
        /* SQLite */ SELECT \(span)
        FROM meeting m CROSS JOIN participant s ON s.meeting_id = m.id \(answer)
        WHERE m.starts_at > :after - \(day) AND m.starts_at < :before
            AND m.ends_at - m.starts_at <= \(day)
            AND +s.person_id IN (SELECT value FROM json_each(:people)) AND \(condition)
        UNION ALL
        SELECT \(span) FROM meeting m INDEXED BY meeting_that_is_long
            CROSS JOIN participant s ON s.meeting_id = m.id \(answer)
        WHERE m.ends_at - m.starts_at > \(day) AND m.starts_at < :before
            AND +s.person_id IN (SELECT value FROM json_each(:people)) AND \(condition)
        """
    private static let spansByPerson = """
        /* SQLite */ SELECT \(span)
        FROM json_each(:people) n CROSS JOIN participant s ON s.person_id = n.value
            CROSS JOIN meeting m ON m.id = s.meeting_id \(answer)
        WHERE m.starts_at < :before AND \(condition)
        """
    private static let peopleWithSeries = """
        /* SQLite */ SELECT DISTINCT s.person_id
        FROM meeting m INDEXED BY meeting_that_repeats
            CROSS JOIN participant s ON s.meeting_id = m.id
        WHERE m.repetition IS NOT NULL AND m.status = 'confirmed' AND m.ends_at > :after
            AND m.starts_at < :before
            AND +s.person_id IN (SELECT value FROM json_each(:people))
        """

    private static let day = 86_400_000
    private static let span = """
        s.person_id, m.id, m.starts_at, m.ends_at,
            a.present_answer = 'going' AND NOT EXISTS (
                SELECT 1 FROM calendar_object o WHERE o.meeting_id = m.id
                    AND o.owner_id = m.organizer_id
                    AND o.nature & \(EventNature.tentative.rawValue) <> 0)
        """
    private static let answer = """
        JOIN answer a ON a.meeting_id = m.id AND a.occurrence = ''
            AND a.person_id = s.person_id AND a.is_removed = 0 AND a.present_answer <> 'declined'
        """
    private static let condition = """
        m.repetition IS NULL AND m.status = 'confirmed' AND m.ends_at > :after
            AND NOT \(FeedQuery.isFree)
        """
}
