import Agenda
import Ledger
public import Storage
import Timekeeping

/// The accounts that follow the actor, and the people whom the actor blocks.
extension Planner {
    /// Accepts a request to follow the actor. The follower is told.
    ///
    /// - Parameter who: the account that asked.
    /// - Returns: the result: `follower`.
    /// - Throws: ``Refusal`` with `not_requested`, `unknown_person` and others.
    public func approveFollower(_ who: String) async throws -> FollowOutcome {
        let person = try await listed(who, .requests)
        let news = try await newsOfAcceptance(for: person)
        guard
            try await store.acceptFollow(
                by: person.id, of: actor.id, now: now, telling: news)
        else { throw Self.notRequested(by: person) }
        return try await outcome(person, "follower")
    }

    /// Refuses a request to follow the actor. Nobody is told.
    ///
    /// - Parameter who: the account that asked.
    /// - Returns: the result: `refused`.
    /// - Throws: ``Refusal`` with `not_requested`, `unknown_person` and others.
    public func refuseFollower(_ who: String) async throws -> FollowOutcome {
        let person = try await listed(who, .requests)
        guard
            try await store.endFollow(of: actor.id, by: person.id, onlyRequest: true) != nil
        else { throw Self.notRequested(by: person) }
        return try await outcome(person, "refused")
    }

    private static func notRequested(by person: Person) -> Refusal {
        let name = PersonLine(person, isPrivate: true).name
        return Refusal(
            .refused, code: "not_requested", "\(name) does not wait for your decision.")
    }

    /// Ends the follow of a follower of the actor, or their request. Nobody is told.
    ///
    /// - Parameter who: the follower.
    /// - Returns: the result: `removed`.
    /// - Throws: ``Refusal`` with `not_a_follower`, `unknown_person` and others.
    public func removeFollower(_ who: String) async throws -> FollowOutcome {
        let person = try await listed(who, .followers, .requests)
        guard try await store.endFollow(of: actor.id, by: person.id) != nil else {
            let name = PersonLine(person, isPrivate: true).name
            throw Refusal(.refused, code: "not_a_follower", "\(name) does not follow you.")
        }
        return try await outcome(person, "removed")
    }

    /// Blocks a person: follows between both end, neither finds the profile of the other, and the
    /// person leaves the coming open meetings of the actor that they joined without an invitation.
    /// Nobody is told.
    ///
    /// - Parameter who: the person, with an account or without.
    /// - Returns: the result: `blocked`.
    /// - Throws: ``Refusal`` with `own_account`, `already_blocked`, `no_account`, `unknown_person`
    ///   and others.
    public func blockPerson(_ who: String) async throws -> FollowOutcome {
        try await checkHasAccount()
        let known = try await person(named: who, among: try await blockedPeople())
        let person =
            if let known { known } else {
                try await listed(who, .followers, .requests, .following)
            }
        guard person.id != actor.id else { throw Self.ownAccount }
        guard try await store.block(person.id, by: actor.id, now: now) else {
            let name = PersonLine(person, isPrivate: true).name
            throw Refusal(.refused, code: "already_blocked", "You block \(name) already.")
        }
        try await dismiss(person)
        return try await outcome(person, "blocked")
    }

    /// Unblocks a person. Follows that the block ended do not come back.
    ///
    /// - Parameter who: the person.
    /// - Returns: the result: `unblocked`.
    /// - Throws: ``Refusal`` with `not_blocked`, `unknown_person` and others.
    public func unblockPerson(_ who: String) async throws -> FollowOutcome {
        let known = try await person(named: who, among: try await blockedPeople())
        let person = if let known { known } else { try await account(named: who) }
        guard try await store.unblock(person.id, by: actor.id) else {
            let name = PersonLine(person, isPrivate: true).name
            throw Refusal(.refused, code: "not_blocked", "You do not block \(name).")
        }
        return try await outcome(person, "unblocked")
    }

    private func blockedPeople() async throws -> [Person] {
        try await store.blocked(by: actor.id, limit: Self.followsMax).map(\.person)
    }

    /// The most rows of each list of follows that are shown at once.
    public static let followsMax = 1_000

    /// A page of a list of follows of the actor, the latest first.
    ///
    /// - Parameters:
    ///   - list: the list.
    ///   - place: the place after which it begins; `nil` for the first page.
    ///   - limit: the most rows.
    /// - Returns: the rows.
    /// - Throws: ``StoreError``.
    public func follows(
        _ list: FollowList, after place: FollowPlace? = nil, limit: Int = Planner.followsMax
    ) async throws -> FirstRows<FollowLine> {
        let found = try await store.follows(
            list, of: actor.id, seenBy: actor.id, after: place, limit: limit + 1)
        return FirstRows(found.map(line), countMax: limit)
    }

    func line(of follow: Follow) -> FollowLine {
        FollowLine(
            follow.person, accepted: follow.isAccepted,
            since: Timestamp(follow.askedAt, reader: zone))
    }

    /// A page of the people whom the actor blocks, the latest first.
    ///
    /// - Parameters:
    ///   - place: the place after which it begins; `nil` for the first page.
    ///   - limit: the most rows.
    /// - Returns: the people.
    /// - Throws: ``StoreError``.
    public func blocked(
        after place: FollowPlace? = nil, limit: Int = Planner.followsMax
    ) async throws -> FirstRows<FollowLine> {
        let found = try await store.blocked(by: actor.id, after: place, limit: limit + 1)
        return FirstRows(
            found.map { person, at in
                FollowLine(person, accepted: false, since: Timestamp(at, reader: zone))
            }, countMax: limit)
    }

    /// The first rows of all lists of the actor.
    ///
    /// - Parameter limit: the most rows of each list.
    /// - Returns: the lists.
    /// - Throws: ``StoreError``.
    public func followLists(limit: Int = Planner.followsMax) async throws -> FollowLists {
        let followers = try await follows(.followers, limit: limit)
        let requests = try await follows(.requests, limit: limit)
        let following = try await follows(.following, limit: limit)
        let blocked = try await blocked(limit: limit)
        return FollowLists(
            followers: followers.rows, requests: requests.rows, following: following.rows,
            blocked: blocked.rows,
            truncated: [followers, requests, following, blocked].contains(where: \.isTruncated))
    }
}
