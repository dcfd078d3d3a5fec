public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// What an account says of itself, and how it treats its followers.
public struct PublicProfile: Equatable, Sendable {
    /// The person, without an address.
    public let person: Person
    /// The time at which the account was made.
    public let madeAt: Moment
    /// The words of the person about themselves; empty for none.
    public var about: String
    /// True if the account decides on each follower.
    public var approvesFollowers: Bool
    /// True if others see who follows the account, and whom it follows.
    public var showsFollows: Bool
}

extension Store {
    /// The profile of an account; `nil` if there is none, or if it is disabled.
    public func publicProfile(of person: PersonID) async throws -> PublicProfile? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT p.id, p.name, a.made_at, a.about, a.approves_followers,
                            a.shows_follows
                        FROM account a JOIN person p ON p.id = a.person_id
                        WHERE a.person_id = :person AND a.is_enabled = 1
                        """), arguments: ["person": person.text]
            ).map { row in
                PublicProfile(
                    person: Person(id: PersonID(text: row["id"]), name: row["name"]),
                    madeAt: Moment(milliseconds: row["made_at"]), about: row["about"],
                    approvesFollowers: row["approves_followers"],
                    showsFollows: row["shows_follows"])
            }
        }
    }

    /// Stores what an account says of itself.
    ///
    /// - Parameters:
    ///   - about: the words about the person.
    ///   - approvesFollowers: true to decide on each follower.
    ///   - showsFollows: true to show others the follows.
    ///   - person: the person.
    /// - Returns: false if the person has no account.
    /// - Throws: ``StoreError``.
    public func setPublicProfile(
        about: String, approvesFollowers: Bool, showsFollows: Bool, of person: PersonID
    ) async throws -> Bool {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE account SET about = :about, approves_followers = :approves,
                        shows_follows = :shows
                    WHERE person_id = :person
                    """
            ).execute(arguments: [
                "about": about, "approves": approvesFollowers ? 1 : 0,
                "shows": showsFollows ? 1 : 0, "person": person.text,
            ])
            return db.changesCount > 0
        }
    }
}
