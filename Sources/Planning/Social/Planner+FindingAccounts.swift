package import Agenda
import Interchange
import Ledger
import Storage
import Wording

/// Finding the accounts that can be followed.
///
/// A profile can be seen by everybody who has its id. By a name, the actor finds only people whom
/// they know: contacts, people in the same meetings, and those in their lists of follows. Somebody
/// who blocks the actor is nobody, as somebody without an account is.
extension Planner {
    /// The most people whose names are compared with a typed one.
    private static let comparedMax = 2_000
    private static let idCharacters = 16

    /// The person that a WHO means: the id of a profile, or a name that means somebody whom the
    /// actor knows.
    ///
    /// - Throws: ``Refusal`` with `unknown_person`, `is_circle` or `ambiguous_person`.
    package func account(named who: String) async throws -> Person {
        try Refusal.checkNames(who, a: "person")
        if let id = Self.profileID(in: who), let person = try await visibleAccount(id) {
            return person
        }
        guard !who.hasPrefix("@") else { throw Self.unknownProfile }
        do {
            let person = try await person(named: who)
            guard !person.hasTypedName else { throw Self.nobody(at: person.address) }
            return try await holder(meantBy: person)
        } catch let refusal as Refusal where refusal.code == "unknown_person" {
            guard NamedAddress(who) == nil, let person = try await metAccount(named: who) else {
                throw refusal
            }
            return person
        }
    }

    /// The refusal of the id of a profile that the actor may not see, or that nobody has.
    package static let unknownProfile = Refusal(
        .refused, code: "unknown_person", "Nobody has this profile.")

    /// The id in the address of a profile; `nil` for other texts.
    private static func profileID(in text: String) -> PersonID? {
        let id = text.hasPrefix("@") ? String(text.dropFirst()) : text
        let isID =
            id.utf8.count == idCharacters
            && id.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
            }
        return isID ? PersonID(text: id) : nil
    }

    /// The person with an account that the actor may see; `nil` for all others.
    package func visibleAccount(_ id: PersonID) async throws -> Person? {
        guard let person = try await store.person(id),
            try await store.seesAccount(person.id, by: actor.id)
        else { return nil }
        return person
    }

    /// The person with the account that a person means: somebody else whom the actor meets, and to
    /// whom the address of the person was proven to belong, if the person has no account.
    private func holder(meantBy person: Person) async throws -> Person {
        guard !person.address.isEmpty, try await store.account(of: person.id) == nil,
            let holder = try await store.accountHolder(at: person.address), holder.id != person.id
        else { return person }
        let actor = actor.id
        let isMet = try await store.lookUp { try $0.takePartTogether(holder.id, actor) }
        return isMet || actsAsOwner ? holder : person
    }

    /// Somebody in the actor's meetings or in their lists of follows; `nil` if nobody there has the
    /// name.
    private func metAccount(named who: String) async throws -> Person? {
        var people = try await store.metAccounts(of: actor.id, limit: Self.comparedMax)
        for list in FollowList.allCases { people += try await followed(list) }
        var seen: [Person] = []
        for person in Self.matches(who, among: people.uniqued(by: \.id))
        where try await store.seesAccount(person.id, by: actor.id) { seen.append(person) }
        return try await only(seen, named: who)
    }

    /// The people in a list of follows of the actor.
    func followed(_ list: FollowList) async throws -> [Person] {
        try await store.follows(
            list, of: actor.id, seenBy: actor.id, limit: Self.comparedMax
        ).map(\.person)
    }

    /// The person in a list whom a WHO means; `nil` if it means nobody there.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_person`.
    func person(named who: String, among people: [Person]) async throws -> Person? {
        try await only(Self.matches(who, among: people), named: who)
    }

    private static func matches(_ who: String, among people: [Person]) -> [Person] {
        if let id = profileID(in: who) { return people.filter { $0.id == id } }
        let text = WhoText(who)?.name ?? who
        let shown = people.map { (person: $0, name: PersonLine($0, isPrivate: true).name) }
        let exact = shown.filter { SearchKey.isSameName($0.name, text) }
        guard exact.isEmpty else { return exact.map(\.person) }
        let key = SearchKey.fold(text)
        return shown.filter { person in
            !key.isEmpty
                && SearchKey.fold(person.name).split(separator: " ").contains {
                    $0.hasPrefix(key)
                }
        }.map(\.person)
    }

    private func only(_ matches: [Person], named who: String) async throws -> Person? {
        guard matches.count > 1 else { return matches.first }
        throw try await searching {
            try $0.ambiguous(who, Array(matches.prefix(PersonSearch.candidatesMax)))
        }
    }
}

extension Array where Element: Sendable {
    /// The elements without those whose key an earlier element has.
    fileprivate func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
