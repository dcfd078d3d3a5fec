import Interchange
import Storage

extension ContactCard {
    /// This card with the changes between two versions of the card from which it was imported. What
    /// was edited here stays, unless the file changed it, too: ``CardMerge`` decides about that.
    ///
    /// - Parameters:
    ///   - base: the version that was imported before.
    ///   - new: the version that is imported now.
    /// - Returns: the card.
    func taking(changesFrom base: ContactCard, to new: ContactCard) -> ContactCard {
        var card = new
        if new.isNamed(as: base) {
            for name in Self.names { card[keyPath: name] = self[keyPath: name] }
        }
        for value in Self.values where value.isSame(new, base) { value.copy(self, &card) }
        for list in Self.lists {
            card[keyPath: list] = Self.merged(
                self[keyPath: list], base[keyPath: list], new[keyPath: list]
            ) { $0 }
        }
        card.emails = Self.merged(emails, base.emails, new.emails) {
            MailAddress.folded($0.address)
        }
        card.phones = Self.merged(phones, base.phones, new.phones, by: \.digits)
        card.addresses = Self.merged(addresses, base.addresses, new.addresses) {
            [$0.type ?? "", $0.street, $0.locality, $0.postcode]
        }
        return card
    }

    /// This card without what earlier cards of the same person said, so that a value that was
    /// changed by hand since stays.
    ///
    /// - Parameters:
    ///   - earlier: the cards without a UID from which the contact was built.
    ///   - known: the contact's card, whose name it takes if the name is not new.
    /// - Returns: the card.
    func news(since earlier: [ContactCard], of known: ContactCard) -> ContactCard {
        var card = self
        if earlier.contains(where: isNamed) {
            for name in Self.names { card[keyPath: name] = known[keyPath: name] }
        }
        for value in Self.values where earlier.contains(where: { value.isSame($0, self) }) {
            value.remove(from: &card)
        }
        for other in earlier { card.removeExtra(of: other) }
        for list in Self.lists {
            let old = Set(earlier.flatMap { $0[keyPath: list] })
            card[keyPath: list].removeAll { old.contains($0) }
        }
        let old = Set(earlier.flatMap(\.emails).map { MailAddress.folded($0.address) })
        card.emails.removeAll { old.contains(MailAddress.folded($0.address)) }
        let numbers = earlier.flatMap(\.phones)
        card.phones.removeAll { numbers.contains($0) }
        let places = earlier.flatMap(\.addresses)
        card.addresses.removeAll { places.contains($0) }
        return card
    }

    /// A list with the changes between two versions of it.
    private static func merged<Value: Equatable, Key: Hashable>(
        _ own: [Value], _ base: [Value], _ new: [Value], by key: (Value) -> Key
    ) -> [Value] {
        guard own != base else { return new }
        guard new != base else { return own }
        let before = Dictionary(base.map { (key($0), $0) }) { first, _ in first }
        let now = Dictionary(new.map { (key($0), $0) }) { first, _ in first }
        let kept = own.compactMap { value -> Value? in
            guard let old = before[key(value)] else { return value }
            guard let newer = now[key(value)] else { return nil }
            return value == old ? newer : value
        }
        let known = Set(own.map(key))
        return kept + new.filter { before[key($0)] == nil && !known.contains(key($0)) }
    }
}
