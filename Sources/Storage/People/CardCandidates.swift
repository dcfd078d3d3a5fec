public import Agenda
import GRDB
public import Interchange
public import Ledger

/// The people a card may describe.
public struct CardCandidates: Sendable {
    /// The contact with the card's UID, or the contact into which that one was merged.
    public let sameUID: Contact?
    /// True if that contact is the result of a merge.
    public let isMerged: Bool
    /// Contacts with exactly the same name. If the card has addresses, they also share one of them.
    public let namesakes: [Contact]
    /// Other contacts with one of the card's addresses; only the first ones if there are many.
    public let sharing: [Contact]
    /// Guests with one of the card's addresses.
    public let guests: [Person]
    /// The version of the card that was imported before; `nil` if it is not known.
    public private(set) var base: ContactCard?
    /// For a card without a UID, the cards without one that each candidate was built from.
    public private(set) var bases: [PersonID: [ContactCard]] = [:]

    static let limit = 20
    /// The maximum number of persons with an address who are examined.
    static let sharersMax = 100
    /// The maximum number of contacts with the same name that are compared by phone number.
    static let namesakesMax = 50

    /// Adds the earlier versions of the card.
    mutating func addBases(of source: CardSource, owner: PersonID, in db: Database) throws {
        if let sameUID {
            base = try source.base(of: sameUID, in: db)
        } else if source.isContent {
            for person in (namesakes + sharing).map(\.person) where bases[person] == nil {
                bases[person] = try CardSource.contents(of: person, owner: owner, in: db)
            }
        }
    }

    static func fetch(
        for card: ContactCard, of owner: PersonID, in db: Database
    ) throws -> CardCandidates {
        let known = try card.uid.flatMap { try Contact.fetch(uid: $0, of: owner, in: db) }
        guard known == nil else {
            return CardCandidates(
                sameUID: known, isMerged: try known?.hasAlias(owner: owner, in: db) ?? false,
                namesakes: [], sharing: [], guests: [])
        }
        let addresses = card.emails.map { PersonAddresses.folded($0.address) }
        var namesakes = try namesakes(of: card, at: addresses, of: owner, in: db)
        if namesakes.isEmpty, card.uid == nil, !addresses.isEmpty {
            namesakes = try formerNamesakes(of: card, at: addresses, of: owner, in: db)
        }
        let isFound = !namesakes.isEmpty
        return CardCandidates(
            sameUID: nil, isMerged: false, namesakes: namesakes,
            sharing: isFound
                ? []
                : try addresses.flatMap {
                    try Contact.fetchAll(key: $0, limit: limit, of: owner, in: db)
                },
            guests: isFound
                ? [] : try Person.guests(at: addresses, besides: owner, in: db))
    }

    /// Contacts with exactly the card's name, built from a card without a UID that has one of its
    /// addresses. The contact itself has lost it.
    private static func formerNamesakes(
        of card: ContactCard, at addresses: [String], of owner: PersonID, in db: Database
    ) throws -> [Contact] {
        let name = SearchKey.name(card.formattedName)
        return try Contact.fetchAll(key: name, limit: limit, of: owner, in: db).filter { contact in
            guard SearchKey.isSameName(contact.card.formattedName, card.formattedName) else {
                return false
            }
            return try CardSource.contents(of: contact.person, owner: owner, in: db)
                .flatMap(\.emails)
                .contains { addresses.contains(PersonAddresses.folded($0.address)) }
        }
    }

    /// Contacts with exactly the card's name and, if the card has addresses, one of these.
    static func namesakes(
        of card: ContactCard, at addresses: [String], of owner: PersonID, in db: Database
    ) throws -> [Contact] {
        let name = SearchKey.name(card.formattedName)
        let found =
            addresses.isEmpty
            ? try Contact.fetchAll(key: name, limit: namesakesMax, of: owner, in: db)
            : try addresses.flatMap {
                try Contact.fetchAll(name: name, address: $0, of: owner, in: db)
            }
        return found.filter { SearchKey.isSameName($0.card.formattedName, card.formattedName) }
    }
}
