public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// Deleting an account without erasing its person, who stays a contact and a guest of others.
extension Store {
    /// Deletes the account of a person, and everything that they kept for themselves.
    ///
    /// - Their sessions, passkeys, password, tickets and draft go, with their contacts, circles,
    ///   saved places, imported calendar objects, feeds, busy calendars, channels, digests and
    ///   tasks. A task that runs stops, because its row is gone.
    /// - Their addresses are no longer proven to be theirs. Only the one to which mails go stays.
    /// - Merges of their contacts can no longer be taken back.
    /// - Other people keep them in their address books and meetings. The person's choices of
    ///   reminders and quiet hours stay, because they may still be invited.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - now: the current time.
    /// - Throws: ``ErasureObstacle`` if they organize a meeting that has not ended, or
    ///   ``StoreError``; nothing has changed then.
    public func closeAccount(of person: PersonID, now: Moment) async throws {
        try await write { db in
            let erasure = try PersonErasure(person, in: db)
            try erasure.checkIsPossible(now: now, in: db)
            try KnownAs.remember(person, in: db)
            try erasure.removeOwnBook(in: db)
            for id in erasure.ids { try Self.closeAccount(of: id, in: db) }
        }
        try await removeUnusedPictures()
    }

    /// The statements that remove what belongs to an account.
    private static let closing =
        [
            "digest_policy", "channel", "feed", "busy_calendar", "sign_in_ticket",
            "address_request", "task",
            // With its sessions, passkeys and draft.
            "account",
        ].map { "DELETE FROM \($0) WHERE person_id = :id" } + [
            "DELETE FROM feed WHERE owner_id = :id",
            "DELETE FROM busy_calendar WHERE owner_id = :id",
            // These records of merges contain contacts of the deleted address book. Undoing such a
            // merge would create the contacts again.
            "DELETE FROM person_merge WHERE kept_id = :id OR changes LIKE '%' || :id || '%'",
            """
            DELETE FROM person_address WHERE person_id = :id AND folded <> (
                SELECT a.folded FROM person_address a WHERE a.person_id = :id
                ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1)
            """,
            "UPDATE person_address SET is_verified = 0 WHERE person_id = :id",
            "UPDATE access_act SET detail = '' WHERE person_id = :id",
        ]

    private static func closeAccount(of id: String, in db: Database) throws {
        for sql in closing { try db.execute(sql: sql, arguments: ["id": id]) }
    }
}
