public import Interchange

extension ContactCard {
    /// The parts of the name, which change together.
    public static var names: [WritableKeyPath<ContactCard, String>] {
        [\.formattedName, \.given, \.family, \.additional, \.prefix, \.suffix]
    }
    /// The single texts that may be empty.
    public static var texts: [WritableKeyPath<ContactCard, String>] {
        [\.organization, \.title, \.note]
    }
    /// The single values that may be missing.
    public static var options: [WritableKeyPath<ContactCard, String?>] {
        [\.timeZone, \.language, \.birthday, \.anniversary]
    }
    /// The lists of texts.
    public static var lists: [WritableKeyPath<ContactCard, [String]>] {
        [\.nicknames, \.also, \.categories, \.urls]
    }

    /// True if the name is more than an address.
    public var hasOwnName: Bool { MailAddress.plausible(formattedName) == nil }

    /// This card without the name and the single values for which a newer card has others.
    func withoutReplaced(by newer: ContactCard) -> ContactCard {
        var card = self
        // A name is not replaced by an address.
        let isRenamed = newer.hasOwnName || !hasOwnName
        if !newer.formattedName.isEmpty, isRenamed, !isNamed(as: newer) {
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

    /// True if all parts of the name are the same.
    public func isNamed(as other: ContactCard) -> Bool {
        Self.names.allSatisfy { self[keyPath: $0] == other[keyPath: $0] }
    }
}
