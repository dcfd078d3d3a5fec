public import Agenda
import Interchange
import Ledger
import Storage

extension Planner {
    /// Merges two people who turned out to be the same person.
    ///
    /// The first one is kept. Their card gains the values of the other card; where both have a
    /// value, the first card's value is used. Coming meetings are planned again, so that nobody is
    /// notified twice.
    ///
    /// - Parameters:
    ///   - kept: the person to keep.
    ///   - other: the person to merge into the first one.
    ///   - saving: whether to save the result; otherwise it is a preview.
    /// - Returns: the merged contact.
    /// - Throws: ``Refusal`` with `same_person`; or with `is_owner`, because the owner is not a
    ///   contact.
    public func mergePeople(
        _ kept: Person, _ other: Person, saving: Bool = true
    ) async throws -> PersonView {
        try checkIsOwner(to: "merge people")
        guard kept.id != owner.id, other.id != owner.id else {
            throw Refusal(
                .refused, code: "is_owner",
                "The owner of this installation cannot be merged with another person.")
        }
        let merged = try await store.mergePersons(
            kept.id, other.id, now: now,
            decisions: MergeDecisions(
                card: { $0.uniting($1) },
                meeting: replanning(because: "two people turned out to be one")), saving: saving)
        guard let merged else {
            throw Refusal(
                .refused, code: "same_person",
                "Both are already the same person, \(kept.name). Name two people by address or "
                    + "id.",
                candidates: [.person(PersonLine(kept))])
        }
        return personView(merged.person, card: merged.cards[actor.id])
    }

    /// Takes back the last merge into a person, up to 30 days after it. The other person gets back
    /// their card, meetings, answers and settings, with what has changed in them since. Everything
    /// else that changed stays with the first. Sign-ins and private links since the merge end.
    ///
    /// - Parameters:
    ///   - kept: the person who was kept.
    ///   - saving: whether to save the result; otherwise it is a preview.
    /// - Returns: both people, and a remark about what could not be restored.
    /// - Throws: ``Refusal`` with `not_merged`.
    public func unmergePerson(
        _ kept: Person, saving: Bool = true
    ) async throws -> (kept: PersonView, other: PersonView, remarks: [Remark]) {
        try checkIsOwner(to: "take back a merge")
        let decisions = UnmergeDecisions(
            card: { current, united, before in
                current.taking(changesFrom: united, to: before, besides: [], isFirst: true)
            },
            meeting: replanning(because: "a merge of two people was taken back"))
        guard
            let people = try await store.unmerge(
                kept.id, now: now, decisions: decisions, saving: saving)
        else {
            throw Refusal(
                .refused, code: "not_merged",
                "Nobody was merged into \(kept.name) in the last 30 days, or somebody was erased "
                    + "since.")
        }
        return (
            personView(people.kept.person, card: people.kept.cards[actor.id]),
            personView(people.other.person, card: people.other.cards[actor.id]),
            people.lost.isEmpty ? [] : [Self.notRestored(people.lost)]
        )
    }

    private static func notRestored(_ tables: [String]) -> Remark {
        let words = tables.map { $0.replacing("_", with: " ") }.joined(separator: ", ")
        return Remark(
            "Not everything could be restored, because something else has its place now: \(words).")
    }
}

extension Planner {
    /// A person as a contact is shown, even if they are in no address book.
    private func personView(_ person: Person, card known: ContactCard?) -> PersonView {
        var card = known ?? ContactCard(typedName: person.name)
        if known == nil {
            card.timeZone = person.zone
            card.language = person.language
            if !person.address.isEmpty {
                card.emails = [ContactCard.Email(address: person.address, preferred: true)]
            }
        }
        return personView(Contact(person: person.id, card: card))
    }
}
