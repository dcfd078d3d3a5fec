import Agenda
import Interchange
import Ledger
import Storage

/// Decides whether a card that is imported is a contact who is there already.
///
/// The card's UID decides, else a shared address, else the name of somebody without any address.
/// Families share addresses: cards of one import never update each other, and two cards with
/// UIDs of their own and other names stay two people.
struct ContactMatching {
    /// The contacts that this import has touched.
    var touched: Set<PersonID> = []

    mutating func decide(
        _ card: ContactCard, among candidates: CardCandidates, newID: PersonID
    ) -> CardDecision {
        let decision = decision(on: card, among: candidates, newID: newID)
        switch decision {
        case .insert(let person, _), .update(let person, _), .keep(let person):
            touched.insert(person)
        }
        return decision
    }

    private func decision(
        on card: ContactCard, among candidates: CardCandidates, newID: PersonID
    ) -> CardDecision {
        if let known = candidates.sameUID {
            return candidates.isMerged
                ? Self.addition(to: known, of: card) : Self.replacement(of: known, by: card)
        }
        if let known = contact(for: card, among: candidates) {
            return Self.merger(of: known, with: card)
        }
        let guests = candidates.guests.filter { !touched.contains($0.id) }
        if guests.count == 1, let guest = guests.first {
            return .insert(person: guest.id, isNewPerson: false)
        }
        return .insert(person: newID, isNewPerson: true)
    }

    private func contact(for card: ContactCard, among candidates: CardCandidates) -> Contact? {
        let free = candidates.sameAddress.filter { !touched.contains($0.person) }
        let name = SearchKey.fold(card.formattedName)
        if let namesake = free.first(where: { SearchKey.fold($0.card.formattedName) == name }) {
            return namesake
        }
        if let renamed = free.first, free.count == 1, card.uid == nil || renamed.card.uid == nil {
            return renamed
        }
        guard card.emails.isEmpty else { return nil }
        return candidates.sameName.first {
            !touched.contains($0.person) && $0.card.emails.isEmpty && card.uid == nil
        }
    }

    /// The same source speaks again: what it says holds, but for a zone that was set by hand.
    private static func replacement(of known: Contact, by card: ContactCard) -> CardDecision {
        var card = card
        if card.timeZone == nil { card.timeZone = known.card.timeZone }
        return known.becoming(card)
    }

    /// One of several sources of a contact that was merged: it must not take away what the others
    /// know. The card that stayed is heard before the one that was merged into it.
    private static func addition(to known: Contact, of card: ContactCard) -> CardDecision {
        known.becoming(
            known.card.uid == card.uid
                ? card.gaining(known.card) : known.card.gaining(card))
    }

    /// Another source speaks of the same person: what it knows is added.
    private static func merger(of known: Contact, with card: ContactCard) -> CardDecision {
        known.becoming(known.card.merged(with: card))
    }
}

extension Contact {
    /// Cards are compared as they are kept: a picture may be written in several ways.
    fileprivate func becoming(_ card: ContactCard) -> CardDecision {
        let known = VCardWriter.write([self.card], version: .v4)
        return VCardWriter.write([card], version: .v4) == known
            ? .keep(person: person) : .update(person: person, card: card)
    }
}

extension ContactCard {
    /// This card with what another one knows beside it; where both speak, the other one, which is
    /// newer, is heard.
    func merged(with other: ContactCard) -> ContactCard {
        func heard(_ new: String, _ old: String) -> String { new.isEmpty ? old : new }
        var card = self
        card.formattedName = other.formattedName
        card.given = heard(other.given, given)
        card.family = heard(other.family, family)
        card.additional = heard(other.additional, additional)
        card.prefix = heard(other.prefix, prefix)
        card.suffix = heard(other.suffix, suffix)
        card.organization = heard(other.organization, organization)
        card.title = heard(other.title, title)
        card.note = heard(other.note, note)
        card.uid = uid ?? other.uid
        card.timeZone = other.timeZone ?? timeZone
        card.birthday = other.birthday ?? birthday
        card.anniversary = other.anniversary ?? anniversary
        card.nicknames += other.nicknames.filter { !nicknames.contains($0) }
        card.categories += other.categories.filter { !categories.contains($0) }
        card.urls += other.urls.filter { !urls.contains($0) }
        card.addresses += other.addresses.filter { !addresses.contains($0) }
        card.emails += other.emails.filter { !hasEmail($0.address) }.map(\.notPreferred)
        card.phones += other.phones.filter { phone in
            !phones.contains { $0.digits == phone.digits }
        }
        return card
    }

    /// This card with what another one knows beside it; where both speak, this one is heard.
    func gaining(_ other: ContactCard) -> ContactCard {
        merged(with: other).merged(with: self)
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
    fileprivate var digits: String { number.filter { $0.isNumber || $0 == "+" } }
}
