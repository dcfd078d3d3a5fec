/// A WHO that says what it names: `person:Tennis`, or `circle:Tennis`.
struct WhoText {
    enum Kind: String {
        case person
        case circle
    }

    let kind: Kind
    /// What stands behind the colon.
    let name: String

    /// - Returns: `nil` for a WHO that says no such thing.
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

    /// The name of the person whom a WHO means, whether it says that it is one or not.
    static func person(in text: String) -> String {
        guard let told = WhoText(text), told.kind == .person else { return text }
        return told.name
    }

    /// As it is typed.
    var text: String { "\(kind.rawValue):\(name)" }
}
