/// What nobody is to read in a text that others wrote, however it is spelled there.
public struct HiddenWords: Sendable {
    /// Shorter ones would hide half of the text.
    private static let octetsMin = 4
    private static let stars = "***"

    private let words: [String]

    /// Hides these, and what they are in an address, a form or JSON.
    public init(_ words: [String]) {
        let spellings = words.flatMap { [$0, FormText.encode($0), Self.inJSON($0)] }
        // The longest first: one may stand in another.
        self.words = Set(spellings).filter { $0.utf8.count >= Self.octetsMin }
            .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    private static func inJSON(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("/", with: "\\/")
    }

    /// The text with three stars in the place of each.
    public func hidden(in text: String) -> String {
        words.reduce(text) { $0.replacing($1, with: Self.stars) }
    }
}

extension HiddenWords: CustomStringConvertible, CustomReflectable {
    /// None of them.
    public var description: String { "(hidden words)" }

    /// Keeps dumps from showing them.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
