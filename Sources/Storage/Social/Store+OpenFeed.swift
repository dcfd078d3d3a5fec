public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Feeds of open meetings.
extension Store {
    /// The most series and single meetings that a feed by start looks at.
    static let feedCandidatesMax = 500

    /// A page of a feed.
    ///
    /// - Parameter filter: the part that is wanted.
    /// - Returns: the meetings with their latest news. By start, they are candidates that are not
    ///   sorted: the caller finds the next date of each series.
    /// - Throws: ``StoreError``.
    public func openFeed(_ filter: OpenFeedFilter) async throws -> [OpenListing] {
        let query =
            filter.isSoonestFirst ? OpenFeedQuery.next(filter) : OpenFeedQuery.latest(filter)
        return try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: query.sql), arguments: query.arguments)
            let series = rows.filter { $0["repetition"] != nil }.map { $0["id"] as String }
            let changes = try DateChange.rows(of: series, in: db)
            return try rows.map { row in
                let own = try changes[row["id"], default: []].reduce(
                    into: [String: DateChange]()
                ) { $0[$1["occurrence"]] = try DateChange(row: $1, zone: row["zone"]) }
                return try OpenListing(row: row, changes: own)
            }
        }
    }

    /// Notes that a person has seen their feed.
    ///
    /// - Parameters:
    ///   - person: the person, who has an account.
    ///   - moment: the time up to which they have seen it.
    /// - Throws: ``StoreError``.
    public func markFeedSeen(by person: PersonID, until moment: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE account SET feed_seen_at = :at
                    WHERE person_id = :person AND coalesce(feed_seen_at, 0) < :at
                    """
            ).execute(arguments: ["person": person.text, "at": moment.milliseconds])
        }
    }

    /// The time up to which a person has seen their feed; `nil` if they never opened it.
    public func feedSeen(by person: PersonID) async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: "SELECT feed_seen_at FROM account WHERE person_id = :person"),
                arguments: ["person": person.text]
            ).map(Moment.init(milliseconds:))
        }
    }
}

extension DateChange {
    /// The rows of the exceptions of some series, by the id of the series.
    static func rows(of series: [String], in db: Database) throws -> [String: [Row]] {
        guard !series.isEmpty else { return [:] }
        let marks = databaseQuestionMarks(count: series.count)
        let rows = try Row.fetchAll(
            db, sql: "SELECT v.* FROM meeting_override v WHERE v.meeting_id IN (\(marks))",
            arguments: StatementArguments(series))
        return Dictionary(grouping: rows) { $0["meeting_id"] as String }
    }
}

/// The statements of feeds.
struct OpenFeedQuery {
    let sql: String
    let arguments: StatementArguments

    /// Joins the rest of the columns to few rows with a meeting and one of its news.
    static func listing(_ few: String) -> String {
        """
        SELECT \(OpenListing.columns)
        FROM (\(few)) AS few
        JOIN open_news n ON n.meeting_id = few.meeting_id AND n.is_end = few.is_end
        JOIN meeting m ON m.id = few.meeting_id
        JOIN person o ON o.id = m.organizer_id
        LEFT JOIN account k ON k.person_id = m.organizer_id
        """
    }

    /// The condition that news `n` of a meeting `m` comes after the cursor, and is its latest.
    private static let isNext = """
        (n.at, n.meeting_id) < (:at, :after) AND (n.is_end = 1 OR m.ends_at > :now)
        """

    private static func cursor(_ filter: OpenFeedFilter) -> StatementArguments {
        let start = OpenFeedCursor(at: filter.now.advanced(byMilliseconds: 1), meeting: "")
        let cursor = filter.cursor ?? start
        return [
            "reader": filter.reader.text, "now": filter.now.milliseconds, "limit": filter.limit,
            "at": cursor.at.milliseconds, "after": cursor.meeting,
        ]
    }

    static func latest(_ filter: OpenFeedFilter) -> OpenFeedQuery {
        OpenFeedQuery(
            sql: listing(filter.isWorld ? world : following)
                + " ORDER BY few.at DESC, few.meeting_id DESC",
            arguments: cursor(filter))
    }

    private static let world = """
        SELECT n.meeting_id, n.is_end, n.at
        FROM open_news n JOIN meeting m ON m.id = n.meeting_id
        WHERE n.is_public = 1 AND \(isNext) AND m.status = 'confirmed'
            AND m.audience = 'public' AND \(OpenListing.isNotBlocked)
        ORDER BY n.at DESC, n.meeting_id DESC LIMIT :limit
        """

    /// The accounts with the latest news, as many as meetings are wanted. All meetings that are
    /// wanted are theirs: each of these accounts has one that is at least as new as the oldest of
    /// these times.
    private static let leaders = """
        SELECT few.organizer_id, few.at FROM (
            SELECT f.followed_id AS organizer_id, (
                SELECT n.at FROM open_news n JOIN meeting m ON m.id = n.meeting_id
                WHERE n.organizer_id = f.followed_id AND \(isNext)
                    AND \(OpenListing.isForFollower)
                ORDER BY n.at DESC LIMIT 1) AS at
            FROM follow f WHERE f.follower_id = :reader AND f.is_accepted = 1) AS few
        WHERE few.at IS NOT NULL ORDER BY few.at DESC LIMIT :limit
        """

    private static let following = """
        SELECT n.meeting_id, n.is_end, n.at
        FROM (\(leaders)) AS few
        JOIN open_news n ON n.organizer_id = few.organizer_id
        JOIN meeting m ON m.id = n.meeting_id
        WHERE \(isNext) AND \(OpenListing.isForFollower) AND \(OpenListing.isNotBlocked)
            AND n.at >= (
                SELECT CASE WHEN count(*) < CAST(:limit AS bigint) THEN 0 ELSE min(few.at) END
                FROM (\(leaders)) AS few)
        ORDER BY n.at DESC, n.meeting_id DESC LIMIT :limit
        """
}
