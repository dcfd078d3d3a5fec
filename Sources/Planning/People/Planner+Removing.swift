import Agenda
import Interchange
import Ledger
import Storage

/// What became of a contact that was taken out of the address book.
public struct RemovalReport: Encodable, Sendable {
    /// The contact, as it was.
    public let person: PersonView
    /// The coming meetings to which they stay invited, of those that the actor may see.
    public let meetings: [MeetingLine]
}

extension Planner {
    /// Takes somebody out of the address book; they stay in meetings.
    public func removePerson(_ who: String) async throws -> RemovalReport {
        let contact = try await storedContact(who)
        var filter = visible(limit: Self.listRowsMax)
        filter.invited = contact.person
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        let meetings = try await summaries(filter).map(line)
        try await store.removeContact(contact.person, owner: actor.id)
        return RemovalReport(person: PersonView(contact), meetings: meetings)
    }

    /// One person whom a WHO means, also among those who are in meetings but in no address book.
    ///
    /// What is done to people here cannot be undone, so that a contact is meant only when nobody
    /// outside of the address book is called so as well.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    func personAnywhere(_ who: String) async throws -> Person {
        let name = WhoText.person(in: who)
        let others = try await store.persons(
            fitting: name, outside: owner.id, limit: PersonSearch.candidatesMax)
        let found = try await knownPerson(who)
        let card = try await store.contact(found.id, of: actor.id)?.card
        let quality = MatchQuality(of: name, on: card ?? ContactCard(formattedName: found.name))
        let rivals = others.filter { other in
            other.person.id != found.id && quality.map { other.quality <= $0 } ?? false
        }
        guard rivals.isEmpty else {
            throw try await searching { try $0.ambiguous(who, [found] + rivals.map(\.person)) }
        }
        return found
    }
}
