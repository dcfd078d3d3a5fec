public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// The decision about one card of an import.
public enum CardDecision: Sendable {
    /// Adds a new contact, either for a known person or for a new one. `sharing` is another contact
    /// with one of its addresses.
    case insert(Contact, isNewPerson: Bool, sharing: Contact? = nil)
    /// Changes an existing contact. Files that use its previous UID still find it.
    case update(Contact, before: ContactCard)
    /// Leaves the contact unchanged, because it already matches the card.
    case keep(Contact)
    /// Leaves the contact unchanged, because the card is older than the one imported before.
    case outdated(Contact)

    /// The contact that the card describes, as it is after the import.
    public var contact: Contact {
        switch self {
        case .insert(let contact, _, _), .update(let contact, _): contact
        case .keep(let contact), .outdated(let contact): contact
        }
    }
}

extension Store {
    /// Imports cards into an address book in one transaction, and returns the decision for each
    /// card.
    ///
    /// `decide` receives the contacts that might be the same person, and the guests who have one of
    /// the card's addresses. It is not called for a card that is identical to its last import, so
    /// that later manual changes are kept. If a contact gains an address of a guest and `decisions`
    /// identifies the two, they are merged into one person. Coming meetings of changed contacts are
    /// replanned.
    public func importCards(
        _ cards: [ContactCard], owner: PersonID, now: Moment, decisions: ContactDecisions,
        decide: @escaping @Sendable (ContactCard, CardCandidates) -> CardDecision
    ) async throws -> [CardDecision] {
        try await write { db in
            try Self.prepareImport(in: db)
            let taken = try cards.map { read in
                var source = CardSource(of: read, owner: owner)
                if let known = try source.unchanged(in: db) { return CardDecision.keep(known) }
                let card = try read.distinguished(from: owner, in: db)
                if card.uid != read.uid {
                    source = CardSource(of: card, owner: owner)
                    if let known = try source.unchanged(in: db) { return .keep(known) }
                }
                var candidates = try CardCandidates.fetch(for: card, of: owner, in: db)
                try candidates.addBases(of: source, owner: owner, in: db)
                let decision = decide(card, candidates)
                try decision.save(owner: owner, now: now, in: db)
                if case .update(let contact, let before) = decision {
                    try contact.adoptGuest(
                        since: before, owner: owner, decisions: decisions, in: db)
                }
                if case .outdated = decision { return decision }
                try source.save(for: decision, in: db)
                return decision
            }
            // Several of these people may take part in the same meeting; each meeting is replanned
            // once.
            let meetings = try Set(taken.compactMap(\.known)).reduce(into: Set<MeetingID>()) {
                try $0.formUnion(MeetingID.coming(of: $1, now: now, in: db))
            }
            try MeetingBundle.replan(meetings, by: decisions.merge.meeting, in: db)
            return taken
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
        case .update(let contact, let before):
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
    fileprivate var known: PersonID? {
        switch self {
        case .insert(let contact, let isNewPerson, _): isNewPerson ? nil : contact.person
        case .update(let contact, _): contact.person
        case .keep, .outdated: nil
        }
    }
}
