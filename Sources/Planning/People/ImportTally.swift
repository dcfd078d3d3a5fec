import Agenda
import Interchange
import Ledger
import Storage

/// Counts the changes that an import makes to an address book.
///
/// Of two conflicting cards for one contact, the later one is used. So a second import of a file
/// can change a contact and then change it back, which does not count as an update.
struct ImportTally {
    /// The person of each card by its UID and its addresses, as ``ContactCard/memberKey(of:)``.
    private(set) var persons: [String: PersonID] = [:]
    private var imported: Set<PersonID> = []
    private var unchanged = 0
    private var updates: [PersonID: Update] = [:]
    /// The persons of the imported cards, in the order of their first cards.
    private var order: [PersonID] = []
    private var withoutAddress: [PersonID: String?] = [:]

    /// The changes that the cards of an import made to one contact.
    private struct Update {
        let before: ContactCard
        var after: Contact
        var count = 1
    }

    mutating func take(_ decision: CardDecision, of card: ContactCard) {
        let contact = decision.contact
        let person = contact.person
        if let uid = card.uid { persons[ContactCard.memberKey(of: uid)] = person }
        for email in card.emails {
            persons[ContactCard.memberKey(of: "mailto:\(email.address)")] = person
        }
        let name = contact.card.emails.isEmpty ? contact.card.formattedName : nil
        if withoutAddress.updateValue(name, forKey: person) == nil { order.append(person) }
        switch decision {
        case .insert: imported.insert(person)
        case .keep: unchanged += 1
        case .update(_, let before):
            updates[person, default: Update(before: before, after: contact, count: 0)].count += 1
            updates[person]?.after = contact
        }
    }

    /// Writes the counts into a report.
    func finish(_ report: inout ImportReport) {
        report.imported = imported.count
        report.unchanged = unchanged
        for (person, update) in updates {
            if !imported.contains(person), update.after.isKept(as: update.before) {
                report.unchanged += update.count
            } else {
                report.updated += update.count
            }
        }
        report.withoutAddress = order.compactMap { withoutAddress[$0] ?? nil }
    }
}
