import Agenda
import Interchange

/// Which cards of a file are taken.
public struct ImportSelection: Sendable {
    /// Whether only those with a mail address are.
    public var isOnlyWithEmail = false
    /// Only those whose name, address or category holds one of these texts; empty for all.
    public var texts: [String] = []

    /// Takes everything.
    public init() {}

    func takes(_ card: ContactCard) -> Bool {
        guard !isOnlyWithEmail || !card.emails.isEmpty else { return false }
        guard !texts.isEmpty else { return true }
        let known = [card.formattedName] + card.emails.map(\.address) + card.categories
        return texts.contains { text in
            let key = SearchKey.fold(text)
            // A text of signs alone, such as "@", has no key and is meant as it stands.
            return known.contains {
                key.isEmpty ? $0.contains(text) : SearchKey.fold($0).contains(key)
            }
        }
    }
}
