import Agenda
import GRDB
import Ledger

/// Follows and blocks of two persons who become one.
extension PersonMerge {
    /// Moves the follows and blocks of `other` to `kept`, if `kept` has an account. They do not
    /// follow or block themselves, and nobody follows somebody whom one of both blocks.
    func moveFollows(in db: Database) throws {
        for sql in Self.movingFollows { try db.execute(sql: sql, arguments: arguments) }
        try db.execute(
            sql: """
                DELETE FROM follow WHERE (follower_id = :kept OR followed_id = :kept)
                    AND EXISTS (
                        SELECT 1 FROM block b
                        WHERE b.blocker_id = follow.follower_id
                                AND b.blocked_id = follow.followed_id
                            OR b.blocker_id = follow.followed_id
                                AND b.blocked_id = follow.follower_id)
                """, arguments: ["kept": kept.id.text])
    }

    private static let movingFollows = [
        """
        UPDATE follow SET follower_id = :kept
        WHERE follower_id = :other AND followed_id <> :kept
            AND EXISTS (SELECT 1 FROM account a WHERE a.person_id = :kept)
            AND NOT EXISTS (
                SELECT 1 FROM follow k
                WHERE k.follower_id = :kept AND k.followed_id = follow.followed_id)
        """,
        """
        UPDATE follow SET followed_id = :kept
        WHERE followed_id = :other AND follower_id <> :kept
            AND EXISTS (SELECT 1 FROM account a WHERE a.person_id = :kept)
            AND NOT EXISTS (
                SELECT 1 FROM follow k
                WHERE k.followed_id = :kept AND k.follower_id = follow.follower_id)
        """,
        """
        UPDATE block SET blocker_id = :kept
        WHERE blocker_id = :other AND blocked_id <> :kept
            AND EXISTS (SELECT 1 FROM account a WHERE a.person_id = :kept)
            AND NOT EXISTS (
                SELECT 1 FROM block k
                WHERE k.blocker_id = :kept AND k.blocked_id = block.blocked_id)
        """,
        """
        UPDATE block SET blocked_id = :kept
        WHERE blocked_id = :other AND blocker_id <> :kept
            AND NOT EXISTS (
                SELECT 1 FROM block k
                WHERE k.blocked_id = :kept AND k.blocker_id = block.blocker_id)
        """,
        "DELETE FROM block WHERE blocked_id = :other AND blocker_id <> :other",
    ]
}
