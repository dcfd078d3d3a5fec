public import Agenda
import Ledger
public import Storage

/// An account as `account list` prints it.
public struct AccountView: Encodable, Sendable {
    /// The id of the person.
    public let person: String
    /// The name.
    public let name: String
    /// The mail address; `null` if none is known.
    @Null public var address: String?
    /// `owner`, `admin` or `member`.
    public let role: String
    /// False if the person may not sign in.
    public let enabled: Bool
    /// The time of its creation.
    public let made: Timestamp
}

/// A browser in which somebody is signed in.
public struct SessionView: Encodable, Sendable {
    /// The id, by which it can be ended.
    public let id: String
    /// The browser and system, as it calls itself.
    public let device: String
    /// The time of the sign-in.
    public let since: Timestamp
    /// The time of the last use, exact to five minutes.
    public let used: Timestamp
}

/// An event of the log of access.
public struct AccessActView: Encodable, Sendable {
    /// The time.
    public let at: Timestamp
    /// The kind of event.
    public let act: String
    /// The person whose access it was; `null` if they were removed.
    @Null public var person: String?
    /// The person who did it; `null` if they were removed.
    @Null public var by: String?
    /// More about it.
    public let detail: String
}

/// Managing who may sign in.
extension Planner {
    private static let accountsMax = 10_000

    /// Checks that the actor manages accounts: the owner does, and administrators.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    func checkManagesAccounts() async throws {
        guard !actsAsOwner, try await store.account(of: actor.id)?.role != .admin else { return }
        try checkIsOwner(to: "manage accounts")
    }

    /// All accounts, in the order of their creation.
    public func accounts() async throws -> [AccountView] {
        try await checkManagesAccounts()
        return try await store.accounts(limit: Self.accountsMax).map { account, person in
            AccountView(
                person: person.id.text, name: person.name,
                address: person.address.isEmpty ? nil : person.address,
                role: account.role.rawValue, enabled: account.isEnabled,
                made: Timestamp(account.madeAt, reader: zone))
        }
    }

    /// Changes the rights of a person's account.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - role: the new role; `nil` to keep it.
    ///   - isEnabled: false to disable the account, which signs the person out everywhere.
    /// - Throws: ``Refusal`` with `not_allowed`, `is_owner` or `no_account`.
    public func changeAccount(
        of person: Person, role: Account.Role? = nil, isEnabled: Bool? = nil
    ) async throws {
        try await checkManagesAccounts()
        if role != nil { try checkIsOwner(to: "change roles") }
        guard person.id != owner.id, role != .owner else {
            throw Refusal(
                .refused, code: "is_owner",
                "The owner of this installation stays its owner, and can always sign in.")
        }
        guard
            try await store.changeAccount(of: person.id, role: role, isEnabled: isEnabled)
        else {
            throw Refusal(
                .refused, code: "no_account", "\(person.name) has no account.")
        }
        let kind: AccessAct.Kind =
            isEnabled.map { $0 ? .enabled : .disabled } ?? .role
        try await store.note(
            AccessAct(
                kind, of: person.id, by: actor.id, detail: role?.rawValue ?? "", at: now))
    }

    /// The browsers in which a person is signed in.
    public func sessions(of person: Person) async throws -> [SessionView] {
        if person.id != actor.id { try await checkManagesAccounts() }
        return try await acting(as: person).sessions().map { session in
            SessionView(
                id: session.id.text, device: session.device,
                since: Timestamp(session.madeAt, reader: zone),
                used: Timestamp(session.seenAt, reader: zone))
        }
    }

    /// Signs a person out, in one browser or in all.
    ///
    /// - Returns: the number of ended sessions.
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func signOut(_ person: Person, session id: String?) async throws -> Int {
        if person.id != actor.id { try await checkManagesAccounts() }
        let count = try await store.endSessions(
            of: person.id, id.map { SessionID(text: $0) }, keeping: nil)
        if count > 0 {
            try await store.note(AccessAct(.signedOut, of: person.id, by: actor.id, at: now))
        }
        return count
    }

    /// The latest events of the log of access.
    public func accessActs(limit: Int) async throws -> [AccessActView] {
        try checkIsOwner(to: "see the log of access")
        return try await store.accessActs(limit: limit).map { act, person, actor in
            AccessActView(
                at: Timestamp(act.at, reader: zone), act: act.kind.rawValue, person: person,
                by: actor, detail: act.detail)
        }
    }
}
