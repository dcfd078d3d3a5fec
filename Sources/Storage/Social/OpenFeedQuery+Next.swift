import Agenda
import GRDB
import Ledger
import Timekeeping

/// Feeds that begin with the next start.
extension OpenFeedQuery {
    /// The meetings that start next after the cursor, and the series that go on: SQL cannot tell
    /// their next dates.
    static func next(_ filter: OpenFeedFilter) -> OpenFeedQuery {
        let start = max(filter.cursor?.at ?? filter.now, filter.now)
        return OpenFeedQuery(
            sql: listing(filter.isWorld ? nextOfAll : nextOfFollowed),
            arguments: [
                "reader": filter.reader.text, "limit": filter.limit,
                "at": start.milliseconds, "after": filter.cursor?.meeting ?? "",
                "most": Store.feedCandidatesMax,
            ])
    }

    /// The condition that a meeting `m` that does not repeat comes after the cursor.
    private static let isLater =
        "m.repetition IS NULL AND (m.starts_at, m.id) > (:at, :after)"

    private static let nextOfAll = """
        SELECT few.meeting_id, few.is_end FROM (
            SELECT m.id AS meeting_id, 0 AS is_end FROM meeting m
            WHERE m.audience = 'public' AND m.audience IS NOT NULL AND \(isLater)
                AND m.status = 'confirmed' AND \(OpenListing.isNotBlocked)
            ORDER BY m.starts_at, m.id LIMIT :limit) AS few
        UNION ALL
        SELECT few.meeting_id, few.is_end FROM (
            SELECT m.id AS meeting_id, 0 AS is_end FROM meeting m
            WHERE m.audience = 'public' AND m.audience IS NOT NULL
                AND m.repetition IS NOT NULL AND m.ends_at > :at
                AND m.status = 'confirmed' AND \(OpenListing.isNotBlocked)
            ORDER BY m.ends_at LIMIT :most) AS few
        """

    /// The followed accounts whose next meetings start first, as many as meetings are wanted.
    private static let leaders = """
        SELECT few.organizer_id, few.at FROM (
            SELECT f.followed_id AS organizer_id, (
                SELECT m.starts_at FROM meeting m
                WHERE m.organizer_id = f.followed_id AND \(isLater)
                    AND \(OpenListing.isForFollower)
                ORDER BY m.starts_at LIMIT 1) AS at
            FROM follow f WHERE f.follower_id = :reader AND f.is_accepted = 1) AS few
        WHERE few.at IS NOT NULL ORDER BY few.at LIMIT :limit
        """

    private static let nextOfFollowed = """
        SELECT few.meeting_id, few.is_end FROM (
            SELECT m.id AS meeting_id, 0 AS is_end
            FROM (\(leaders)) AS few
            JOIN meeting m ON m.organizer_id = few.organizer_id
            WHERE \(isLater) AND \(OpenListing.isForFollower)
                AND \(OpenListing.isNotBlocked)
                AND (
                    m.starts_at <= (SELECT max(few.at) FROM (\(leaders)) AS few)
                    OR (SELECT count(*) FROM (\(leaders)) AS few) < CAST(:limit AS bigint))
            ORDER BY m.starts_at, m.id LIMIT :limit) AS few
        UNION ALL
        SELECT few.meeting_id, few.is_end FROM (
            SELECT m.id AS meeting_id, 0 AS is_end
            FROM follow f JOIN meeting m ON m.organizer_id = f.followed_id
            WHERE f.follower_id = :reader AND f.is_accepted = 1
                AND m.repetition IS NOT NULL AND m.ends_at > :at
                AND \(OpenListing.isForFollower) AND \(OpenListing.isNotBlocked)
            ORDER BY m.ends_at LIMIT :most) AS few
        """
}
