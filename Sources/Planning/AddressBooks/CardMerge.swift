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
            : known.isMerged
                ? Self.addition(to: known, of: read)
                : Self.replacement(of: known, by: read)
        keepOwnValues(of: known, besides: read)
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

    /// A newer version of the contact's card changes what differs from the earlier version, or
    /// replaces the contact if that is not known. The contact keeps its time zone, its
    /// language and its name if the card has none: a zone or a language may have been set by hand.
    private static func replacement(
        of known: KnownContact, by new: ContactCard
    ) -> ContactCard {
        let current = known.contact.card
        guard let base = known.former.first else {
            // Without an earlier version, the contact was typed, and the card adds to it.
            return known.isComplete ? current.merged(with: new) : new.keepingWhatLacks(current)
        }
        return current.taking(changesFrom: base, to: new).keepingWhatLacks(current)
    }

    /// A card of a merged contact adds to it, and removes only what no card says any more. The card
    /// with the contact's UID takes precedence over the contact. The contact takes precedence over
    /// the other cards.
    private static func addition(to known: KnownContact, of card: ContactCard) -> ContactCard {
        let current = known.withoutFormerAddresses(now: card)
        let isFirst = current.uid == card.uid
        guard !known.former.isEmpty else {
            return isFirst
                ? card.gaining(current).keepingNote(of: current) : current.uniting(card)
        }
        let news = card.news(since: known.former, of: current)
        return isFirst
            ? current.merged(with: news).keepingNote(of: current) : current.uniting(news)
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

    /// The contact's card without the mail addresses that the earlier versions of a card had and
    /// that no card has any more.
    ///
    /// - Parameter card: the newer version.
    /// - Returns: the card.
    fileprivate func withoutFormerAddresses(now card: ContactCard) -> ContactCard {
        var current = contact.card
        guard isComplete, !former.isEmpty else { return current }
        func addresses(_ cards: [ContactCard]) -> Set<String> {
            Set(cards.flatMap(\.emails).map { MailAddress.folded($0.address) })
        }
        let gone = addresses(former).subtracting(addresses(others + [card]))
        current.emails.removeAll { gone.contains(MailAddress.folded($0.address)) }
        return current
    }
}

extension ContactCard {
    /// This newer version of a card with what it lacks and the contact has: a time zone, a language
    /// and a name.
    fileprivate func keepingWhatLacks(_ known: ContactCard) -> ContactCard {
        var card = hasOwnName ? self : named(as: known)
        if card.timeZone == nil { card.timeZone = known.timeZone }
        if card.language == nil, let language = known.language { card.language = language }
        return card
    }
}
