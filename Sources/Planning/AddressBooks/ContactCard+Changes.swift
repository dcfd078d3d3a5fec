import Interchange
import Storage

extension ContactCard {
    /// This card with the changes between two versions of a card from which it was imported. What
    /// was edited here stays, unless the file changed it, too: ``CardMerge`` decides about that.
    ///
    /// - Parameters:
    ///   - base: the version that was imported before.
    ///   - new: the version that is imported now.
    ///   - others: the other cards from which it was imported. What they say is not removed.
    ///   - isFirst: true if the changes also replace what another card says.
    /// - Returns: the card.
    func taking(
        changesFrom base: ContactCard, to new: ContactCard, besides others: [ContactCard],
        isFirst: Bool
    ) -> ContactCard {
        var card = new
        if !isFirst { (card.uid, card.revision) = (uid, revision) }
        if !others.isEmpty { card.extra = extra(changedFrom: base, to: new, besides: others) }
        for value in Self.values {
            let isOwn = !isFirst && !value.isSame(self, base) && !value.isMissing(self)
            guard !isOwn, !value.isSame(new, base) else {
                value.copy(self, &card)
                continue
            }
            let source = [new] + others
            value.copy(source.first { !value.isMissing($0) } ?? new, &card)
        }
        if !others.isEmpty {
            card.note = note(changedFrom: base, to: new, besides: others, isFirst: isFirst)
        }
        takeLists(from: base, to: new, besides: others, into: &card)
        takeName(from: base, to: new, besides: others, isFirst: isFirst, into: &card)
        return card
    }

    /// Gives a card the lists, with the changes between two versions.
    private func takeLists(
        from base: ContactCard, to new: ContactCard, besides others: [ContactCard],
        into card: inout ContactCard
    ) {
        for list in Self.lists {
            card[keyPath: list] = Self.merged(
                self[keyPath: list], base[keyPath: list], new[keyPath: list],
                besides: others.flatMap { $0[keyPath: list] }
            ) { $0 }
        }
        card.emails = Self.merged(
            emails, base.emails, new.emails, besides: others.flatMap(\.emails)
        ) { MailAddress.folded($0.address) }
        card.phones = Self.merged(
            phones, base.phones, new.phones, besides: others.flatMap(\.phones), by: \.digits)
        card.addresses = Self.merged(
            addresses, base.addresses, new.addresses, besides: others.flatMap(\.addresses)
        ) { [$0.type ?? "", $0.street, $0.locality, $0.postcode] }
        guard !others.isEmpty else { return }
        // Each card may prefer another address; that of the contact counts.
        let first = card.emails.firstIndex(where: \.preferred)
        for place in card.emails.indices where place != first {
            card.emails[place].preferred = false
        }
    }

    /// Gives a card the name, with the changes between two versions. A card that is not the first
    /// one changes the name of the contact only if it gave it, and otherwise its other names.
    private func takeName(
        from base: ContactCard, to new: ContactCard, besides others: [ContactCard], isFirst: Bool,
        into card: inout ContactCard
    ) {
        let isChanged = !new.isNamed(as: base)
        guard isChanged, isFirst || isNamed(as: base) else {
            card = card.named(as: self)
            guard isChanged, new.hasOwnName else { return }
            let isLeft = others.contains { $0.formattedName == base.formattedName }
            if !isLeft { card.also.removeAll { $0 == base.formattedName } }
            if !card.goes(by: new.formattedName) { card.also.append(new.formattedName) }
            return
        }
        if !others.isEmpty { card = card.named(as: calledAsWell(by: new)) }
    }

    /// The note with the changes of another card's note, paragraph by paragraph: a changed
    /// paragraph takes the place of the earlier one.
    private func note(
        changedFrom base: ContactCard, to new: ContactCard, besides others: [ContactCard],
        isFirst: Bool
    ) -> String {
        let gone = base.paragraphs.subtracting(new.paragraphs)
            .subtracting(others.flatMap(\.paragraphs))
        let known = base.paragraphs.union(paragraphs)
        let added = new.paragraphList.filter { !known.contains($0) }
        let list = paragraphList
        let place = list.firstIndex(where: gone.contains) ?? (isFirst ? 0 : list.count)
        let kept: [[String]] = [list[..<place], list[place...]].map { part in
            part.filter { !gone.contains($0) }
        }
        return (kept[0] + added + kept[1]).joined(separator: "\n\n")
    }

    /// The lines without a field, with the changes between two versions. A picture that a newer
    /// version no longer has stays.
    private func extra(
        changedFrom base: ContactCard, to new: ContactCard, besides others: [ContactCard]
    ) -> [String] {
        var gone = base
        gone.removeExtra(of: others + [new])
        var card = self
        card.removeExtra(of: [gone])
        card.takeExtra(of: new)
        return card.extra
    }

    /// This card without what earlier cards of the same person said, so that a value that was
    /// changed by hand since stays.
    ///
    /// - Parameters:
    ///   - earlier: the cards without a UID from which the contact was built.
    ///   - known: the contact's card, whose name it takes if the name is not new.
    /// - Returns: the card.
    func news(since earlier: [ContactCard], of known: ContactCard) -> ContactCard {
        var card = self
        if earlier.contains(where: isNamed) {
            for name in Self.names { card[keyPath: name] = known[keyPath: name] }
        }
        for value in Self.values where earlier.contains(where: { value.isSame($0, self) }) {
            value.remove(from: &card)
        }
        card.removeExtra(of: earlier)
        for list in Self.lists {
            let old = Set(earlier.flatMap { $0[keyPath: list] })
            card[keyPath: list].removeAll { old.contains($0) }
        }
        let old = Set(earlier.flatMap(\.emails).map { MailAddress.folded($0.address) })
        card.emails.removeAll { old.contains(MailAddress.folded($0.address)) }
        let numbers = earlier.flatMap(\.phones)
        card.phones.removeAll { numbers.contains($0) }
        let places = earlier.flatMap(\.addresses)
        card.addresses.removeAll { places.contains($0) }
        return card
    }

    /// A list with the changes between two versions of it. What others have is not removed.
    private static func merged<Value: Equatable, Key: Hashable>(
        _ own: [Value], _ all: [Value], _ new: [Value], besides others: [Value],
        by key: (Value) -> Key
    ) -> [Value] {
        let left = Set(others.map(key)).subtracting(new.map(key))
        let base = all.filter { !left.contains(key($0)) }
        guard own != base else { return new }
        guard new != base else { return own }
        let before = Dictionary(base.map { (key($0), $0) }) { first, _ in first }
        let now = Dictionary(new.map { (key($0), $0) }) { first, _ in first }
        let kept = own.compactMap { value -> Value? in
            guard let old = before[key(value)] else { return value }
            guard let newer = now[key(value)] else { return nil }
            return value == old ? newer : value
        }
        let known = Set(own.map(key))
        return kept + new.filter { before[key($0)] == nil && !known.contains(key($0)) }
    }
}
