import Agenda
import GRDB
public import Interchange

/// A contact that an imported card describes, with the cards of files from which it was built.
public struct KnownContact: Sendable {
    /// The contact.
    public let contact: Contact
    /// True if files know the contact by several UIDs.
    public let isMerged: Bool
    /// The earlier versions of the imported card; none for a card without a UID.
    public private(set) var former: [ContactCard] = []
    /// The other cards, as they were imported last.
    public private(set) var others: [ContactCard] = []
    /// True if these are all cards from which the contact was built.
    public private(set) var isComplete: Bool
    /// The contact's mail addresses, folded, that were typed here before a card had them.
    public private(set) var typed: Set<String> = []
    /// The ones of ``typed`` that are stored.
    private var stored: Set<String> = []

    /// The most cards of one contact that are read.
    private static let cardsMax = 20

    /// Reads the cards from which a contact was built.
    ///
    /// - Parameters:
    ///   - contact: the contact.
    ///   - source: the card that is imported.
    ///   - owner: the owner of the address book.
    ///   - db: the database.
    /// - Throws: database errors.
    init(
        _ contact: Contact, as source: CardSource, of owner: PersonID, in db: Database
    ) throws {
        self.contact = contact
        isMerged = try contact.hasAlias(owner: owner, in: db)
        let all = try CardSource.all(
            of: contact.person, owner: owner, limit: Self.cardsMax + 1, in: db)
        isComplete = all.count <= Self.cardsMax
        let known =
            isComplete
            ? all
            : source.isContent
                ? try CardSource.rows(of: contact.person, owner: owner, in: db)
                : try [source.base(of: contact.person, in: db)].compactMap(\.self)
        for one in known {
            guard let card = one.card else {
                isComplete = false
                continue
            }
            if one.isTyped {
                stored.formUnion(card.foldedAddresses)
            } else if one.precedes(source) {
                former.append(card)
            } else {
                others.append(card)
            }
        }
        let said = (former + others).flatMap(\.foldedAddresses)
        let own = isComplete ? contact.card.foldedAddresses.subtracting(said) : []
        typed = stored.union(own).intersection(contact.card.foldedAddresses)
    }

    /// Stores the addresses that were typed here, before a card with one of them is saved.
    func saveTyped(of owner: PersonID, in db: Database) throws {
        guard typed != stored else { return }
        let emails = contact.card.emails.filter {
            typed.contains(PersonAddresses.folded($0.address))
        }
        let source = CardSource(typed: emails, of: contact.person, owner: owner)
        if emails.isEmpty {
            try source.delete(in: db)
        } else {
            try source.save(for: contact, in: db)
        }
    }
}

extension ContactCard {
    /// The mail addresses, in the form in which they are compared.
    fileprivate var foldedAddresses: Set<String> {
        Set(emails.map { PersonAddresses.folded($0.address) })
    }
}
