import Agenda
import GRDB
public import Interchange
import Ledger
import Timekeeping

/// The decision about one card of an import.
public enum CardDecision: Sendable {
    /// Adds a new contact, either for a known person or for a new one. `besides` is another contact
    /// with one of its addresses or with its name.
    case insert(Contact, isNewPerson: Bool, besides: Contact? = nil)
    /// Changes an existing contact. Files that use its previous UID still find it. `kept` names the
    /// fields that differ here and in the card and were changed here.
    case update(Contact, before: ContactCard, kept: [String] = [])
    /// Leaves the contact unchanged, because it already matches the card, apart from the fields
    /// that were changed here.
    case keep(Contact, kept: [String] = [])
    /// Leaves the contact unchanged, because the card is older than the one imported before.
    case outdated(Contact)

    /// The contact that the card describes, as it is after the import.
    public var contact: Contact {
        switch self {
        case .insert(let contact, _, _), .update(let contact, _, _): contact
        case .keep(let contact, _), .outdated(let contact): contact
        }
    }

    /// The fields that differ here and in the card, of which those here were kept, in words.
    public var kept: [String] {
        switch self {
        case .update(_, _, let kept), .keep(_, let kept): kept
        case .insert, .outdated: []
        }
    }
}

extension CardDecision {
    func save(owner: PersonID, now: Moment, in db: Database) throws {
        switch self {
        case .insert(let contact, let isNewPerson, _):
            if isNewPerson {
                try Person(id: contact.person, name: contact.card.formattedName)
                    .insert(in: db, now: now)
            }
            try contact.save(owner: owner, isNew: isNewPerson, in: db)
        case .update(let contact, let before, _):
            try contact.save(owner: owner, in: db)
            let spellings = contact.card.uid.map(ContactCard.spellings) ?? []
            if let uid = before.uid, !spellings.contains(uid) {
                try contact.addAlias(uid, owner: owner, in: db)
            }
        case .keep, .outdated:
            break
        }
    }

    /// The person whose meetings need replanning because the card changed something; `nil` for a
    /// new person or an unchanged contact.
    var known: PersonID? {
        switch self {
        case .insert(let contact, let isNewPerson, _): isNewPerson ? nil : contact.person
        case .update(let contact, _, _): contact.person
        case .keep, .outdated: nil
        }
    }
}
