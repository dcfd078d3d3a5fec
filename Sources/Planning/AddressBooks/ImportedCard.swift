import Interchange

/// A card of an address book, with its file.
struct ImportedCard {
    let file: String
    let card: ContactCard
    /// The picture of the card as it was read; `nil` for none.
    var photo: CardPhoto?

    /// The card without pictures and other properties, for remarks after the import.
    var withoutExtra: ImportedCard {
        var plain = card
        plain.extra = []
        return ImportedCard(file: file, card: plain)
    }

    func remark(
        _ reason: RemarkText, kind: String? = nil, refusal: Refusal? = nil
    ) -> ImportReport.Skipped {
        ImportReport.Skipped(
            file: file, line: card.line, reason: reason, name: card.formattedName, kind: kind,
            refusal: refusal)
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
        guard let own = card.emails.first(where: { other.hasEmail($0.address) }) else {
            return remark(words(besidesNamesake: other), kind: "same name")
        }
        return remark(
            "\(card.formattedName) has an address of \(other.formattedName), \(own.address): they "
                + "are two people now. If they are one, merge them.", kind: "shared address")
    }

    private func words(besidesNamesake other: ContactCard) -> RemarkText {
        let name = card.formattedName
        guard let address = other.emails.first?.address else {
            return "a person called \(name) is already there; they are two people now. If they are "
                + "one, merge them."
        }
        return card.emails.isEmpty
            ? "a person called \(name) with an address is already there: \(address); they are two "
                + "people now. If they are one, merge them."
            : "a person called \(name) with another address is already there: \(address); they "
                + "are two people now. If they are one, merge them."
    }
}
