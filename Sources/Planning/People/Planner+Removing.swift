public import Agenda
import Interchange
import Ledger
import Storage

/// The result of removing a contact from the address book.
public struct RemovalReport: Encodable, Sendable {
    /// The contact as it was before.
    public let person: PersonView
    /// The names of the actor's circles that the person leaves.
    public let circles: [String]
    /// The coming meetings to which the person stays invited. Meetings that the actor may not see
    /// are left out.
    public let meetings: [MeetingLine]
}

extension Planner {
    /// Removes a contact from the address book and from the actor's circles. The person stays in
    /// meetings.
    ///
    /// - Parameters:
    ///   - person: the contact.
    ///   - saving: true to save the change; false for a preview.
    /// - Returns: the contact as it was before, and what they leave and where they stay.
    /// - Throws: ``Refusal`` with `not_a_contact`.
    public func removePerson(
        _ person: Person, saving: Bool = true
    ) async throws -> RemovalReport {
        let contact = try await storedContact(person)
        let (owner, id) = (actor.id, contact.person)
        let circles = try await store.lookUp {
            try $0.circles(of: owner, with: id, limit: Self.listRowsMax)
        }
        var filter = visible(limit: Self.listRowsMax)
        filter.invited = contact.person
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        let meetings = try await summaries(filter).map(line)
        if saving {
            try await store.removeContact(contact.person, owner: actor.id, now: now)
        }
        return RemovalReport(
            person: personView(contact), circles: circles.map(\.name), meetings: meetings)
    }

    /// The person that a WHO means, in the address book or only in meetings.
    ///
    /// This search is for actions that cannot be undone. So a contact is refused as ambiguous if
    /// somebody outside the address book matches equally well or better.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    func personAnywhere(_ who: String) async throws -> Person {
        let name = WhoText.person(in: who)
        let others = try await store.persons(
            fitting: name, outside: owner.id, limit: PersonSearch.candidatesMax)
        let found = try await knownPerson(named: who)
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
