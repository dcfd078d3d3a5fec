public import Agenda
import Interchange
import Ledger
import Storage

/// One account for each proven address, whichever persons have the address in address books.
extension Planner {
    /// The most accounts that are looked at for one address.
    private static let holdersMax = 100

    /// The person whose account an address of a person belongs to: somebody else if that person has
    /// no account, and their address was proven to be that somebody's.
    ///
    /// - Parameter person: the person.
    /// - Returns: the person with the account, or `person`.
    /// - Throws: ``Refusal`` with `not_allowed`, or with `two_accounts` if both have one.
    public func accountHolder(for person: Person) async throws -> Person {
        guard person.id != actor.id else { return person }
        try await checkManagesAccounts()
        guard let holder = try await otherHolder(of: person) else { return person }
        guard try await store.account(of: person.id) == nil else {
            throw Refusal(
                .refused, code: "two_accounts",
                "Two accounts have the address \(person.address): that of \(person.name) "
                    + "(\(person.id.text)) and that of \(holder.name) (\(holder.id.text)). Merge "
                    + "the two people, or disable both accounts by the address.")
        }
        return holder
    }

    /// Somebody else with an account, to whom the address of a person was proven to belong.
    private func otherHolder(of person: Person) async throws -> Person? {
        guard !person.address.isEmpty,
            let holder = try await store.accountHolder(at: person.address), holder.id != person.id
        else { return nil }
        return holder
    }

    /// Disables the account of a person and every other one with their address, so that nobody can
    /// sign in with it any more.
    ///
    /// - Parameter who: the person, or an address.
    /// - Returns: the people whose accounts are disabled.
    /// - Throws: ``Refusal`` with `not_allowed`, `is_owner`, `no_account`, `unknown_person` or
    ///   `ambiguous_person`.
    public func disableAccounts(of who: String) async throws -> [Person] {
        try await checkManagesAccounts()
        let people = try await accountPeople(named: who)
        if people.contains(where: { $0.id == owner.id }) {
            try await changeAccount(of: owner, isEnabled: false)
        }
        for person in people { try await changeAccount(of: person, isEnabled: false) }
        return people
    }

    private func accountPeople(named who: String) async throws -> [Person] {
        if let address = MailAddress.plausible(who) {
            let found = try await store.accountPeople(at: address, limit: Self.holdersMax)
            guard found.isEmpty else { return found }
        }
        let person = try await person(named: who)
        guard let other = try await otherHolder(of: person) else { return [person] }
        let isHolder = try await store.account(of: person.id) != nil
        return isHolder ? [person, other] : [other]
    }
}
