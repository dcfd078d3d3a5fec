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
    /// - Parameters:
    ///   - first: who stays: somebody of the address book, or by address or id a guest.
    ///   - second: who is the same person.
    ///   - saving: whether to do it; without, the answer is a preview.
    /// - Returns: the contact that is left.
    /// - Throws: ``Refusal`` with `same_person`, or with `is_owner`: the owner is no contact.
    public func mergePeople(
        _ first: String, _ second: String, saving: Bool = true
    ) async throws -> PersonView {
        try checkIsOwner(to: "merge people")
        let kept = try await person(first)
        let other = try await person(second)
        guard kept.id != owner.id, other.id != owner.id else {
            throw Refusal(
                .refused, code: "is_owner",
                "The owner of this installation is no contact and cannot be merged.")
        }
        let merged = try await store.mergePersons(
            kept.id, other.id, now: now,
            decisions: MergeDecisions(
                card: { $0.uniting($1) },
                meeting: replanning(because: "two people turned out to be one")), saving: saving)
        guard let merged else {
            throw Refusal(
                .refused, code: "same_person",
                "\(first) and \(second) are one person already: \(kept.name). "
                    + "Name two people by address or id.",
                candidates: [.person(PersonLine(kept))])
        }
        return PersonView(merged.person, card: merged.cards[actor.id])
    }
}

extension PersonView {
    /// A person as `people show` prints a contact, also when they are in no address book.
    fileprivate init(_ person: Person, card known: ContactCard?) {
        var card = known ?? ContactCard(typedName: person.name)
        if known == nil {
            card.timeZone = person.zone
            card.language = person.language
            if !person.address.isEmpty {
                card.emails = [ContactCard.Email(address: person.address, preferred: true)]
            }
        }
        self.init(Contact(person: person.id, card: card))
    }
}
