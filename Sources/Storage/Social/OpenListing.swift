public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// An open meeting as feeds show it to one reader.
public struct OpenListing: Sendable {
    /// The meeting. A series has its exceptions.
    public let meeting: Meeting
    /// The name of its organizer.
    public let organizerName: String
    /// The last news.
    public let news: OpenNews
    /// The seats that are taken, with the organizer's own. Of a series, in all its dates.
    public let taken: Int
    /// The reader's answer to the whole meeting; `nil` if they are not in it.
    public let own: Answer?
    /// True if the reader asked to join, and the organizer has not decided.
    public let isRequested: Bool
}

/// The place in a feed after which it goes on.
public struct OpenFeedCursor: Hashable, Sendable {
    /// The time of the news, or the start, of the last meeting that was shown.
    public let at: Moment
    /// The last meeting that was shown.
    public let meeting: String

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - at: the time of the news, or the start, of the last meeting that was shown.
    ///   - meeting: its id.
    public init(at: Moment, meeting: String) {
        self.at = at
        self.meeting = meeting
    }
}

/// The part of a feed that is wanted.
public struct OpenFeedFilter: Sendable {
    /// The reader.
    public let reader: PersonID
    /// True for the meetings that are open to all accounts; false for those of the accounts that
    /// the reader follows.
    public let isWorld: Bool
    /// True to begin with the next start; false to begin with the latest news.
    public let isSoonestFirst: Bool
    /// The place after which the feed goes on; `nil` for its beginning.
    public let cursor: OpenFeedCursor?
    /// The current time.
    public let now: Moment
    /// The most meetings.
    public let limit: Int

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - reader: the reader.
    ///   - isWorld: true for the meetings that are open to all accounts.
    ///   - isSoonestFirst: true to begin with the next start.
    ///   - cursor: the place after which the feed goes on; `nil` for its beginning.
    ///   - now: the current time.
    ///   - limit: the most meetings.
    public init(
        reader: PersonID, isWorld: Bool, isSoonestFirst: Bool = false,
        after cursor: OpenFeedCursor?,
        now: Moment, limit: Int
    ) {
        self.reader = reader
        self.isWorld = isWorld
        self.isSoonestFirst = isSoonestFirst
        self.cursor = cursor
        self.now = now
        self.limit = limit
    }
}

extension OpenListing {
    /// The columns of a meeting `m` with news `n` for the reader `:reader`.
    static let columns = """
        m.*, n.kind AS news_kind, n.at AS news_at,
        coalesce(k.name, o.name) AS organizer_name,
        (SELECT CAST(coalesce(sum(1 + a.plus), 0) AS bigint) FROM answer a
            WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.is_removed = 0
                AND a.answer = 'going') AS taken,
        (SELECT a.present_answer FROM answer a
            WHERE a.meeting_id = m.id AND a.occurrence = '' AND a.person_id = :reader
                AND a.is_removed = 0) AS own,
        EXISTS (
            SELECT 1 FROM seat_request q
            WHERE q.meeting_id = m.id AND q.occurrence = '' AND q.person_id = :reader
                AND q.is_refused = 0) AS is_requested
        """

    init(row: Row, changes: [String: DateChange]) throws {
        var meeting = try Meeting(row: row)
        meeting.series?.changes = changes
        self.init(
            meeting: meeting, organizerName: row["organizer_name"],
            news: OpenNews(
                try StoredValue.decode(row["news_kind"]),
                at: Moment(milliseconds: row["news_at"])),
            taken: row["taken"], own: try (row["own"] as String?).map(StoredValue.decode),
            isRequested: row["is_requested"])
    }

    /// The condition that the reader may see a meeting `m` of somebody whom they follow: it takes
    /// place, and is open to all accounts, to followers, or to a circle with the reader, or the
    /// reader takes part.
    static let isForFollower = """
        m.status = 'confirmed' AND m.audience IS NOT NULL AND (
            m.audience = 'public' OR m.audience = 'followers'
            OR (m.audience = 'circle' AND EXISTS (
                SELECT 1 FROM circle_member c
                WHERE c.circle_id = m.audience_circle_id AND c.person_id = :reader))
            OR EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.person_id = :reader
                    AND a.is_removed = 0))
        """

    /// The condition that neither the reader nor the organizer of `m` blocks the other.
    static let isNotBlocked = """
        NOT EXISTS (
            SELECT 1 FROM block b
            WHERE b.blocker_id = m.organizer_id AND b.blocked_id = :reader)
        AND NOT EXISTS (
            SELECT 1 FROM block b
            WHERE b.blocker_id = :reader AND b.blocked_id = m.organizer_id)
        """
}
