public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The id of a feed.
public typealias FeedID = Identifier<Feed>

/// A calendar that other programs poll at a private address.
public struct Feed: Equatable, Sendable {
    /// The people whose meetings a feed shows.
    public enum Subject: Equatable, Sendable {
        /// The meetings that a person organizes or is invited to.
        case person(PersonID)
        /// The meetings to which a circle was invited.
        case circle(CircleID)
    }

    /// The id.
    public let id: FeedID
    /// The person who created it.
    public let owner: PersonID
    /// The person or circle whose meetings it shows.
    public let subject: Subject
    /// The name of that person or circle.
    public let name: String
    /// True if the feed contains alarms for its reader.
    public let hasAlarms: Bool
    /// True if it shows only busy times, without details.
    public let isBusyOnly: Bool
    /// True if it shows the birthdays of the person's contacts in place of meetings.
    public var isOfBirthdays = false
    /// The time of its creation.
    public let madeAt: Moment
    /// The hash of the token in its address, in 64 hexadecimal digits.
    public let hash: String

    /// Creates a feed value.
    public init(
        id: FeedID, owner: PersonID, subject: Subject, name: String, hasAlarms: Bool,
        isBusyOnly: Bool, madeAt: Moment, hash: String
    ) {
        self.id = id
        self.owner = owner
        self.subject = subject
        self.name = name
        self.hasAlarms = hasAlarms
        self.isBusyOnly = isBusyOnly
        self.madeAt = madeAt
        self.hash = hash
    }
}

extension Store {
    /// Saves a new feed.
    public func addFeed(_ feed: Feed) async throws {
        var (person, circle): (String?, String?) = (nil, nil)
        switch feed.subject {
        case .person(let id): person = id.text
        case .circle(let id): circle = id.text
        }
        try await write { [person, circle] db in
            try db.execute(
                sql: """
                    INSERT INTO feed (
                        id, owner_id, person_id, circle_id, token_hash, has_alarms,
                        is_busy_only, is_of_birthdays, made_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    feed.id.text, feed.owner.text, person, circle, feed.hash, feed.hasAlarms,
                    feed.isBusyOnly, feed.isOfBirthdays, feed.madeAt.milliseconds,
                ])
        }
    }

    /// The feeds that a person created, or that show their meetings, in the order of creation.
    ///
    /// - Parameters:
    ///   - person: the person; `nil` for all feeds.
    ///   - limit: the maximum number to return.
    /// - Returns: the feeds.
    /// - Throws: ``StoreError``.
    public func feeds(of person: PersonID?, limit: Int) async throws -> [Feed] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        \(Feed.select)
                        WHERE :person = '' OR f.owner_id = :person OR f.person_id = :person
                        ORDER BY f.made_at, f.id LIMIT :limit
                        """), arguments: ["person": person?.text ?? "", "limit": limit]
            ).map(Feed.init(row:))
        }
    }

    /// The feed whose address has this hash, with a number that changes whenever the content of any
    /// feed may have changed; `nil` if there is no such feed, or if its account is disabled.
    public func feed(hash: String) async throws -> (feed: Feed, mark: Int64)? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT f.*, m.mark FROM (\(Feed.select) WHERE f.token_hash = :hash) AS f
                        JOIN calendar_mark m ON m.id = 1
                        WHERE NOT EXISTS (SELECT 1 FROM account a
                            WHERE a.person_id IN (f.owner_id, f.person_id) AND a.is_enabled = 0)
                        """), arguments: ["hash": hash]
            ).map { (try Feed(row: $0), $0["mark"]) }
        }
    }

    /// The address hashes of feeds with many meetings, past ones included; newest feeds first.
    ///
    /// - Parameters:
    ///   - count: the minimum number of meetings.
    ///   - limit: the maximum number to return.
    /// - Returns: the hashes.
    /// - Throws: ``StoreError``.
    public func feeds(ofAtLeast count: Int, limit: Int) async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT f.token_hash FROM feed f
                        WHERE :count <= CASE WHEN f.person_id IS NULL
                            THEN (SELECT count(*) FROM meeting_circle c
                                WHERE c.circle_id = f.circle_id)
                            ELSE (SELECT count(*) FROM participant p
                                WHERE p.person_id = f.person_id)
                            END
                        ORDER BY f.made_at DESC LIMIT :limit
                        """), arguments: ["count": count, "limit": limit])
        }
    }

    /// Deletes feeds, so that their addresses stop working.
    public func removeFeeds(_ ids: [FeedID]) async throws {
        try await write { db in
            for id in ids {
                try db.execute(
                    sql: "DELETE FROM feed WHERE id = :id", arguments: ["id": id.text])
            }
        }
    }
}

extension Feed {
    fileprivate static let select = """
        SELECT f.id, f.owner_id, f.person_id, f.circle_id, f.has_alarms, f.is_busy_only,
            f.is_of_birthdays, f.made_at, f.token_hash, coalesce(p.name, c.name) AS name
        FROM feed f LEFT JOIN person p ON p.id = f.person_id
            LEFT JOIN circle c ON c.id = f.circle_id
        """

    fileprivate init(row: Row) throws {
        let subject: Subject
        switch (row["person_id"] as String?, row["circle_id"] as String?) {
        case (let id?, nil): subject = .person(PersonID(text: id))
        case (nil, let id?): subject = .circle(CircleID(text: id))
        default: throw UnreadableValue.form
        }
        self.init(
            id: FeedID(text: row["id"]), owner: PersonID(text: row["owner_id"]), subject: subject,
            name: row["name"], hasAlarms: row["has_alarms"],
            isBusyOnly: row["is_busy_only"],
            madeAt: Moment(milliseconds: row["made_at"]), hash: row["token_hash"])
        isOfBirthdays = row["is_of_birthdays"]
    }
}

/// The numbers by which feeds find out that something which they show has changed: one that rises
/// with each change, and for each meeting its value at the last change of the meeting.
///
/// Triggers raise them for nearly all changes. New participants and first answers come in large
/// numbers with one meeting, so the store raises the numbers once for all of them.
enum FeedMarks {
    /// Raises the numbers for a meeting whose participants or answers were added.
    static func raise(for id: MeetingID, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE calendar_mark SET mark = mark + 1").execute()
        try db.cachedStatement(
            sql: """
                INSERT INTO meeting_mark (meeting_id, mark)
                SELECT CAST(:meeting AS TEXT), m.mark FROM calendar_mark m WHERE m.id = 1
                ON CONFLICT (meeting_id) DO UPDATE SET mark = excluded.mark
                """
        ).execute(arguments: ["meeting": id.text])
    }
}
