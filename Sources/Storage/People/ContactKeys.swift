import Agenda
public import Interchange

/// The folded search keys of a contact.
public struct ContactKeys: Sendable {
    /// A search key and its rank: 0 for a whole name or an address, 1 for a part of the name.
    struct Key: Hashable, Sendable {
        let text: String
        let rank: Int
    }

    let all: Set<Key>
    let name: String

    /// Builds the keys from a card.
    public init(of card: ContactCard) {
        var keys: Set<Key> = []
        func add(_ texts: [String], rank: Int) {
            keys.formUnion(texts.filter { !$0.isEmpty }.map { Key(text: $0, rank: rank) })
        }
        let names = [card.formattedName, "\(card.given) \(card.family)"] + card.also
        let whole = names.map(SearchKey.fold)
        add(whole + whole.map(SearchKey.name), rank: 0)
        add(card.emails.map { PersonAddresses.folded($0.address) }, rank: 0)
        let parts = Self.parts(of: card) + card.nicknames
        let words = whole.flatMap { $0.split(separator: " ").map(String.init) }
        add(parts.map(SearchKey.fold) + words + whole.map(Self.initials), rank: 1)
        all = keys
        name = SearchKey.fold(card.formattedName)
    }

    /// Given and family name. Many cards do not separate them, so the formatted name is split
    /// instead.
    private static func parts(of card: ContactCard) -> [String] {
        guard card.given.isEmpty, card.family.isEmpty else { return [card.given, card.family] }
        let words = card.formattedName.split(separator: " ")
        return [words.prefix(1), words.dropFirst()].map { $0.joined(separator: " ") }
    }

    /// The first letters of a name of several words: "ada lovelace" gives "al".
    private static func initials(_ folded: String) -> String {
        let words = folded.split(separator: " ")
        return words.count > 1 ? String(words.compactMap(\.first)) : ""
    }
}

extension MatchQuality {
    /// The quality of the match between a text and a card; `nil` if they do not match.
    public init?(of text: String, on card: ContactCard) {
        self.init(of: text, on: ContactKeys(of: card))
    }

    /// The quality of the match between a text and the keys of a card; `nil` if they do not match.
    ///
    /// Searching contacts applies the same rules in SQL with an index, but that finds only people
    /// who have a card. A test checks that both give the same result; the comparison is byte by
    /// byte, as in SQL.
    public init?(of text: String, on keys: ContactKeys) {
        let key = SearchKey.fold(text)
        func has(_ text: String, rank: Int) -> Bool {
            keys.all.contains(ContactKeys.Key(text: text, rank: rank))
        }
        if has(PersonAddresses.folded(text), rank: 0) { self = .whole; return }
        guard !key.isEmpty else { return nil }
        if has(key, rank: 0) {
            self = .whole
        } else if has(SearchKey.name(key), rank: 0) {
            self = .reordered
        } else if has(key, rank: 1) {
            self = .part
        } else if keys.all.contains(where: { $0.text.utf8.starts(with: key.utf8) }) {
            self = .beginning
        } else if key.count >= 3, keys.name.utf8.contains(key.utf8) {
            self = .inside
        } else {
            return nil
        }
    }

    /// True if the left match is better than the right one.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
