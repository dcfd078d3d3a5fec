import Agenda
import Interchange
import Ledger
import Storage

extension Planner {
    /// Makes one person of two who turned out to be the same.
    ///
    /// The first stays; their card gains what the other one knows, and where both speak, the first
    /// is heard. Coming meetings are planned anew, so that nobody is told twice.
    ///
    /// - Returns: the contact that is left.
    /// - Throws: ``Refusal`` with `same_person`, or with `is_owner`: the owner is no contact.
    public func mergePeople(_ first: String, _ second: String) async throws -> PersonView {
        try checkIsOwner(to: "merge people")
        let kept = try await personAnywhere(first)
        let other = try await personAnywhere(second)
        guard kept.id != owner.id, other.id != owner.id else {
            throw Refusal(
                .refused, code: "is_owner",
                "The owner of this installation is no contact and cannot be merged.")
        }
        guard try await merge(other.id, into: kept.id) else {
            throw Refusal(
                .refused, code: "same_person",
                "\(first) and \(second) are one person already: \(kept.name). "
                    + "Name two people by address or id.",
                candidates: [.person(PersonLine(kept))])
        }
        return try await personView(kept.id)
    }

    /// Makes one person of two; `false` when they are one already.
    func merge(_ other: PersonID, into kept: PersonID) async throws -> Bool {
        try await store.mergePersons(
            kept, other, now: now,
            decisions: MergeDecisions(
                card: { $0.gaining($1) },
                meeting: replanning(because: "two people turned out to be one")))
    }

    /// A person as `people show` prints a contact, also when they are in no address book.
    func personView(_ id: PersonID) async throws -> PersonView {
        if let contact = try await store.contact(id, of: actor.id) { return PersonView(contact) }
        guard let person = try await store.person(id) else {
            throw Refusal(.refused, code: "unknown_person", "Nobody has the id \(id).")
        }
        var card = ContactCard(formattedName: person.name)
        card.timeZone = person.zone
        if !person.address.isEmpty {
            card.emails = [ContactCard.Email(address: person.address, preferred: true)]
        }
        return PersonView(Contact(person: person.id, card: card))
    }
}
