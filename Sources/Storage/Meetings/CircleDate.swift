public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A coming meeting to which a circle is invited, or one of its dates.
public struct CircleDate: Sendable {
    /// The circle.
    public let circle: CircleID
    /// The meeting. A series has its exceptions.
    public let meeting: Meeting
    /// The name of the date to which the circle is invited; empty for the whole meeting.
    public let date: String
}

extension Store {
    /// The most series and single dates for which next meetings of circles are looked for.
    private static let circleDatesMax = 2_000

    /// The meetings among which the next one of each circle is, for a page of an owner's circles:
    /// the next meeting that does not repeat, and all series and single dates of series that have
    /// not ended. Cancelled meetings are left out.
    ///
    /// - Parameters:
    ///   - owner: the owner of the circles.
    ///   - offset: the number of circles before the page.
    ///   - limit: the number of circles on the page.
    ///   - now: the meetings start after this moment.
    /// - Returns: the meetings, in no particular order.
    /// - Throws: ``StoreError``.
    public func comingDates(
        ofCirclesOf owner: PersonID, from offset: Int, limit: Int, after now: Moment
    ) async throws -> [CircleDate] {
        let page: StatementArguments = [
            "owner": owner.text, "offset": offset, "limit": limit, "now": now.milliseconds,
            "most": Self.circleDatesMax,
        ]
        return try await read { db in
            let changes = try CircleDate.changes(page, in: db)
            return try Row.read(
                db.cachedStatement(sql: CircleDate.query("m.*, k.circle_id, k.occurrence")),
                arguments: page
            ) { row in
                var meeting = try Meeting(row: row)
                meeting.series?.changes = try changes[meeting.id.text, default: []].reduce(
                    into: [:]
                ) { $0[$1.name] = try DateChange(row: $1.row, zone: meeting.time.zone) }
                return CircleDate(
                    circle: CircleID(text: row["circle_id"]), meeting: meeting,
                    date: row["occurrence"])
            }
        }
    }
}

extension CircleDate {
    /// The circles of the page.
    private static let circles = """
        SELECT id FROM circle WHERE owner_id = :owner
        ORDER BY folded LIMIT :limit OFFSET :offset
        """

    /// The query for columns of the meetings `m` to which circles are invited by `k`.
    fileprivate static func query(_ columns: String) -> String {
        """
        SELECT \(columns)
        FROM circle_asking k JOIN meeting m ON m.id = k.meeting_id
        LEFT JOIN (
            SELECT o.circle_id, min(n.starts_at) AS first_at
            FROM circle_asking o JOIN meeting n ON n.id = o.meeting_id
            WHERE o.circle_id IN (\(circles)) AND n.status = 'confirmed'
                AND n.repetition IS NULL AND n.starts_at > :now
            GROUP BY o.circle_id) AS nearest ON nearest.circle_id = k.circle_id
        WHERE k.circle_id IN (\(circles)) AND m.status = 'confirmed' AND m.ends_at > :now
            AND (m.repetition IS NOT NULL OR m.starts_at = nearest.first_at)
        ORDER BY m.id, k.circle_id, k.occurrence LIMIT :most
        """
    }

    /// The exceptions of the series among these meetings, by the ids of the meetings.
    fileprivate static func changes(
        _ page: StatementArguments, in db: Database
    ) throws -> [String: [(name: String, row: Row)]] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT v.* FROM meeting_override v
                    WHERE v.meeting_id IN (\(query("m.id")))
                    """), arguments: page)
        return Dictionary(grouping: rows) { $0["meeting_id"] as String }
            .mapValues { $0.map { (name: $0["occurrence"], row: $0) } }
    }
}
