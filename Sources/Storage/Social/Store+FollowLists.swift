public import Agenda
import GRDB
public import Ledger

/// Lists of follows, the latest first. Accounts that are disabled are left out.
extension Store {
    /// A page of a list of follows of an account, as a reader sees it: without those whom the
    /// reader blocks, or who block the reader.
    ///
    /// - Parameters:
    ///   - list: the list.
    ///   - person: the account.
    ///   - reader: the reader, who may be the same.
    ///   - place: the place after which the page begins; `nil` for the first page.
    ///   - limit: the most rows.
    /// - Returns: the rows.
    /// - Throws: ``StoreError``.
    public func follows(
        _ list: FollowList, of person: PersonID, seenBy reader: PersonID,
        after place: FollowPlace? = nil, limit: Int
    ) async throws -> [Follow] {
        try await read { db in
            try Row.read(
                db.cachedStatement(sql: Self.page(of: list, isOwn: person == reader)),
                arguments: ["person": person.text, "reader": reader.text, "limit": limit]
                    + FollowPlace.arguments(place)
            ) { Follow(row: $0) }
        }
    }

    /// Others than the account itself do not see whom it only asked.
    private static func page(of list: FollowList, isOwn: Bool) -> String {
        let accepted = list == .requests ? 0 : 1
        return switch list {
        case .followers, .requests:
            """
            SELECT p.id, p.name, f.is_accepted, f.asked_at
            FROM follow f JOIN person p ON p.id = f.follower_id
            JOIN account a ON a.person_id = f.follower_id AND a.is_enabled = 1
            WHERE f.followed_id = :person AND f.is_accepted = \(accepted)
                AND (f.asked_at, f.follower_id) < (:at, :id)
                AND \(seesAccount("f.follower_id"))
            ORDER BY f.asked_at DESC, f.follower_id DESC LIMIT :limit
            """
        case .following:
            """
            SELECT p.id, p.name, f.is_accepted, f.asked_at
            FROM follow f JOIN person p ON p.id = f.followed_id
            JOIN account a ON a.person_id = f.followed_id AND a.is_enabled = 1
            WHERE f.follower_id = :person AND f.is_accepted >= \(isOwn ? 0 : 1)
                AND (f.asked_at, f.followed_id) < (:at, :id)
                AND \(seesAccount("f.followed_id"))
            ORDER BY f.asked_at DESC, f.followed_id DESC LIMIT :limit
            """
        }
    }

    /// The number of accounts in a list of follows of an account.
    public func followCount(_ list: FollowList, of person: PersonID) async throws -> Int {
        let column = list == .following ? "follower_id" : "followed_id"
        let other = list == .following ? "followed_id" : "follower_id"
        return try await read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM follow f
                        JOIN account a ON a.person_id = f.\(other) AND a.is_enabled = 1
                        WHERE f.\(column) = :person AND f.is_accepted = :accepted
                        """),
                arguments: ["person": person.text, "accepted": list == .requests ? 0 : 1]) ?? 0
        }
    }

    /// True if an account exists, is enabled, and neither it nor the reader blocks the other.
    public func seesAccount(_ person: PersonID, by reader: PersonID) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM account a
                            WHERE a.person_id = :person AND a.is_enabled = 1
                                AND \(Self.seesAccount("a.person_id")))
                        """), arguments: ["person": person.text, "reader": reader.text]) == true
        }
    }

    /// The people with accounts whom a person meets: they take part in the same meeting, and not
    /// under a name that its organizer typed.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - limit: the most people.
    /// - Returns: the people, in the order of their ids.
    /// - Throws: ``StoreError``.
    public func metAccounts(of person: PersonID, limit: Int) async throws -> [Person] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT p.id, p.name FROM person p
                        JOIN account a ON a.person_id = p.id AND a.is_enabled = 1
                        WHERE p.id IN (
                            SELECT q.person_id FROM participant r
                            JOIN participant q ON q.meeting_id = r.meeting_id
                            WHERE r.person_id = :person AND q.person_id <> :person
                                AND q.typed_name = '')
                        ORDER BY p.id LIMIT :limit
                        """), arguments: ["person": person.text, "limit": limit]
            ) { Person(id: PersonID(text: $0["id"]), name: $0["name"]) }
        }
    }
}
