/// A WHO with a prefix that tells a person from a circle: `person:Tennis` or `circle:Tennis`.
struct WhoText {
    enum Kind: String {
        case person
        case circle
    }

    let kind: Kind
    /// The text after the colon.
    let name: String

    /// Reads a WHO; `nil` if it has no such prefix.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"),
            let kind = Kind(rawValue: text[..<colon].lowercased())
        else { return nil }
        self.kind = kind
        name = text[text.index(after: colon)...].split(separator: " ").joined(separator: " ")
    }

    init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// The name in a WHO that means a person: without the prefix `person:`, if there is one.
    static func person(in text: String) -> String {
        guard let told = WhoText(text), told.kind == .person else { return text }
        return told.name
    }

    /// The text to type.
    var text: String { "\(kind.rawValue):\(name)" }
}
