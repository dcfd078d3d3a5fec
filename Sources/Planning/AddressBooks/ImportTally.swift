import Agenda
import Interchange
import Ledger
import Storage

/// Counts the changes that an import makes to an address book.
///
/// Of two conflicting cards for one contact, the later one is used. So a second import of a file
/// can change a contact and then change it back, which does not count as an update.
struct ImportTally {
    /// The persons of the cards that groups name, as ``ContactCard/memberKey(of:)``. Several people
    /// may have one address.
    private(set) var persons: [String: [PersonID]] = [:]
    private let members: Set<String>
    private var imported: Set<PersonID> = []
    private var unchanged = 0
    private var updates: [PersonID: Update] = [:]
    /// The persons without an address, in the order of their first cards.
    private var order: [PersonID] = []
    private var withoutAddress: [PersonID: String?] = [:]
    /// The cards with the UID of somebody else.
    private var strangers: [ImportedCard] = []
    /// The first card with an address or a number that its contact has no room for.
    private var overfull: ImportedCard?

    /// The cards that are older than those imported before.
    private var outdated: [ImportedCard] = []
    /// The cards that gave their contacts another name, with the earlier one.
    private var renamed: [(card: ImportedCard, before: String)] = []

    /// The new people with an address or the name of somebody else.
    private var resembling: [(card: ImportedCard, other: ContactCard)] = []
    /// The last card of each person.
    private var lastCards: [PersonID: ImportedCard] = [:]
    /// The cards that were merged with another one of the import, which says something else.
    private var doubled: [(card: ImportedCard, other: ImportedCard)] = []
    /// The cards that only the name joined with a contact, which says something else.
    private var named: [ImportedCard] = []
    /// The fields that were changed here and by a card.
    private var kept: [(card: ImportedCard, field: String)] = []
    /// The addresses that contacts lost with a card.
    private var gone: [(card: ImportedCard, person: PersonID, address: String)] = []

    /// The pictures of the cards.
    var pictures = ImportedPictures()
    /// The categories of the cards.
    var categories = ImportCategories()

    /// The changes that the cards of an import made to one contact.
    private struct Update {
        let before: ContactCard
        var after: Contact
        var count = 1
    }

    /// Creates an empty tally.
    ///
    /// - Parameter members: the members that groups name, as ``ContactCard/memberKey(of:)``.
    init(members: Set<String>) { self.members = members }

    mutating func take(_ decision: CardDecision, of whole: ImportedCard) {
        let read = whole.withoutExtra
        let card = read.card
        let contact = decision.contact
        let person = contact.person
        note(person, of: card)
        if let uid = card.uid, contact.card.uid?.hasPrefix("\(uid)+") == true {
            strangers.append(read)
        }
        if contact.card.hasNoRoom(for: card) { overfull = overfull ?? read }
        if contact.card.emails.isEmpty {
            let name = contact.card.formattedName
            if withoutAddress.updateValue(name, forKey: person) == nil { order.append(person) }
        } else if withoutAddress[person] != nil {
            withoutAddress[person] = .some(nil)
        }
        kept += decision.kept.map { (read, $0) }
        gone += decision.gone.map { (read, person, $0) }
        let other = lastCards.updateValue(read, forKey: person)
        if case .update(let before) = decision.act {
            if let other {
                if read.isOther(than: other) { doubled.append((read, other)) }
            } else if card.isNamesakeOnly(of: before), card.contradicts(before) {
                named.append(read)
            }
        }
        switch decision.act {
        case .insert:
            imported.insert(person)
            if let other = decision.besides { resembling.append((read, other.card)) }
        case .keep: unchanged += 1
        case .outdated:
            unchanged += 1
            outdated.append(read)
        case .update(let before):
            if card.uid != nil, before.hasOwnName,
                !SearchKey.isSameName(before.formattedName, contact.card.formattedName)
            {
                renamed.append((read, before.formattedName))
            }
            updates[person, default: Update(before: before, after: contact, count: 0)].count += 1
            updates[person]?.after = contact
        }
    }

    private mutating func note(_ person: PersonID, of card: ContactCard) {
        guard !members.isEmpty else { return }
        if let key = card.uid.map(ContactCard.memberKey), members.contains(key) {
            persons[key] = [person]
        }
        let addresses = card.emails.map { ContactCard.memberKey(of: "mailto:\($0.address)") }
        for key in addresses
        where members.contains(key) && persons[key]?.contains(person) != true {
            persons[key, default: []].append(person)
        }
        // Of several people with one UID, a group means the first.
        guard let key = card.sharedUID.map(ContactCard.memberKey), members.contains(key) else {
            return
        }
        persons[key] = persons[key] ?? [person]
    }

    /// Writes the counts into a report.
    func finish(_ report: inout ImportReport) {
        report.warnings += strangers.map { stranger in
            stranger.remark(
                "\(stranger.card.formattedName) has the same UID as another person in your address "
                    + "book; they are kept as two people")
        }
        report.warnings += outdated.map { read in
            read.remark(
                "this card of \(read.card.formattedName) is older than the one imported before "
                    + "(REV), so nothing was changed")
        }
        report.warnings += renamed.map { card, before in
            card.remark("\(before) is now called \(card.card.formattedName)", kind: "renamed")
        }
        report.warnings += resembling.map { read, other in read.remark(besides: other) }
        report.warnings += doubled.map { read, other in
            let (name, line) = (read.card.formattedName, other.card.line)
            return read.remark(
                other.file == read.file
                    ? "\(name) is in this file twice, also in line \(line), with other values: "
                        + "both became one person"
                    : "\(name) is also in \(other.file), line \(line), with other values: both "
                        + "became one person", kind: "doubled")
        }
        report.warnings += named.map { read in
            read.remark(
                "\(read.card.formattedName) has no address, and was taken for the contact of this "
                    + "name, which had other values. If they are two people, give one of them an "
                    + "address or another name", kind: "same name only")
        }
        report.warnings += kept.map { read, field in
            read.remark(
                "the \(RemarkText(stringLiteral: field)) of \(read.card.formattedName) was changed "
                    + "here and in the file: the version here was kept", kind: "kept \(field)")
        }
        // Another card of the import may have brought the address back.
        report.warnings += gone.filter { _, person, address in
            updates[person]?.after.card.hasEmail(address) != true
        }.map { read, _, address in
            read.remark(
                "\(read.card.formattedName) no longer has \(address) in the file, so it was "
                    + "removed here, too", kind: "gone address")
        }
        if let overfull {
            report.warnings.append(
                overfull.remark(
                    "\(overfull.card.formattedName) has more than \(ContactRules.entriesMax) "
                        + "addresses or phone numbers; the others are not imported"))
        }
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

extension ContactCard {
    /// True if another card has another birthday, note, organization or title, or no phone number
    /// or postal address in common, so that it may be of somebody else.
    func contradicts(_ other: ContactCard) -> Bool {
        func areOther(_ list: (ContactCard) -> [String]) -> Bool {
            let (own, others) = (Set(list(self)), Set(list(other)))
            return !own.isEmpty && !others.isEmpty && own.isDisjoint(with: others)
        }
        return areOther { [$0.birthday].compactMap(\.self) }
            || [\ContactCard.note, \.organization, \.title].contains { text in
                areOther { [$0[keyPath: text]].filter { !$0.isEmpty } }
            }
            || areOther { $0.phones.map(\.digits) }
            || areOther { $0.addresses.map { SearchKey.fold("\($0.street) \($0.locality)") } }
    }

    /// True if nothing but the name joins this card with a contact, which did not know its UID.
    fileprivate func isNamesakeOnly(of contact: ContactCard) -> Bool {
        emails.isEmpty && contact.emails.isEmpty && (uid == nil || contact.uid == nil)
            && Set(phones.map(\.digits)).isDisjoint(with: contact.phones.map(\.digits))
    }

    /// True if the contact has no room for an address or a phone number of a card.
    fileprivate func hasNoRoom(for card: ContactCard) -> Bool {
        let isFull = emails.count >= ContactRules.entriesMax
        if isFull, !card.emails.allSatisfy({ hasEmail($0.address) }) { return true }
        guard phones.count >= ContactRules.entriesMax else { return false }
        let known = Set(phones.map(\.digits))
        return !card.phones.allSatisfy { known.contains($0.digits) }
    }
}
