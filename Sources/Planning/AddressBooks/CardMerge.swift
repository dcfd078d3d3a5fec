import Agenda
import Interchange
import Storage

/// The card of a contact, combined with a card of a file.
///
/// Fields that were changed here are kept, even if the file changed them, too: ``kept`` names
/// them.
/// A value was changed here if no card of a file from which the contact was built has it.
struct CardMerge {
    /// The combined card.
    private(set) var card: ContactCard
    /// The fields that differ here and in the file, of which those here were kept, in words.
    private(set) var kept: [String] = []
    /// The mail addresses that the contact loses.
    private(set) var gone: [String] = []
    /// The categories that the earlier versions of the card did not have.
    let newCategories: [String]

    /// Combines the cards.
    ///
    /// - Parameters:
    ///   - known: the contact.
    ///   - read: the card of the file.
    ///   - hasItsUID: true if the contact is known to files by the card's UID.
    init(of known: KnownContact, with read: ContactCard, hasItsUID: Bool) {
        let categories = Set(known.earlier(than: read).flatMap(\.categories).map(SearchKey.fold))
        newCategories = read.categories.filter { !categories.contains(SearchKey.fold($0)) }
        card =
            !hasItsUID
            ? Self.merger(of: known, with: read)
            : known.former.first.map { Self.version(of: known, by: read, since: $0) }
                ?? Self.addition(to: known, of: read)
        keepOwnValues(of: known, besides: read)
        gone = known.contact.card.emails.map(\.address).filter { !card.hasEmail($0) }
    }

    private mutating func keepOwnValues(of known: KnownContact, besides read: ContactCard) {
        let current = known.contact.card
        let cards = known.former + known.others
        guard known.isComplete || !known.isMerged && !known.former.isEmpty else { return }
        for field in CardField.all where field.isOwn(in: current, besides: cards) {
            let own = field.values(current).subtracting(cards.flatMap(field.values))
            guard !own.isSubset(of: field.values(card)) else { continue }
            field.copy(current, &card)
            // Another spelling of the same name is no news.
            let isSpelling =
                field.word == "name"
                && SearchKey.isSameName(read.formattedName, current.formattedName)
            if field.isNew(in: read, since: known.earlier(than: read)), !isSpelling {
                kept.append(field.word)
            }
        }
    }

    /// A newer version of a card changes what differs from the earlier version. The card with the
    /// contact's UID takes precedence over the contact. Other cards change what they said before;
    /// otherwise the contact takes precedence over them. The contact keeps its time zone, its
    /// language and its name if the card has none: a zone or a language may have been set by hand.
    private static func version(
        of known: KnownContact, by read: ContactCard, since base: ContactCard
    ) -> ContactCard {
        let current = known.contact.card
        var before = base
        let gone = known.goneAddresses(now: read)
        before.emails.removeAll {
            !gone.contains(MailAddress.folded($0.address)) && !read.hasEmail($0.address)
        }
        return current.taking(
            changesFrom: before, to: read, besides: known.others,
            isFirst: !known.isMerged || current.isFirst(read)
        ).keepingWhatLacks(current)
    }

    /// A card of which no earlier version is known adds to the contact. It replaces a contact that
    /// has no other card, if earlier ones are not known, but for its addresses.
    private static func addition(to known: KnownContact, of card: ContactCard) -> ContactCard {
        let current = known.contact.card
        guard known.isMerged else {
            // If all cards are known, the contact was typed.
            guard !known.isComplete else { return current.merged(with: card) }
            var replacement = card.keepingWhatLacks(current)
            replacement.emails = current.merged(with: card).emails
            return replacement
        }
        return current.isFirst(card)
            ? card.gaining(current).keepingNote(of: current) : current.uniting(card)
    }

    /// A card from another source is merged into the contact, with the notes of both. The contact
    /// takes the card's UID, so that later versions of this card replace it. Of a card without a
    /// UID, what an earlier one of the same person said is no news, and a new note replaces its.
    private static func merger(of known: KnownContact, with read: ContactCard) -> ContactCard {
        let current = known.contact.card
        let card = read.uid == nil ? read.news(since: known.earlier(than: read), of: current) : read
        var before = current
        if !known.earlier(than: read).isEmpty {
            let others = Set(known.others.filter { $0.uid != nil }.flatMap(\.paragraphs))
            before.note = current.paragraphList.filter(others.contains).joined(separator: "\n\n")
        }
        var merged = current.merged(with: card)
        if !card.note.isEmpty { merged = merged.keepingNote(of: before) }
        merged.uid = card.uid ?? current.uid
        return merged
    }
}

extension KnownContact {
    /// The cards that were imported before a card and may be earlier versions of it: those with its
    /// UID, and for a card without one all without a UID.
    fileprivate func earlier(than card: ContactCard) -> [ContactCard] {
        card.uid == nil ? others.filter { $0.uid == nil } : former
    }

    /// The mail addresses, folded, that the earlier versions of a card had and that no card has any
    /// more, without those that were typed here.
    ///
    /// - Parameter card: the newer version.
    /// - Returns: the addresses; none if not all cards of the contact are known.
    fileprivate func goneAddresses(now card: ContactCard) -> Set<String> {
        func addresses(_ cards: [ContactCard]) -> Set<String> {
            Set(cards.flatMap(\.emails).map { MailAddress.folded($0.address) })
        }
        guard isComplete else { return [] }
        return addresses(former).subtracting(addresses(others + [card])).subtracting(typed)
    }
}

extension ContactCard {
    /// True if a card has the UID of this contact.
    fileprivate func isFirst(_ card: ContactCard) -> Bool {
        uid.map { ContactCard.spellings(ofUID: $0).contains(card.uid ?? "") } ?? false
    }

    /// This newer version of a card with what it lacks and the contact has: a time zone, a language
    /// and a name.
    fileprivate func keepingWhatLacks(_ known: ContactCard) -> ContactCard {
        var card = hasOwnName ? self : named(as: known)
        if card.timeZone == nil { card.timeZone = known.timeZone }
        if card.language == nil, let language = known.language { card.language = language }
        return card
    }
}
