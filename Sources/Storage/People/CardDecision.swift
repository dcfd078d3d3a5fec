import Agenda
import GRDB
public import Interchange
import Ledger
import Timekeeping

/// The decision about one card of an import.
public struct CardDecision: Sendable {
    /// The change of the address book.
    public enum Act: Sendable {
        /// Adds a new contact, either for a known person or for a new one.
        case insert(isNewPerson: Bool)
        /// Changes an existing contact. Files that use its previous UID still find it.
        case update(before: ContactCard)
        /// Leaves the contact unchanged, because it already matches the card, apart from the fields
        /// that were changed here.
        case keep
        /// Leaves the contact unchanged, because the card is older than the one imported before.
        case outdated
    }

    /// The contact that the card describes, as it is after the import.
    public let contact: Contact
    /// The change of the address book.
    public let act: Act
    /// For a new person, another contact with one of their addresses or with their name.
    public private(set) var besides: Contact?
    /// The fields that differ here and in the card, of which those here were kept, in words.
    public var kept: [String] = []
    /// The mail addresses that the contact lost, because no card has them any more.
    public var gone: [String] = []
    /// The categories of the card that its earlier versions did not have.
    public var newCategories: [String] = []

    private init(_ contact: Contact, _ act: Act) {
        self.contact = contact
        self.act = act
    }

    /// The decision to add a new contact.
    ///
    /// - Parameters:
    ///   - contact: the contact, with the card.
    ///   - isNewPerson: true if nobody knew the person.
    ///   - besides: another contact with one of the addresses or with the name.
    /// - Returns: the decision.
    public static func insert(
        _ contact: Contact, isNewPerson: Bool, besides: Contact? = nil
    ) -> CardDecision {
        var decision = CardDecision(contact, .insert(isNewPerson: isNewPerson))
        decision.besides = besides
        decision.newCategories = contact.card.categories
        return decision
    }

    /// The decision to change a contact.
    public static func update(_ contact: Contact, before: ContactCard) -> CardDecision {
        CardDecision(contact, .update(before: before))
    }

    /// The decision to leave a contact unchanged that already matches the card.
    public static func keep(_ contact: Contact) -> CardDecision { CardDecision(contact, .keep) }

    /// The decision to leave a contact unchanged, because the card is older than the one imported
    /// before.
    public static func outdated(_ contact: Contact) -> CardDecision {
        CardDecision(contact, .outdated)
    }
}

extension CardDecision {
    func save(owner: PersonID, now: Moment, in db: Database) throws {
        switch act {
        case .insert(let isNewPerson):
            if isNewPerson {
                try Person(id: contact.person, name: contact.card.formattedName)
                    .insert(in: db, now: now)
            }
            try contact.save(owner: owner, isNew: isNewPerson, in: db)
        case .update(let before):
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
        switch act {
        case .insert(let isNewPerson): isNewPerson ? nil : contact.person
        case .update: contact.person
        case .keep, .outdated: nil
        }
    }
}
