import Agenda
public import Interchange

extension ContactCard {
    /// The parts of the name, which change together.
    public static var names: [WritableKeyPath<ContactCard, String>] {
        [\.formattedName, \.given, \.family, \.additional, \.prefix, \.suffix]
    }
    /// The values of which a card has at most one.
    public static var values: [CardValue] {
        [
            CardValue(
                isMissing: { $0.organization.isEmpty && $0.organizationUnits.isEmpty },
                // A table has all units in one text.
                isSame: {
                    $0.organization == $1.organization
                        && $0.organizationUnits.joined(separator: ", ")
                            == $1.organizationUnits.joined(separator: ", ")
                },
                copy: {
                    $1.organization = $0.organization
                    $1.organizationUnits = $0.organizationUnits
                }),
            CardValue(\.title), CardValue(\.note), CardValue(\.timeZone), CardValue(\.language),
            CardValue(\.birthday), CardValue(\.anniversary),
        ]
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
        // A name is not replaced by an address. Another spelling stays, so that two files with both
        // spellings do not rename the person in turn.
        let isRenamed =
            (newer.hasOwnName || !hasOwnName)
            && !SearchKey.isSameName(formattedName, newer.formattedName)
        if !newer.formattedName.isEmpty, isRenamed {
            for name in Self.names { card[keyPath: name] = "" }
        }
        for value in Self.values where !value.isMissing(newer) && !value.isSame(newer, self) {
            value.remove(from: &card)
        }
        return card
    }

    /// True if another card has all values of this one.
    func saysNothing(besides other: ContactCard) -> Bool {
        (formattedName.isEmpty || isNamed(as: other))
            && Self.values.allSatisfy { $0.isMissing(self) || $0.isSame(self, other) }
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

/// A value of which a card has at most one, and which changes as a whole.
public struct CardValue {
    /// True if a card lacks it.
    public let isMissing: (ContactCard) -> Bool
    /// True if two cards have the same.
    public let isSame: (ContactCard, ContactCard) -> Bool
    /// Gives a card the value of another.
    public let copy: (_ other: ContactCard, _ card: inout ContactCard) -> Void

    /// Removes the value from a card.
    public func remove(from card: inout ContactCard) {
        copy(ContactCard(formattedName: ""), &card)
    }
}

extension CardValue {
    /// A text that may be empty.
    fileprivate init(_ path: WritableKeyPath<ContactCard, String>) {
        self.init(
            isMissing: { $0[keyPath: path].isEmpty },
            isSame: { $0[keyPath: path] == $1[keyPath: path] },
            copy: { $1[keyPath: path] = $0[keyPath: path] })
    }

    /// A text that may be missing.
    fileprivate init(_ path: WritableKeyPath<ContactCard, String?>) {
        self.init(
            isMissing: { $0[keyPath: path] == nil },
            isSame: { $0[keyPath: path] == $1[keyPath: path] },
            copy: { $1[keyPath: path] = $0[keyPath: path] })
    }
}
