import Agenda
import Interchange
import Storage

/// Finds cards of different people with the same UID in one import, which some programs write.
/// Otherwise the second card would replace the person of the first.
struct CardTwins {
    private struct Known {
        let name: String
        let given: String
        let file: String
        let addresses: Set<String>

        /// True if one of the first names begins with the other, as Ben and Benjamin.
        func hasSimilarGivenName(as other: Known) -> Bool {
            let words = [given, other.given].map { $0.split(separator: " ").first ?? "" }
            return words[0].hasPrefix(words[1]) || words[1].hasPrefix(words[0])
        }
    }

    private var known: [String: Known] = [:]
    /// The UIDs of several people.
    private var shared: Set<String> = []

    /// The card; with another UID, if an earlier card with this UID has another name, and either
    /// none of its addresses, or another first name in the same file.
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
            given: SearchKey.fold(card.given.isEmpty ? card.formattedName : card.given),
            file: path,
            addresses: Set(card.emails.map { MailAddress.folded($0.address) }))
        guard let other = known[uid] else {
            known[uid] = own
            return card
        }
        let isElsewhere =
            !own.addresses.isEmpty && !other.addresses.isEmpty
            && own.addresses.isDisjoint(with: other.addresses)
        let isBeside = own.file == other.file && !own.hasSimilarGivenName(as: other)
        guard !SearchKey.isSameName(own.name, other.name), isBeside || isElsewhere
        else { return card }
        report.warnings.append(
            .init(
                file: path, line: card.line,
                reason: "\(own.name) has the same UID as \(other.name), so both are imported as "
                    + "people of their own"))
        shared.insert(uid)
        return card.withOwnUID()
    }

    /// The cards of an import, of which those with the UID of several people get UIDs of their own:
    /// also the first ones, so that their order does not matter.
    func separated(_ cards: [ImportedCard]) -> [ImportedCard] {
        guard !shared.isEmpty else { return cards }
        return cards.map { read in
            guard let uid = read.card.uid, shared.contains(uid) else { return read }
            return ImportedCard(file: read.file, card: read.card.withOwnUID(), photo: read.photo)
        }
    }
}
