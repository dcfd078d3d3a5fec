import Agenda
import Interchange
import Ledger
import Storage

/// Decides whether an imported card belongs to an existing contact.
///
/// A known UID decides; a card that is older than the last one with this UID changes nothing.
/// Otherwise a card and a contact are the same person if they share an
/// address and the name, in any spelling and word order. An address alone is not enough, because
/// families share addresses. If a contact, a guest or a card has only an address as its name, the
/// shared address is enough. If the card or the contact has no address, name and phone number
/// decide.
/// ``CardMerge`` combines the two, so that changes made by hand stay.
///
/// The rule uses only the card and the stored contacts, never other cards of the import. So the
/// same cards give the same people in one import or several, in any order.
enum ContactMatching {
    /// Decides what becomes of a card.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - candidates: the people whom it may describe.
    ///   - known: the contact that it describes, by ``contact(for:among:)``; `nil` for none.
    ///   - newID: the id of a new person.
    /// - Returns: the decision.
    static func decision(
        on card: ContactCard, among candidates: CardCandidates, known: KnownContact?,
        newID: PersonID
    ) -> CardDecision {
        if let known {
            if known.former.contains(where: { card.isOlder(than: $0) }) {
                return .outdated(known.contact)
            }
            return known.contact.becoming(
                CardMerge(of: known, with: card, hasItsUID: candidates.sameUID != nil))
        }
        guard let guest = guest(for: card, among: candidates.guests) else {
            return .insert(
                Contact(person: newID, card: card), isNewPerson: true,
                besides: candidates.sharing.first ?? candidates.elsewhere.first)
        }
        var card = card
        if !card.hasOwnName { card.formattedName = guest.name }
        return .insert(Contact(person: guest.id, card: card), isNewPerson: false)
    }

    /// The contact that a card describes; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - candidates: the people whom it may describe.
    /// - Returns: the contact.
    static func contact(
        for card: ContactCard, among candidates: CardCandidates
    ) -> Contact? {
        if let known = candidates.sameUID { return known }
        let others = candidates.elsewhere.filter { !$0.card.isOfOther(card) }
        guard !card.emails.isEmpty else {
            return others.first { $0.card.hasNumber(of: card) }
                ?? numberless(like: card, among: others)
        }
        let addresses = Set(card.emails.map { MailAddress.folded($0.address) })
        func distance(_ contact: Contact) -> Int {
            addresses.symmetricDifference(
                contact.card.emails.map { MailAddress.folded($0.address) }
            ).count
        }
        let namesakes =
            (candidates.namesakes
            + candidates.sharing.filter { $0.card.formattedName == card.formattedName })
            .filter { !$0.card.isOfOther(card) }
        let namable = candidates.sharing.filter { !card.hasOwnName || !$0.card.hasOwnName }
            .filter { !$0.card.isOfOther(card) }
        return (namesakes.isEmpty ? namable : namesakes).min { distance($0) < distance($1) }
            ?? others.first { $0.card.emails.isEmpty && $0.card.hasNumber(of: card) }
    }

    /// A contact of the same name that has no address, if it or the card has no phone number
    /// either. Two sources that tell such cards apart by UIDs are believed.
    private static func numberless(
        like card: ContactCard, among namesakes: [Contact]
    ) -> Contact? {
        namesakes.first {
            $0.card.emails.isEmpty && (card.uid == nil || $0.card.uid == nil)
                && (card.phones.isEmpty || $0.card.phones.isEmpty)
        }
    }

    /// The guest whom a card names, among the guests with one of its addresses.
    static func guest(for card: ContactCard, among guests: [Person]) -> Person? {
        guests.first { SearchKey.isSameName($0.name, card.formattedName) }
            ?? guests.first { !card.hasOwnName || MailAddress.plausible($0.name) != nil }
    }
}

extension Contact {
    /// True if both cards are the same when stored. They are compared as vCard text, because the
    /// same picture can be encoded in several ways.
    func isKept(as other: ContactCard) -> Bool {
        VCardWriter.write([card], version: .v4) == VCardWriter.write([other], version: .v4)
    }

    fileprivate func becoming(_ merge: CardMerge) -> CardDecision {
        let update = Contact(person: person, card: merge.card.limited)
        let isChanged = update.card != card && !update.isKept(as: card)
        var decision: CardDecision = isChanged ? .update(update, before: card) : .keep(self)
        decision.kept = merge.kept
        decision.gone = merge.gone
        decision.newCategories = merge.newCategories
        return decision
    }
}

extension ContactCard {
    /// True if another card with another UID has another birthday, so that it is of somebody else.
    fileprivate func isOfOther(_ other: ContactCard) -> Bool {
        guard let uid, let otherUID = other.uid, uid != otherUID, let birthday,
            let otherBirthday = other.birthday
        else { return false }
        return birthday != otherBirthday
    }

    /// True if another card has one of the phone numbers.
    fileprivate func hasNumber(of other: ContactCard) -> Bool {
        !Set(phones.map(\.digits)).isDisjoint(with: other.phones.map(\.digits))
    }

    /// This card without what a contact has no room for.
    fileprivate var limited: ContactCard {
        var card = self
        card.emails = Array(emails.prefix(ContactRules.entriesMax))
        card.phones = Array(phones.prefix(ContactRules.entriesMax))
        card.addresses = Array(addresses.prefix(ContactRules.entriesMax))
        card.nicknames = Array(nicknames.prefix(ContactRules.entriesMax))
        card.also = Array(also.prefix(ContactRules.entriesMax))
        card.urls = Array(urls.prefix(ContactRules.entriesMax))
        card.categories = Array(categories.prefix(ContactRules.entriesMax))
        card.note = String(note.prefix(ContactRules.noteCharactersMax))
        return card
    }

    /// This card with the name and the name parts of another card.
    func named(as other: ContactCard) -> ContactCard {
        var card = self
        card.formattedName = other.formattedName
        card.given = other.given
        card.family = other.family
        card.additional = other.additional
        card.prefix = other.prefix
        card.suffix = other.suffix
        return card
    }

    /// This card merged with a newer card. Where both have a value, the newer one is used.
    func merged(with other: ContactCard) -> ContactCard {
        var card = calledAsWell(by: other)
        for value in Self.values where !value.isMissing(other) && !value.isSame(self, other) {
            value.copy(other, &card)
        }
        card.uid = uid ?? other.uid
        for list in Self.lists {
            card[keyPath: list] += other[keyPath: list].filter { !self[keyPath: list].contains($0) }
        }
        card.takeExtra(of: other)
        card.addresses += other.addresses.filter { !addresses.contains($0) }
        let newEmails = other.emails.filter { !hasEmail($0.address) }
        card.emails += emails.isEmpty ? newEmails : newEmails.map(\.notPreferred)
        card.phones += other.phones.filter { phone in
            !phones.contains { $0.digits == phone.digits }
        }
        return card
    }

    /// This card with the name of another card, unless only the other one has an address as its
    /// name. Parts of different names are never mixed: missing parts are filled in only from
    /// another spelling of the same name.
    func calledAsWell(by other: ContactCard) -> ContactCard {
        guard SearchKey.isSameName(formattedName, other.formattedName) else {
            return other.hasOwnName || !hasOwnName ? named(as: other) : self
        }
        func heard(_ new: String, _ old: String) -> String { new.isEmpty ? old : new }
        var card = named(as: other)
        card.given = heard(other.given, given)
        card.family = heard(other.family, family)
        card.additional = heard(other.additional, additional)
        card.prefix = heard(other.prefix, prefix)
        card.suffix = heard(other.suffix, suffix)
        return card
    }

    /// This card with added values from another card. Where both have a value, this card's value
    /// is used.
    func gaining(_ other: ContactCard) -> ContactCard {
        merged(with: other).merged(with: self)
    }

    /// The card of a person who had two cards: the result of ``gaining(_:)``, with both notes and
    /// both names.
    func uniting(_ other: ContactCard) -> ContactCard {
        var card = gaining(other).keepingNote(of: other)
        if other.hasOwnName, !card.goes(by: other.formattedName) {
            card.also.append(other.formattedName)
        }
        return card
    }

    /// This card with its note extended by the missing paragraphs of another card's note.
    func keepingNote(of other: ContactCard) -> ContactCard {
        guard note.utf8.count < ContactRules.noteCharactersMax else { return self }
        let known = Set(note.split(separator: "\n\n"))
        let new = other.note.split(separator: "\n\n").filter { !known.contains($0) }
        var card = self
        card.note = ([note] + new.map(String.init)).filter { !$0.isEmpty }
            .joined(separator: "\n\n")
        return card
    }

    func goes(by name: String) -> Bool {
        ([formattedName] + also).contains { SearchKey.isSameName($0, name) }
    }

    func hasEmail(_ address: String) -> Bool {
        emails.contains { MailAddress.folded($0.address) == MailAddress.folded(address) }
    }
}

extension ContactCard.Email {
    fileprivate var notPreferred: Self {
        Self(address: address, type: type, preferred: false)
    }
}

extension ContactCard.Phone {
    /// The number without its formatting, for comparisons: digits and plus signs only. A number
    /// without any stays as it is.
    var digits: String {
        let digits = number.filter { $0.isNumber || $0 == "+" }
        return digits.isEmpty ? number : digits
    }
}
