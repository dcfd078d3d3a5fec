import Mustache
import Synchronization

/// A parsed template.
struct Template {
    let parsed: MustacheTemplate
    /// True if the output depends only on which variables are set, and each value appears in it
    /// unchanged. False if a value is transformed, or if a part is indented line by line.
    let isPlain: Bool

    /// Parses a template.
    ///
    /// - Throws: `MustacheTemplate.ParserError`.
    init(_ text: String) throws {
        // Text needs no HTML escaping, and values for HTML are already escaped.
        parsed = try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + text)
        let tags = text.matches(of: /\{\{(\{\s*\w+\s*\}|\s*[#^\/>]?\s*\w+\s*|![^}]*)\}\}/)
        let isIndented = text.contains(/[ \t]\{\{\s*>/)
        isPlain =
            tags.count == text.matches(of: /\{\{/).count && !isIndented && !text.contains("\0")
    }
}

/// A set of templates that share parts, rendered many times with values of few shapes.
///
/// The Mustache library renders a template once for each shape. The result is cached as an outline,
/// into which later values are inserted.
final class TemplateSet: Sendable {
    /// The maximum number of outlines in the cache; beyond it the cache is cleared.
    private static let outlinesMax = 256
    /// The largest text whose outline is cached, in bytes.
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

    /// Renders a template with the given values; `nil` if there is no template of that name.
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

/// The output of a template for all values of one shape.
struct TemplateOutline {
    /// The properties of a value, apart from its text, on which the output depends.
    enum Mark: Hashable {
        case text
        case flag(Bool)
        case nothing
    }

    /// The delimiter around each value in the sample output. No template with an outline contains
    /// it.
    private static let edge: Character = "\0"

    /// The fixed texts and the names of values, alternating; the first part is a fixed text.
    private let parts: [String]

    /// The shape of the values; `nil` if one is a non-empty list or of another type.
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

    /// Sample values of a shape, delimited so that they can be found in the output.
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

    /// Creates the outline from the output for the sample values.
    ///
    /// - Parameter text: the output for the sample values.
    init(_ text: String) {
        parts = text.split(separator: Self.edge, omittingEmptySubsequences: false).map(String.init)
    }

    /// The output with the given values.
    func filled(_ words: [String: Any]) -> String {
        var text = ""
        for (index, part) in parts.enumerated() {
            text += index.isMultiple(of: 2) ? part : words[part] as? String ?? ""
        }
        return text
    }
}
