import GRDB

extension Migrations {
    /// Allows deliveries that tell an account who follows it.
    static func allowFollow073(in db: Database) throws {
        try SchemaText.change("delivery", in: db) { sql in
            sql.replacing("OR kind = 'sign_in'", with: "OR kind = 'sign_in' OR kind = 'follow'")
        }
    }

    /// The order in which lists of follows are read, and the changes that open pages of both
    /// accounts show, as ``accountMarks068`` notes them.
    static let followNews073 = """
        CREATE INDEX follow_by_followed_time
            ON follow (followed_id, is_accepted, asked_at, follower_id);
        CREATE INDEX follow_by_follower_time ON follow (follower_id, asked_at, followed_id);
        CREATE INDEX block_by_time ON block (blocker_id, at, blocked_id);
        \(followMarks)
        """

    private static let followMarks = [
        followTrigger("follow", "INSERT", "NEW.follower_id, NEW.followed_id"),
        followTrigger("follow", "UPDATE", "NEW.follower_id, NEW.followed_id"),
        followTrigger("follow", "DELETE", "OLD.follower_id, OLD.followed_id"),
        followTrigger("block", "INSERT", "NEW.blocker_id"),
        followTrigger("block", "DELETE", "OLD.blocker_id"),
        followTrigger(
            "account", "UPDATE OF about, approves_followers, shows_follows", "NEW.person_id"),
    ].joined(separator: "\n")

    /// A trigger that tells accounts of a change.
    private static func followTrigger(
        _ table: String, _ deed: String, _ persons: String
    ) -> String {
        """
        CREATE TRIGGER account_mark_of_follows_\(table)_\(deed.prefix { $0 != " " }.lowercased())
        AFTER \(deed) ON \(table) BEGIN
            UPDATE live_mark SET mark = mark + 1 WHERE id = 1;
            INSERT INTO account_mark (person_id, topic, mark)
                SELECT a.person_id, 'follows', m.mark
                FROM account a JOIN live_mark m ON m.id = 1
                WHERE a.person_id IN (\(persons))
                ON CONFLICT (person_id, topic) DO UPDATE SET mark = excluded.mark;
        END;
        """
    }
}
