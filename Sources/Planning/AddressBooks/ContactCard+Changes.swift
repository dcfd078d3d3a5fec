import Interchange

extension ContactCard {
    /// This card with the changes between two versions of the card from which it was imported. What
    /// was edited here stays, unless the file changed it, too.
    ///
    /// - Parameters:
    ///   - base: the version that was imported before.
    ///   - new: the version that is imported now.
    /// - Returns: the card.
    func taking(changesFrom base: ContactCard, to new: ContactCard) -> ContactCard {
        var card = new
        let names: [WritableKeyPath<ContactCard, String>] = [
            \.formattedName, \.given, \.family, \.additional, \.prefix, \.suffix,
        ]
        if names.allSatisfy({ new[keyPath: $0] == base[keyPath: $0] }) {
            for name in names { card[keyPath: name] = self[keyPath: name] }
        }
        for text in [\ContactCard.organization, \.title, \.note]
        where new[keyPath: text] == base[keyPath: text] {
            card[keyPath: text] = self[keyPath: text]
        }
        for text in [\ContactCard.timeZone, \.language, \.birthday, \.anniversary]
        where new[keyPath: text] == base[keyPath: text] {
            card[keyPath: text] = self[keyPath: text]
        }
        for list in [\ContactCard.nicknames, \.also, \.categories, \.urls] {
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
