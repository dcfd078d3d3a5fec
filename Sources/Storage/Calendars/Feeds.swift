public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Names a feed.
public typealias FeedID = Identifier<Feed>

/// A calendar that programs read again and again by a private address.
public struct Feed: Equatable, Sendable {
    /// Whose meetings it shows.
    public enum Subject: Equatable, Sendable {
        /// Those that a person plans or is asked to.
        case person(PersonID)
        /// Those to which the people of a circle were asked.
        case circle(CircleID)
    }

    /// The id.
    public let id: FeedID
    /// Who made it.
    public let owner: PersonID
    /// Whose meetings it shows.
    public let subject: Subject
    /// The name of that person or circle.
    public let name: String
    /// Whether it reminds who reads it.
    public let hasAlarms: Bool
    /// Whether it says only when somebody is busy, and not why.
    public let isBusyOnly: Bool
    /// When it was made.
    public let madeAt: Moment
    /// By what its address is known, in 64 hexadecimal digits.
    public let hash: String

    /// Describes a feed.
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
    /// Keeps a new feed.
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
                        is_busy_only, made_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    feed.id.text, feed.owner.text, person, circle, feed.hash, feed.hasAlarms,
                    feed.isBusyOnly, feed.madeAt.milliseconds,
                ])
        }
    }

    /// The feeds that somebody made or that show their meetings, in the order in which they were
    /// made.
    ///
    /// - Parameters:
    ///   - person: who; `nil` for all feeds.
    ///   - limit: the most to return.
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

    /// The feed whose address has this hash, and the number that stays as it is while no feed
    /// changes; `nil` where there is none.
    public func feed(hash: String) async throws -> (feed: Feed, mark: Int64)? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT f.*, m.mark FROM (\(Feed.select) WHERE f.token_hash = :hash) AS f
                        JOIN calendar_mark m ON m.id = 1
                        """), arguments: ["hash": hash]
            ).map { (try Feed(row: $0), $0["mark"]) }
        }
    }

    /// The hashes of the addresses of feeds that show many meetings, or showed them once.
    ///
    /// - Parameters:
    ///   - count: at least so many.
    ///   - limit: the most to return.
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

    /// Makes feeds good for nothing.
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
        SELECT f.id, f.owner_id, f.person_id, f.circle_id, f.has_alarms, f.is_busy_only, f.made_at,
            f.token_hash, coalesce(p.name, c.name) AS name
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
    }
}
