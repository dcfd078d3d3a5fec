import Agenda
public import Interchange
import Ledger

extension ContactCard {
    /// The length from which a UID is taken to be unique in the world, in octets. A shorter one may
    /// be a number within a file.
    private static let worldwideUIDOctets = 16

    /// True if a card with the same UID is of somebody else: the UID is short, the names differ,
    /// one of the two has an address or a phone number, and they have none in common.
    func isOfStranger(_ other: ContactCard) -> Bool {
        guard let uid = other.uid, uid.utf8.count < Self.worldwideUIDOctets,
            !SearchKey.isSameName(formattedName, other.formattedName)
        else { return false }
        let ways = [self, other].map { card in
            Set(
                card.emails.map { PersonAddresses.folded($0.address) }
                    + card.phones.map { $0.number.filter { $0.isNumber || $0 == "+" } })
        }
        return ways.contains { !$0.isEmpty } && ways[0].isDisjoint(with: ways[1])
    }

    /// The card with a UID of its own, if somebody else has the same one: the UID with a digest of
    /// the name. So the next import of the card finds its contact again.
    ///
    /// - Returns: the card; unchanged if it has no UID, or one of its own.
    public func withOwnUID() -> ContactCard {
        guard let uid, sharedUID == nil else { return self }
        var card = self
        card.uid = uid + nameMark
        return card
    }

    /// The UID that the file has, if the card has a UID of its own; `nil` otherwise.
    public var sharedUID: String? {
        guard let uid, uid.contains("+"), uid.hasSuffix(nameMark) else { return nil }
        return String(uid.dropLast(nameMark.count))
    }

    private var nameMark: String {
        let words = SearchKey.fold(formattedName).split(separator: " ").sorted()
        return "+\(SipHash.digest(of: words.joined(separator: " ")))"
    }
}
