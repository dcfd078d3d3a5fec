public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A coming open meeting of a person, as another person sees it.
public struct ProfileMeeting: Sendable {
    /// The meeting.
    public let meeting: ListedMeeting
    /// The place in words; `nil` if it was not decided.
    public let place: String?
    /// The number of seats; `nil` for no limit.
    public let seats: Int?
    /// The number of seats that are taken, with the organizer's own.
    public let taken: Int
}

extension Store {
    /// The open meetings of a person that a reader may see, the earliest first. Meetings for those
    /// who have a link are among them only if the reader takes part. A series counts as a whole.
    ///
    /// - Parameters:
    ///   - organizer: the person.
    ///   - reader: the reader.
    ///   - seesAll: true for a reader who may see all meetings.
    ///   - now: the current time.
    ///   - limit: the most meetings.
    /// - Returns: the meetings; none if one of both blocks the other.
    /// - Throws: ``StoreError``.
    public func openMeetings(
        of organizer: PersonID, seenBy reader: PersonID, seesAll: Bool, now: Moment, limit: Int
    ) async throws -> [ProfileMeeting] {
        try await read { db in
            try Row.read(
                db.cachedStatement(sql: Self.openMeetingsSQL),
                arguments: [
                    "organizer": organizer.text, "reader": reader.text,
                    "all": seesAll || organizer == reader ? 1 : 0, "now": now.milliseconds,
                    "limit": limit,
                ]
            ) { row in
                ProfileMeeting(
                    meeting: try ListedMeeting(row: row), place: row["place_text"],
                    seats: row["seats"], taken: row["taken"])
            }
        }
    }

    private static let openMeetingsSQL = """
        SELECT \(ListedMeeting.columns), m.place_text, m.seats,
            (SELECT coalesce(sum(1 + g.plus), 0) FROM answer g
                WHERE g.meeting_id = m.id AND g.occurrence = '' AND g.is_removed = 0
                    AND g.present_answer = 'going') AS taken
        FROM meeting m
        WHERE m.organizer_id = :organizer AND m.audience IS NOT NULL AND m.ends_at > :now
            AND m.status = 'confirmed' AND \(seesAccount("m.organizer_id"))
            AND (:all = 1 OR m.audience = 'public'
                OR m.audience = 'followers' AND EXISTS (
                    SELECT 1 FROM follow f
                    WHERE f.follower_id = :reader AND f.followed_id = m.organizer_id
                        AND f.is_accepted = 1)
                OR m.audience = 'circle' AND EXISTS (
                    SELECT 1 FROM circle_member c JOIN circle k ON k.id = c.circle_id
                    WHERE c.circle_id = m.audience_circle_id AND c.person_id = :reader
                        AND k.owner_id = m.organizer_id)
                OR EXISTS (
                    SELECT 1 FROM answer t
                    WHERE t.meeting_id = m.id AND t.person_id = :reader AND t.is_removed = 0))
        ORDER BY m.starts_at, m.id LIMIT :limit
        """
}
