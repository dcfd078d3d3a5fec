import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// Following other accounts.
extension Planner {
    /// Lets the actor follow an account, or ask to, if it approves its followers.
    ///
    /// - Parameter who: the account.
    /// - Returns: the result: `following` or `requested`.
    /// - Throws: ``Refusal`` with `own_account`, `no_account`, `blocked_person`,
    ///   `already_following`, `already_requested`, `unknown_person` and others.
    public func follow(_ who: String) async throws -> FollowOutcome {
        try await follow(try await account(named: who))
    }

    private func follow(_ person: Person) async throws -> FollowOutcome {
        let name = PersonLine(person, isPrivate: true).name
        guard person.id != actor.id else { throw Self.ownAccount }
        try await checkHasAccount()
        guard try await !store.isBlocked(person.id, by: actor.id) else {
            throw Refusal(
                .refused, code: "blocked_person",
                "You block \(name). Unblock them before you follow them.")
        }
        let (new, request) = try await newsOfFollower(for: person)
        let result = try await store.follow(person.id, by: actor.id, now: now) { isRequest in
            isRequest ? request : new
        }
        switch result {
        case .followed: return try await outcome(person, "following")
        case .asked: return try await outcome(person, "requested")
        case .known(isAccepted: true):
            throw Refusal(
                .refused, code: "already_following", "You follow \(name) already.")
        case .known(isAccepted: false):
            throw Refusal(
                .refused, code: "already_requested",
                "You asked to follow \(name) already. They have not decided yet.")
        case .unknown: throw Refusal(.refused, code: "no_account", "\(name) has no account.")
        }
    }

    static let ownAccount = Refusal(
        .refused, code: "own_account", "This is your own account.")

    /// Checks that the actor has an account. The owner of the installation gets one.
    ///
    /// - Throws: ``Refusal`` with `no_account`.
    func checkHasAccount() async throws {
        if actsAsOwner {
            try await store.addAccount(Account(of: actor.id, as: .owner, madeAt: now))
        }
        guard try await store.account(of: actor.id) != nil else {
            throw Refusal(.refused, code: "no_account", "\(actor.name) has no account.")
        }
    }

    /// Ends a follow of the actor, or takes back their request. Nobody is told.
    ///
    /// - Parameter who: the account.
    /// - Returns: the result: `none`.
    /// - Throws: ``Refusal`` with `not_following`, `unknown_person` and others.
    public func unfollow(_ who: String) async throws -> FollowOutcome {
        let person = try await listed(who, .following)
        guard try await store.endFollow(of: person.id, by: actor.id) != nil else {
            let name = PersonLine(person, isPrivate: true).name
            throw Refusal(.refused, code: "not_following", "You do not follow \(name).")
        }
        return try await outcome(person, "none")
    }

    /// The person in some lists of follows of the actor whom a WHO means, or else somebody whom the
    /// actor knows.
    func listed(_ who: String, _ lists: FollowList...) async throws -> Person {
        var people: [Person] = []
        for list in lists {
            for person in try await followed(list) where !people.contains(person) {
                people.append(person)
            }
        }
        if let person = try await person(named: who, among: people) { return person }
        return try await account(named: who)
    }

    func outcome(_ person: Person, _ state: String) async throws -> FollowOutcome {
        FollowOutcome(
            person: PersonLine(person, isPrivate: true), state: state,
            daemon: daemonPresence)
    }
}
