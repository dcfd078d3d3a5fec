import Interchange

/// A card of an address book, with its file.
struct ImportedCard {
    let file: String
    let card: ContactCard

    /// The card without pictures and other properties, for remarks after the import.
    var withoutExtra: ImportedCard {
        var plain = card
        plain.extra = []
        return ImportedCard(file: file, card: plain)
    }

    func remark(_ reason: String, kind: String? = nil) -> ImportReport.Skipped {
        ImportReport.Skipped(
            file: file, line: card.line, reason: reason, name: card.formattedName, kind: kind)
    }

    /// True if another card of the same person says something else, and is not another version with
    /// the same UID in another file.
    func isOther(than other: ImportedCard) -> Bool {
        let isVersion =
            file != other.file && card.uid != nil
            && card.uid.map(ContactCard.memberKey) == other.card.uid.map(ContactCard.memberKey)
        return !isVersion && card.contradicts(other.card)
    }

    /// The remark that the card made a new person, although another has one of its addresses or its
    /// name.
    func remark(besides other: ContactCard) -> ImportReport.Skipped {
        let end = "they are two people now. If they are one, merge them."
        guard let own = card.emails.first(where: { other.hasEmail($0.address) }) else {
            let word = card.emails.isEmpty ? "an" : "another"
            let (with, address) =
                other.emails.first.map { (" with \(word) address", ": \($0.address)") } ?? ("", "")
            return remark(
                "a person called \(card.formattedName)\(with) is already there\(address); \(end)",
                kind: "same name")
        }
        return remark(
            "\(card.formattedName) has an address of \(other.formattedName), \(own.address): "
                + end,
            kind: "shared address")
    }
}
