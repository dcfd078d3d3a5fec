/// Hides secret words in text that others wrote, in every spelling of the words.
public struct HiddenWords: Sendable {
    /// The minimum length of a word, in octets. Shorter words would hide half of the text.
    private static let octetsMin = 4
    private static let stars = "***"

    private let words: [String]

    /// Hides these words, including their spellings in URLs, forms and JSON.
    public init(_ words: [String]) {
        let spellings = words.flatMap { [$0, FormText.encode($0), Self.inJSON($0)] }
        // The longest first, because one word may be part of another.
        self.words = Set(spellings).filter { $0.utf8.count >= Self.octetsMin }
            .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    private static func inJSON(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("/", with: "\\/")
    }

    /// Replaces each word in a text by three asterisks.
    public func hidden(in text: String) -> String {
        words.reduce(text) { $0.replacing($1, with: Self.stars) }
    }
}

extension HiddenWords: CustomStringConvertible, CustomReflectable {
    /// Shows none of the words.
    public var description: String { "(hidden words)" }

    /// Hides the words in dumps.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
