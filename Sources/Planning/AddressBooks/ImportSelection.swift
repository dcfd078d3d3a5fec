import Agenda
import Interchange

/// A filter for the cards of an import.
public struct ImportSelection: Sendable {
    /// True if cards without a mail address are left out.
    public var isOnlyWithEmail = false
    /// Texts of which the name, an address or a category of a card must contain one; empty for
    /// all cards.
    public var texts: [String] = []

    /// A filter that lets all cards pass.
    public init() {}

    func takes(_ card: ContactCard) -> Bool {
        guard !isOnlyWithEmail || !card.emails.isEmpty else { return false }
        guard !texts.isEmpty else { return true }
        let known = [card.formattedName] + card.emails.map(\.address) + card.categories
        return texts.contains { text in
            let key = SearchKey.fold(text)
            // A text without letters and digits, such as "@", has no key and is compared as it is.
            return known.contains {
                key.isEmpty ? $0.contains(text) : SearchKey.fold($0).contains(key)
            }
        }
    }
}
