public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// People whom an account blocks. Neither of both sees the account of the other.
extension Store {
    /// Blocks a person, and ends the follows between both.
    ///
    /// - Parameters:
    ///   - blocked: the person who is blocked, with an account or without.
    ///   - blocker: the account that blocks them.
    ///   - now: the current time.
    /// - Returns: false if they were blocked before.
    /// - Throws: ``StoreError``.
    public func block(
        _ blocked: PersonID, by blocker: PersonID, now: Moment
    ) async throws -> Bool {
        try await write { db in
            let arguments: StatementArguments = [
                "blocker": blocker.text, "blocked": blocked.text,
            ]
            try db.cachedStatement(
                sql: """
                    INSERT INTO block (blocker_id, blocked_id, at)
                    VALUES (:blocker, :blocked, :now) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: arguments + ["now": now.milliseconds])
            let isNew = db.changesCount > 0
            try db.cachedStatement(
                sql: """
                    DELETE FROM follow
                    WHERE follower_id = :blocker AND followed_id = :blocked
                        OR follower_id = :blocked AND followed_id = :blocker
                    """
            ).execute(arguments: arguments)
            return isNew
        }
    }

    /// Unblocks a person.
    ///
    /// - Returns: false if they were not blocked.
    public func unblock(_ blocked: PersonID, by blocker: PersonID) async throws -> Bool {
        try await write { db in
            try db.cachedStatement(
                sql: "DELETE FROM block WHERE blocker_id = :blocker AND blocked_id = :blocked"
            ).execute(arguments: ["blocker": blocker.text, "blocked": blocked.text])
            return db.changesCount > 0
        }
    }

    /// True if an account blocks a person.
    public func isBlocked(_ blocked: PersonID, by blocker: PersonID) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM block
                            WHERE blocker_id = :blocker AND blocked_id = :blocked)
                        """),
                arguments: ["blocker": blocker.text, "blocked": blocked.text]) == true
        }
    }

    /// A page of the people whom an account blocks, the latest first.
    ///
    /// - Parameters:
    ///   - blocker: the account.
    ///   - place: the place after which the page begins; `nil` for the first page.
    ///   - limit: the most people.
    /// - Returns: the people, each with the time at which they were blocked.
    /// - Throws: ``StoreError``.
    public func blocked(
        by blocker: PersonID, after place: FollowPlace? = nil, limit: Int
    ) async throws -> [(person: Person, at: Moment)] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT p.id, p.name, b.at FROM block b JOIN person p ON p.id = b.blocked_id
                        WHERE b.blocker_id = :blocker AND (b.at, b.blocked_id) < (:at, :id)
                        ORDER BY b.at DESC, b.blocked_id DESC LIMIT :limit
                        """),
                arguments: ["blocker": blocker.text, "limit": limit]
                    + FollowPlace.arguments(place)
            ) { row in
                (
                    Person(id: PersonID(text: row["id"]), name: row["name"]),
                    Moment(milliseconds: row["at"])
                )
            }
        }
    }
}
