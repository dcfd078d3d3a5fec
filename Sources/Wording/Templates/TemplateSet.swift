import Mustache
import Synchronization

/// A template as it was read.
struct Template {
    let parsed: MustacheTemplate
    /// Whether what it makes of words depends on nothing but which there are, and each stands in it
    /// as it is. Not so where a word is transformed, or where every line of a part is indented.
    let isPlain: Bool

    /// Reads a template.
    ///
    /// - Throws: `MustacheTemplate.ParserError`.
    init(_ text: String) throws {
        // Text is not HTML, and into HTML go words that are escaped already.
        parsed = try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + text)
        let tags = text.matches(of: /\{\{(\{\s*\w+\s*\}|\s*[#^\/>]?\s*\w+\s*|![^}]*)\}\}/)
        let isIndented = text.contains(/[ \t]\{\{\s*>/)
        isPlain =
            tags.count == text.matches(of: /\{\{/).count && !isIndented && !text.contains("\0")
    }
}

/// Templates that share parts, filled in again and again with words of a few shapes.
///
/// What a template makes of words of one shape is worked out once, by the library, and remembered
/// as an outline into which the next words are put.
final class TemplateSet: Sendable {
    /// How many outlines are remembered; then all are forgotten.
    private static let outlinesMax = 256
    /// The largest text of which one is remembered, in octets.
    private static let outlineOctetsMax = 64 << 10

    private struct Key: Hashable {
        let name: String
        let shape: [String: TemplateOutline.Mark]
    }

    private let library: MustacheLibrary
    private let isPlain: Bool
    private let outlines = Mutex<[Key: TemplateOutline]>([:])

    init(_ templates: [String: Template]) {
        library = MustacheLibrary(templates: templates.mapValues(\.parsed))
        isPlain = templates.values.allSatisfy(\.isPlain)
    }

    /// What a template makes of these words; `nil` where there is no template of that name.
    func filled(_ name: String, _ words: [String: Any]) -> String? {
        guard isPlain, let shape = TemplateOutline.shape(of: words) else {
            return library.filled(name, words)
        }
        return outline(Key(name: name, shape: shape))?.filled(words)
    }

    private func outline(_ key: Key) -> TemplateOutline? {
        if let known = outlines.withLock({ $0[key] }) { return known }
        let sample = TemplateOutline.sample(of: key.shape)
        guard let text = library.filled(key.name, sample) else { return nil }
        let new = TemplateOutline(text)
        guard text.utf8.count <= Self.outlineOctetsMax else { return new }
        outlines.withLock { outlines in
            if outlines.count >= Self.outlinesMax { outlines = [:] }
            outlines[key] = new
        }
        return new
    }
}

/// What a template makes of all words of one shape.
struct TemplateOutline {
    /// What a template can tell of a word beside its text.
    enum Mark: Hashable {
        case text
        case flag(Bool)
        case nothing
    }

    /// What stands around a word in its place. No template that has an outline holds it.
    private static let edge: Character = "\0"

    /// What stands between the words, and the words, in turn.
    private let parts: [String]

    /// The shape of words; `nil` where they have none, as lists.
    static func shape(of words: [String: Any]) -> [String: Mark]? {
        var shape: [String: Mark] = [:]
        for (name, word) in words {
            switch word {
            case is String: shape[name] = .text
            case let flag as Bool: shape[name] = .flag(flag)
            case let list as [[String: String]] where list.isEmpty: shape[name] = .nothing
            default: return nil
            }
        }
        return shape
    }

    /// Words of a shape that can be found again.
    static func sample(of shape: [String: Mark]) -> [String: Any] {
        Dictionary(
            uniqueKeysWithValues: shape.map { name, mark in
                switch mark {
                case .text: (name, "\(edge)\(name)\(edge)" as Any)
                case .flag(let flag): (name, flag as Any)
                case .nothing: (name, [[String: String]]() as Any)
                }
            })
    }

    /// - Parameter text: what the template makes of the sample.
    init(_ text: String) {
        parts = text.split(separator: Self.edge, omittingEmptySubsequences: false).map(String.init)
    }

    /// The text with these words in it.
    func filled(_ words: [String: Any]) -> String {
        var text = ""
        for (index, part) in parts.enumerated() {
            text += index.isMultiple(of: 2) ? part : words[part] as? String ?? ""
        }
        return text
    }
}
