public import Agenda
import GRDB
import Interchange
import Ledger

/// The people a card may describe.
public struct CardCandidates: Sendable {
    /// The contact with the card's UID, or the contact into which that one was merged.
    public let sameUID: Contact?
    /// Contacts with exactly the same name and one of the card's addresses, which they may also
    /// have had in a file.
    public let namesakes: [Contact]
    /// Other contacts with one of the card's addresses; only the first ones if there are many.
    public let sharing: [Contact]
    /// Guests with one of the card's addresses.
    public let guests: [Person]
    /// Contacts with exactly the same name and none of the card's addresses; only the first ones if
    /// there are many.
    public let elsewhere: [Contact]

    static let limit = 20
    /// The maximum number of persons with an address who are examined.
    static let sharersMax = 100
    /// The maximum number of contacts with the same name that are compared by phone number.
    private static let elsewhereMax = 50

    static func fetch(
        for card: ContactCard, known: Contact?, of owner: PersonID, _ memory: ImportMemory,
        in db: Database
    ) throws -> CardCandidates {
        guard known == nil else {
            return CardCandidates(
                sameUID: known, namesakes: [], sharing: [], guests: [], elsewhere: [])
        }
        let addresses = card.emails.map { PersonAddresses.folded($0.address) }
        var namesakes = try namesakes(of: card, at: addresses, of: owner, memory, in: db)
        if namesakes.isEmpty, card.uid == nil, !addresses.isEmpty {
            namesakes = try formerNamesakes(of: card, at: addresses, of: owner, memory, in: db)
        }
        guard namesakes.isEmpty else {
            return CardCandidates(
                sameUID: nil, namesakes: namesakes, sharing: [], guests: [], elsewhere: [])
        }
        return CardCandidates(
            sameUID: nil, namesakes: [],
            sharing: try addresses.flatMap {
                try Contact.fetchAll(key: $0, limit: limit, of: owner, memory, in: db)
            },
            guests: try memory.guests(at: addresses, besides: owner, in: db),
            elsewhere: try Contact.fetchAll(
                key: SearchKey.name(card.formattedName), limit: elsewhereMax, of: owner, memory,
                in: db
            ).filter { SearchKey.isSameName($0.card.formattedName, card.formattedName) })
    }

    /// Contacts built from a card without a UID that had the card's name, of which the card or the
    /// contact has one of its addresses. The contact may have been renamed since, or have lost the
    /// address.
    private static func formerNamesakes(
        of card: ContactCard, at addresses: [String], of owner: PersonID, _ memory: ImportMemory,
        in db: Database
    ) throws -> [Contact] {
        // The inner query needs the index alone. Without it, SQLite reads all cards of the book.
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT s.card AS source, c.person_id, c.card FROM card_source s
                    JOIN contact c ON c.number = s.contact_number
                    WHERE s.owner_id = :owner AND s.uid IN (
                        SELECT n.uid FROM card_source n
                        WHERE n.owner_id = :owner AND n.name = :name AND n.name <> ''
                        ORDER BY n.uid LIMIT :limit)
                    ORDER BY s.uid
                    """),
            arguments: ["owner": owner.text, "name": CardSource.name(of: card), "limit": limit])
        return try rows.reduce(into: [Contact]()) { contacts, row in
            let contact = try memory.contact(row)
            guard !contacts.contains(where: { $0.person == contact.person }) else { return }
            let known = try memory.card(row["source"]).emails + contact.card.emails
            if known.contains(where: { addresses.contains(PersonAddresses.folded($0.address)) }) {
                contacts.append(contact)
            }
        }
    }

    /// The contacts with the name of the card and at least one of the given addresses.
    static func namesakes(
        of card: ContactCard, at addresses: [String], of owner: PersonID, _ memory: ImportMemory,
        in db: Database
    ) throws -> [Contact] {
        let name = SearchKey.name(card.formattedName)
        return try addresses.flatMap {
            try Contact.fetchAll(name: name, address: $0, of: owner, memory, in: db)
        }.filter { SearchKey.isSameName($0.card.formattedName, card.formattedName) }
    }
}
