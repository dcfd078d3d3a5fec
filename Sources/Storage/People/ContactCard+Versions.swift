public import Interchange

extension ContactCard {
    private static var names: [WritableKeyPath<ContactCard, String>] {
        [\.formattedName, \.given, \.family, \.additional, \.prefix, \.suffix]
    }
    private static var texts: [WritableKeyPath<ContactCard, String>] {
        [\.organization, \.title, \.note]
    }
    private static var options: [WritableKeyPath<ContactCard, String?>] {
        [\.timeZone, \.language, \.birthday, \.anniversary]
    }
    private static var lists: [WritableKeyPath<ContactCard, [String]>] {
        [\.nicknames, \.also, \.categories, \.urls]
    }

    /// This card without the name and the single values for which a newer card has others.
    func withoutReplaced(by newer: ContactCard) -> ContactCard {
        var card = self
        if !newer.formattedName.isEmpty, !isNamed(as: newer) {
            for name in Self.names { card[keyPath: name] = "" }
        }
        for text in Self.texts where !newer[keyPath: text].isEmpty {
            if newer[keyPath: text] != self[keyPath: text] { card[keyPath: text] = "" }
        }
        for option in Self.options where newer[keyPath: option] != nil {
            if newer[keyPath: option] != self[keyPath: option] { card[keyPath: option] = nil }
        }
        return card
    }

    /// True if another card has all values of this one.
    func saysNothing(besides other: ContactCard) -> Bool {
        (formattedName.isEmpty || isNamed(as: other))
            && Self.texts.allSatisfy {
                self[keyPath: $0].isEmpty || self[keyPath: $0] == other[keyPath: $0]
            }
            && Self.options.allSatisfy {
                self[keyPath: $0] == nil || self[keyPath: $0] == other[keyPath: $0]
            }
            && Self.lists.allSatisfy {
                Set(self[keyPath: $0]).isSubset(of: other[keyPath: $0])
            }
            && emails.allSatisfy(other.emails.contains)
            && phones.allSatisfy(other.phones.contains)
            && addresses.allSatisfy(other.addresses.contains)
    }

    /// This card without what earlier cards of the same person said, so that a value that was
    /// changed by hand since stays.
    ///
    /// - Parameters:
    ///   - earlier: the cards without a UID from which the contact was built.
    ///   - known: the contact's card, whose name it takes if the name is not new.
    /// - Returns: the card.
    public func news(since earlier: [ContactCard], of known: ContactCard) -> ContactCard {
        var card = self
        if earlier.contains(where: isNamed) {
            for name in Self.names { card[keyPath: name] = known[keyPath: name] }
        }
        for text in Self.texts
        where earlier.contains(where: { $0[keyPath: text] == self[keyPath: text] }) {
            card[keyPath: text] = ""
        }
        for option in Self.options
        where earlier.contains(where: { $0[keyPath: option] == self[keyPath: option] }) {
            card[keyPath: option] = nil
        }
        for list in Self.lists {
            let old = Set(earlier.flatMap { $0[keyPath: list] })
            card[keyPath: list].removeAll { old.contains($0) }
        }
        let old = Set(earlier.flatMap(\.emails).map { PersonAddresses.folded($0.address) })
        card.emails.removeAll { old.contains(PersonAddresses.folded($0.address)) }
        let numbers = earlier.flatMap(\.phones)
        card.phones.removeAll { numbers.contains($0) }
        let places = earlier.flatMap(\.addresses)
        card.addresses.removeAll { places.contains($0) }
        return card
    }

    private func isNamed(as other: ContactCard) -> Bool {
        Self.names.allSatisfy { self[keyPath: $0] == other[keyPath: $0] }
    }
}
