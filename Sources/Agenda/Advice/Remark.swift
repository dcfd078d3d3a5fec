/// A sentence for people about something that was done or refused, and what helps.
public struct Remark: Hashable, Sendable {
    /// The sentence, without commands and options.
    public let text: String
    /// The actions that help, the best first.
    public let advice: [Advice]
    /// The sentence for interfaces in other languages; `nil` if it is known in English only.
    public let phrase: Phrase?

    /// Makes a remark.
    public init(_ text: String, advice: Advice...) {
        self.init(text, advice: advice)
    }

    /// Makes a remark with a list of actions.
    public init(_ text: String, advice: [Advice], phrase: Phrase? = nil) {
        self.text = text
        self.advice = advice
        self.phrase = phrase
    }

    /// The sentence, followed by each advice in the words of an interface.
    public func words(_ renderer: Advice.Renderer) -> String {
        Self.joined([text] + advice.map(renderer))
    }

    /// Joins sentences. Behind one that ends with a command, and so without a full stop, the next
    /// follows after a semicolon.
    public static func joined(_ sentences: [String]) -> String {
        sentences.reduce(into: "") { text, sentence in
            guard let last = text.last else { return text = sentence }
            // A full stop behind a command would be copied with it.
            let isEnded = ".!?".contains(last)
            text += isEnded ? " " : "; "
            text += isEnded ? sentence : sentence.prefix(1).lowercased() + sentence.dropFirst()
        }
    }
}

extension Remark {
    /// True if both say the same and advise the same.
    public static func == (one: Remark, other: Remark) -> Bool {
        one.text == other.text && one.advice == other.advice
    }

    /// Hashes the parts that are compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(advice)
    }
}

extension Remark: ExpressibleByStringInterpolation {
    /// A remark without advice.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Remark: Encodable {
    /// Writes the sentence, with its advice in the words of the interface that writes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let renderer = CodingUserInfoKey.adviceRenderer.flatMap {
            encoder.userInfo[$0] as? Advice.Renderer
        }
        try container.encode(renderer.map(words) ?? text)
    }
}

extension Advice {
    /// Puts an advice into the words of an interface, as a sentence or a command.
    public typealias Renderer = @Sendable (Advice) -> String
}

extension CodingUserInfoKey {
    /// The key of the ``Advice/Renderer`` of the interface that encodes.
    public static let adviceRenderer = CodingUserInfoKey(rawValue: "letsmeet.advice")
}
