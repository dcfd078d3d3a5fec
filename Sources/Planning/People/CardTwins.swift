import Agenda
import Interchange
import Storage

/// Finds cards of different people with the same UID in one import, which some programs write.
/// Otherwise the second card would replace the person of the first.
struct CardTwins {
    private struct Known {
        let name: String
        let addresses: Set<String>
    }

    private var known: [String: Known] = [:]

    /// The card; with another UID, if an earlier card with this UID has another name and none of its
    /// addresses.
    ///
    /// - Parameters:
    ///   - card: the next card.
    ///   - path: its file.
    ///   - report: the report of the import, which gets a warning.
    /// - Returns: the card to import.
    mutating func distinguished(
        _ card: ContactCard, from path: String, _ report: inout ImportReport
    ) -> ContactCard {
        guard let uid = card.uid else { return card }
        let own = Known(
            name: card.formattedName,
            addresses: Set(card.emails.map { MailAddress.folded($0.address) }))
        guard let other = known[uid] else {
            known[uid] = own
            return card
        }
        guard !SearchKey.isSameName(own.name, other.name), !own.addresses.isEmpty,
            !other.addresses.isEmpty, own.addresses.isDisjoint(with: other.addresses)
        else { return card }
        report.warnings.append(
            .init(
                file: path, line: card.line,
                reason: "\(own.name) has the same UID as \(other.name), so both are imported as "
                    + "people of their own"))
        return card.withOwnUID()
    }
}
