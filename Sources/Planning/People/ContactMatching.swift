import Agenda
import Interchange
import Ledger
import Storage

/// Decides whether a card that is imported is a contact who is there already.
///
/// The card's UID decides. Else it is who shares an address and the name with it, in any spelling
/// and order of words: families share addresses, so a shared address alone makes nobody the same.
/// A contact, a guest or a card that is called by nothing but an address has no name to differ in.
/// Who has no address is known by name and phone number.
///
/// The rule asks the card and what is known, never what else the import reads: so cards make the
/// same people in one run and in several, in any order.
enum ContactMatching {
    static func decision(
        on card: ContactCard, among candidates: CardCandidates, newID: PersonID
    ) -> CardDecision {
        if let known = candidates.sameUID {
            return candidates.isMerged
                ? addition(to: known, of: card) : replacement(of: known, by: card)
        }
        if let known = contact(for: card, among: candidates) {
            return merger(of: known, with: card)
        }
        guard let guest = guest(for: card, among: candidates.guests) else {
            return .insert(Contact(person: newID, card: card), isNewPerson: true)
        }
        var card = card
        if !card.hasOwnName { card.formattedName = guest.name }
        return .insert(Contact(person: guest.id, card: card), isNewPerson: false)
    }

    private static func contact(
        for card: ContactCard, among candidates: CardCandidates
    ) -> Contact? {
        guard !card.emails.isEmpty else {
            return addressless(like: card, among: candidates.namesakes)
        }
        let addresses = Set(card.emails.map { MailAddress.folded($0.address) })
        func distance(_ contact: Contact) -> Int {
            addresses.symmetricDifference(
                contact.card.emails.map { MailAddress.folded($0.address) }
            ).count
        }
        let namesakes =
            candidates.namesakes
            + candidates.sharing.filter {
                $0.card.formattedName == card.formattedName
            }
        let namable = candidates.sharing.filter { !card.hasOwnName || !$0.card.hasOwnName }
        return (namesakes.isEmpty ? namable : namesakes).min { distance($0) < distance($1) }
    }

    /// Somebody without an address, too, whose phone numbers do not say that it is another one.
    private static func addressless(
        like card: ContactCard, among namesakes: [Contact]
    ) -> Contact? {
        let free = namesakes.filter {
            $0.card.emails.isEmpty && (card.uid == nil || $0.card.uid == nil)
        }
        let numbers = Set(card.phones.map(\.digits))
        return free.first { !numbers.isDisjoint(with: $0.card.phones.map(\.digits)) }
            ?? free.first { numbers.isEmpty || $0.card.phones.isEmpty }
    }

    /// Who of the guests at the card's addresses is the one whom it names.
    static func guest(for card: ContactCard, among guests: [Person]) -> Person? {
        guests.first { SearchKey.isSameName($0.name, card.formattedName) }
            ?? guests.first { !card.hasOwnName || MailAddress.plausible($0.name) != nil }
    }

    /// The same source speaks again: what it says holds, but for what was set by hand:
    /// a zone, a language.
    private static func replacement(of known: Contact, by card: ContactCard) -> CardDecision {
        var card = card
        if card.timeZone == nil { card.timeZone = known.card.timeZone }
        if card.language == nil, let language = known.card.language { card.language = language }
        return known.becoming(card.hasOwnName ? card : card.named(as: known.card))
    }

    /// One of several sources of a contact that was merged: it must not take away what the others
    /// know. The card that stayed is heard before the one that was merged into it.
    private static func addition(to known: Contact, of card: ContactCard) -> CardDecision {
        known.becoming(
            known.card.uid == card.uid
                ? card.gaining(known.card).keepingNote(of: known.card)
                : known.card.uniting(card))
    }

    /// Another source speaks of the same person: what it knows is added, and it is the one to be
    /// heard from then on.
    private static func merger(of known: Contact, with card: ContactCard) -> CardDecision {
        var merged = known.card.merged(with: card)
        merged.uid = card.uid ?? known.card.uid
        return known.becoming(merged)
    }
}

extension Contact {
    /// Cards are compared as they are kept: a picture may be written in several ways.
    func isKept(as other: ContactCard) -> Bool {
        VCardWriter.write([card], version: .v4) == VCardWriter.write([other], version: .v4)
    }

    fileprivate func becoming(_ card: ContactCard) -> CardDecision {
        let update = Contact(person: person, card: card)
        return update.isKept(as: self.card)
            ? .keep(self) : .update(update, before: self.card)
    }
}

extension ContactCard {
    /// Whether somebody is named, and not just an address.
    var hasOwnName: Bool { MailAddress.plausible(formattedName) == nil }

    /// This card under the name of another one.
    fileprivate func named(as other: ContactCard) -> ContactCard {
        var card = self
        card.formattedName = other.formattedName
        card.given = other.given
        card.family = other.family
        card.additional = other.additional
        card.prefix = other.prefix
        card.suffix = other.suffix
        return card
    }

    /// This card with what another one knows beside it; where both speak, the other one, which is
    /// newer, is heard.
    func merged(with other: ContactCard) -> ContactCard {
        func heard(_ new: String, _ old: String) -> String { new.isEmpty ? old : new }
        var card = calledAsWell(by: other)
        card.organization = heard(other.organization, organization)
        card.title = heard(other.title, title)
        card.note = heard(other.note, note)
        card.uid = uid ?? other.uid
        card.timeZone = other.timeZone ?? timeZone
        if let language = other.language { card.language = language }
        card.birthday = other.birthday ?? birthday
        card.anniversary = other.anniversary ?? anniversary
        card.nicknames += other.nicknames.filter { !nicknames.contains($0) }
        card.also += other.also.filter { !also.contains($0) }
        card.categories += other.categories.filter { !categories.contains($0) }
        card.urls += other.urls.filter { !urls.contains($0) }
        card.addresses += other.addresses.filter { !addresses.contains($0) }
        let newEmails = other.emails.filter { !hasEmail($0.address) }
        card.emails += emails.isEmpty ? newEmails : newEmails.map(\.notPreferred)
        card.phones += other.phones.filter { phone in
            !phones.contains { $0.digits == phone.digits }
        }
        return card
    }

    /// This card by the name of another one, unless that is none. The parts of a name stay
    /// together: only another spelling of the same name fills in those that are missing.
    private func calledAsWell(by other: ContactCard) -> ContactCard {
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

    /// This card with what another one knows beside it; where both speak, this one is heard.
    func gaining(_ other: ContactCard) -> ContactCard {
        merged(with: other).merged(with: self)
    }

    /// The card of one person of whom there were two: what ``gaining(_:)`` keeps, both notes, and
    /// the names of both.
    func uniting(_ other: ContactCard) -> ContactCard {
        var card = gaining(other).keepingNote(of: other)
        if other.hasOwnName, !card.goes(by: other.formattedName) {
            card.also.append(other.formattedName)
        }
        return card
    }

    /// This card with the paragraphs of another one's note that its own lacks.
    fileprivate func keepingNote(of other: ContactCard) -> ContactCard {
        let known = note.split(separator: "\n\n")
        let new = other.note.split(separator: "\n\n").filter { !known.contains($0) }
        var card = self
        card.note = ([note] + new.map(String.init)).filter { !$0.isEmpty }
            .joined(separator: "\n\n")
        return card
    }

    private func goes(by name: String) -> Bool {
        ([formattedName] + also).contains { SearchKey.isSameName($0, name) }
    }

    private func hasEmail(_ address: String) -> Bool {
        emails.contains { MailAddress.folded($0.address) == MailAddress.folded(address) }
    }
}

extension ContactCard.Email {
    fileprivate var notPreferred: Self {
        Self(address: address, type: type, preferred: false)
    }
}

extension ContactCard.Phone {
    /// A number is the same however it is written down.
    fileprivate var digits: String {
        let digits = number.filter { $0.isNumber || $0 == "+" }
        return digits.isEmpty ? number : digits
    }
}
