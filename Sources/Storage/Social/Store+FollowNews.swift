public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The news of followers that an account was told, or will be told.
public struct FollowTold: Equatable, Sendable {
    /// True if it was told of this follower today.
    public let isKnown: Bool
    /// True if it was told of any follower since the moment that was asked for, or will be.
    public let isRecent: Bool
}

extension Store {
    /// Says which news of followers an account has.
    ///
    /// - Parameters:
    ///   - person: the account.
    ///   - mark: the mark of the news of one follower.
    ///   - since: the moment from which news counts as recent.
    /// - Returns: the news.
    /// - Throws: ``StoreError``.
    public func toldOfFollowers(
        _ person: PersonID, mark: NotificationMark, since: Moment
    ) async throws -> FollowTold {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT
                            EXISTS (
                                SELECT 1 FROM delivery
                                WHERE person_id = :person AND kind = 'follow' AND mark = :mark
                            ) AS is_known,
                            EXISTS (
                                SELECT 1 FROM delivery
                                WHERE person_id = :person AND kind = 'follow' AND due > :since
                                    AND mark NOT LIKE :accepted) AS is_recent
                        """),
                arguments: [
                    "person": person.text, "mark": mark.text, "since": since.milliseconds,
                    "accepted": NotificationMark.acceptedPattern,
                ])
            return FollowTold(
                isKnown: row?["is_known"] ?? false, isRecent: row?["is_recent"] ?? false)
        }
    }
}
