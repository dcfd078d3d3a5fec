import Agenda
public import Interchange

/// The folded texts by which a contact is found.
public struct ContactKeys: Sendable {
    /// A text, and how good a match by it is.
    struct Key: Hashable, Sendable {
        let text: String
        let rank: Int
    }

    let all: Set<Key>
    let name: String

    /// Folds what a card says.
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

    /// Given and family name, which many cards do not tell apart.
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
    /// How well a text fits a card; `nil` when it does not.
    public init?(of text: String, on card: ContactCard) {
        self.init(of: text, on: ContactKeys(of: card))
    }

    /// How well a text fits a card of these keys; `nil` when it does not.
    ///
    /// A search among contacts asks an index the same in SQL, which knows no person without a card.
    /// A test holds the two against each other: byte for byte, as SQL compares.
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

    /// Whether a match is better than another one.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
