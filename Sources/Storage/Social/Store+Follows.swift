public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Accounts that follow others.
extension Store {
    /// Lets an account follow another one, or ask to, if that one approves its followers.
    ///
    /// - Parameters:
    ///   - followed: the account that is followed.
    ///   - follower: the account that follows.
    ///   - now: the current time.
    ///   - news: makes the message to the followed account: of a request if its argument is true.
    /// - Returns: the result. Only ``FollowResult/followed`` and ``FollowResult/asked`` changed
    ///   anything.
    /// - Throws: ``StoreError``.
    public func follow(
        _ followed: PersonID, by follower: PersonID, now: Moment,
        telling news: @escaping @Sendable (_ isRequest: Bool) -> PreparedMessage? = { _ in nil }
    ) async throws -> FollowResult {
        try await write { db in
            let arguments: StatementArguments = [
                "follower": follower.text, "followed": followed.text,
            ]
            guard let approves = try Self.approval(of: followed, from: follower, in: db) else {
                return .unknown
            }
            let known = try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT is_accepted FROM follow
                        WHERE follower_id = :follower AND followed_id = :followed
                        """), arguments: arguments)
            if let known { return .known(isAccepted: known) }
            try db.cachedStatement(
                sql: """
                    INSERT INTO follow (
                        follower_id, followed_id, is_accepted, asked_at, accepted_at)
                    VALUES (:follower, :followed, :accepted, :now, :since)
                    """
            ).execute(
                arguments: arguments + [
                    "accepted": approves ? 0 : 1, "now": now.milliseconds,
                    "since": approves ? nil : now.milliseconds,
                ])
            _ = try news(approves)?.plan(now: now, in: db)
            return approves ? .asked : .followed
        }
    }

    /// True if an account approves its followers; `nil` if a reader does not see it: it is
    /// disabled, or one of both blocks the other.
    private static func approval(
        of person: PersonID, from reader: PersonID, in db: Database
    ) throws -> Bool? {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT a.approves_followers FROM account a
                    WHERE a.person_id = :person AND a.is_enabled = 1
                        AND \(Self.seesAccount("a.person_id"))
                    """), arguments: ["person": person.text, "reader": reader.text])
    }

    /// The condition that neither of an account and the reader blocks the other.
    static func seesAccount(_ account: String) -> String {
        """
        NOT EXISTS (
            SELECT 1 FROM block b WHERE b.blocker_id = \(account) AND b.blocked_id = :reader)
        AND NOT EXISTS (
            SELECT 1 FROM block b WHERE b.blocker_id = :reader AND b.blocked_id = \(account))
        """
    }

    /// Ends a follow or takes back a request.
    ///
    /// - Parameters:
    ///   - followed: the account that is followed.
    ///   - follower: the account that follows.
    ///   - onlyRequest: true to end only a request on which nobody has decided.
    /// - Returns: true if it was accepted, false if it was a request; `nil` if there was neither.
    /// - Throws: ``StoreError``.
    public func endFollow(
        of followed: PersonID, by follower: PersonID, onlyRequest: Bool = false
    ) async throws -> Bool? {
        try await write { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        DELETE FROM follow
                        WHERE follower_id = :follower AND followed_id = :followed
                            AND (is_accepted = 0 OR :all = 1)
                        RETURNING is_accepted
                        """),
                arguments: [
                    "follower": follower.text, "followed": followed.text,
                    "all": onlyRequest ? 0 : 1,
                ])
        }
    }

    /// Accepts a request to follow an account.
    ///
    /// - Parameters:
    ///   - follower: the account that asked.
    ///   - followed: the account that decides.
    ///   - now: the current time.
    ///   - news: the message to the follower; `nil` for none.
    /// - Returns: false if there is no such request.
    /// - Throws: ``StoreError``.
    public func acceptFollow(
        by follower: PersonID, of followed: PersonID, now: Moment,
        telling news: PreparedMessage? = nil
    ) async throws -> Bool {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE follow SET is_accepted = 1, accepted_at = :now
                    WHERE follower_id = :follower AND followed_id = :followed AND is_accepted = 0
                    """
            ).execute(arguments: [
                "follower": follower.text, "followed": followed.text, "now": now.milliseconds,
            ])
            guard db.changesCount > 0 else { return false }
            _ = try news?.plan(now: now, in: db)
            return true
        }
    }

    /// What a reader and another account are to each other.
    public func followStanding(
        of reader: PersonID, to other: PersonID
    ) async throws -> FollowStanding {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT
                            (SELECT is_accepted FROM follow
                                WHERE follower_id = :reader AND followed_id = :other) AS follows,
                            (SELECT is_accepted FROM follow
                                WHERE follower_id = :other AND followed_id = :reader) AS followed
                        """), arguments: ["reader": reader.text, "other": other.text])
            return FollowStanding(follows: row?["follows"], isFollowed: row?["followed"])
        }
    }
}
