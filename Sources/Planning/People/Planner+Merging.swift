public import Agenda
import Interchange
import Ledger
import Secrets
import Storage
public import Timekeeping

/// Two contacts and what they become if they are merged.
public struct MergePreview: Sendable {
    /// The contact who stays.
    public let kept: PersonView
    /// The contact who is merged into the first.
    public let other: PersonView
    /// The contact that results.
    public let united: PersonView
    /// A mark of both contacts, which is another one after any change of them.
    public let version: String
}

/// A merge that can still be taken back.
public struct RecentMerge: Sendable {
    /// The name of the person who was merged.
    public let name: String
    /// The time of the merge.
    public let at: Moment
    /// The time from which it can no longer be taken back.
    public let until: Moment
}

extension Planner {
    /// The cards of two contacts, and the card that a merge makes of them. Nothing is saved.
    ///
    /// - Parameters:
    ///   - kept: the contact to keep.
    ///   - other: the contact to merge into the first one.
    /// - Returns: the three cards.
    /// - Throws: ``Refusal`` with `not_allowed`, `not_a_contact` or `same_person`.
    public func mergePreview(_ kept: Person, _ other: Person) async throws -> MergePreview {
        try checkIsOwner(to: "merge people")
        let (first, second) = (try await storedContact(kept), try await storedContact(other))
        guard first.person != second.person else { throw Self.samePerson(kept) }
        let united = Contact(person: first.person, card: first.card.uniting(second.card))
        return MergePreview(
            kept: personView(first), other: personView(second), united: personView(united),
            version: Self.version(of: first, second))
    }

    private static func version(of contacts: Contact?...) -> String {
        let texts = contacts.map { contact in
            contact.map { VCardWriter.write([$0.card], version: .v4) } ?? ""
        }
        return Hexadecimal.text(SHA256.hash(texts.joined(separator: "\0").utf8))
    }

    /// The check that two contacts are still those that were shown; `nil` if none were shown.
    private func unchanged(since version: String?) -> MergeDecisions.Check? {
        version.map { version in
            MergeDecisions.Check(book: actor.id) { kept, other in
                guard Self.version(of: kept, other) == version else {
                    throw Self.changedContacts
                }
            }
        }
    }

    private static let changedContacts = Refusal(
        .refused, code: "changed_contact",
        "One of the two contacts has just been changed elsewhere. Compare them again before you "
            + "merge them.")

    /// The last merge into a person that can be taken back; `nil` if there is none, or if the actor
    /// may not take it back.
    public func lastMerge(into person: Person) async throws -> RecentMerge? {
        guard actsAsOwner, let last = try await store.lastMerge(into: person.id, now: now)
        else { return nil }
        return RecentMerge(
            name: last.name, at: last.at, until: last.at.advanced(bySeconds: Store.mergeSeconds))
    }

    private static func samePerson(_ person: Person) -> Refusal {
        Refusal(
            .refused, code: "same_person",
            "Both are already the same person, \(person.name). Name two people by address or id.",
            candidates: [.person(PersonLine(person))])
    }

    /// Merges two people who turned out to be the same person.
    ///
    /// The first one is kept. Their card gains the values of the other card; where both have a
    /// value, the first card's value is used. Coming meetings are planned again, so that nobody is
    /// notified twice.
    ///
    /// - Parameters:
    ///   - kept: the person to keep.
    ///   - other: the person to merge into the first one.
    ///   - seen: the version of the preview that the actor saw; `nil` if they saw none.
    ///   - saving: whether to save the result; otherwise it is a preview.
    /// - Returns: the merged contact.
    /// - Throws: ``Refusal`` with `same_person`; with `is_owner`, because the owner is not a
    ///   contact; or with `changed_contact` if a contact has changed since the preview.
    public func mergePeople(
        _ kept: Person, _ other: Person, seen: String? = nil, saving: Bool = true
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
                meeting: replanning(because: "two people turned out to be one"),
                check: unchanged(since: seen)), saving: saving)
        guard let merged else {
            throw Self.samePerson(kept)
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
