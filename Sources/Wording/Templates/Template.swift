/// A parsed template: text with tags of the Mustache language.
///
/// Known are variables (`{{name}}`; `{{{name}}}` and `{{&name}}` without escaping), sections
/// (`{{#name}}…{{/name}}`), inverted sections (`{{^name}}…{{/name}}`), parts (`{{> name}}`),
/// comments (`{{! … }}`) and phrases (`{{_ … }}`), which are translated when the template is read.
/// As the Mustache manual says, a line that contains only one tag other than a variable leaves no
/// empty line.
struct Template: Sendable {
    /// The deepest nesting of sections.
    static let depthMax = 50

    /// A piece of a template.
    indirect enum Node: Equatable, Sendable {
        case text(String)
        case variable(String, isEscaped: Bool)
        case section(String, [Node], isInverted: Bool)
        case part(String, indentation: String)
    }

    /// The words that a template may use.
    struct Vocabulary: Sendable {
        /// The variables.
        var names: TemplateNames
        /// The parts.
        var parts: [String] = []
        /// Translates a phrase; `nil` if there is no translation.
        var translate: @Sendable (String) -> String? = { $0 }
    }

    /// An error in a template: the line, and the reason with its remedy.
    struct Fault: Error, Equatable {
        let line: Int
        let reason: String
    }

    /// The text from which it was parsed, for parts that are indented.
    let source: String
    let nodes: [Node]
    private let vocabulary: Vocabulary

    /// Parses a template.
    ///
    /// - Throws: ``Fault`` if a tag is malformed, not closed or unknown.
    init(_ source: String, _ vocabulary: Vocabulary) throws(Fault) {
        var parser = TemplateParser(source, vocabulary)
        nodes = try parser.nodes()
        self.source = source
        self.vocabulary = vocabulary
    }

    /// The same template with each line indented.
    func indented(by indentation: String) -> Template {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.enumerated().map { place, line in
            place == lines.count - 1 && line.isEmpty ? "" : indentation + line
        }.joined(separator: "\n")
        // The text without indentation was parsed before.
        return (try? Template(text, vocabulary)) ?? self
    }
}

/// Parses the tags of a template.
struct TemplateParser {
    private struct Section {
        let name: String
        let line: Int
        let isInverted: Bool
        let names: TemplateNames
        var nodes: [Template.Node] = []
    }

    private var rest: Substring
    private let vocabulary: Template.Vocabulary
    private var line = 1
    /// The sections around this place; the first is the whole template.
    private var open: [Section]
    /// True if only white space stands before this place in its line.
    private var isLineBlank = true

    init(_ source: String, _ vocabulary: Template.Vocabulary) {
        rest = source[...]
        self.vocabulary = vocabulary
        open = [Section(name: "", line: 0, isInverted: false, names: vocabulary.names)]
    }

    /// The nodes of the template.
    mutating func nodes() throws(Template.Fault) -> [Template.Node] {
        while let start = rest.firstRange(of: "{{") {
            take(text: rest[..<start.lowerBound])
            try takeTag()
        }
        take(text: rest)
        guard open.count == 1 else {
            let last = open[open.count - 1]
            throw Template.Fault(
                line: last.line,
                reason: "{{#\(last.name)}} is never closed. Close it with {{/\(last.name)}}.")
        }
        return open[0].nodes
    }

    private mutating func take(text: Substring) {
        rest = rest[text.endIndex...]
        line += text.utf8.count { $0 == UInt8(ascii: "\n") }
        let tail = text.lastIndex(of: "\n").map { text[text.index(after: $0)...] } ?? text
        isLineBlank = (isLineBlank || tail.startIndex != text.startIndex) && tail.isBlank
        add(.text(String(text)))
    }

    private mutating func add(_ node: Template.Node) {
        if case .text(let text) = node, text.isEmpty { return }
        open[open.count - 1].nodes.append(node)
    }

    private func fault(_ reason: String) -> Template.Fault {
        Template.Fault(line: line, reason: reason)
    }

    // MARK: Tags

    private mutating func takeTag() throws(Template.Fault) {
        let isTriple = rest.hasPrefix("{{{")
        let body = rest.dropFirst(isTriple ? 3 : 2)
        guard let end = body.firstRange(of: isTriple ? "}}}" : "}}") else {
            throw fault(Self.unclosed)
        }
        let tag = body[..<end.lowerBound]
        let sign = tag.first.flatMap { "#^/>&!_=%<$".contains($0) ? $0 : nil }
        guard sign == "!" || !tag.contains(where: \.isNewline) else { throw fault(Self.unclosed) }
        let inner = String(tag.dropFirst(sign == nil ? 0 : 1)).trimmed
        rest = body[end.upperBound...]
        let isEscaped = !isTriple && sign != "&"
        switch sign {
        case nil, "&":
            try checkName(inner)
            isLineBlank = false
            add(.variable(inner, isEscaped: isEscaped))
        case "_":
            isLineBlank = false
            try addPhrase(inner)
        default:
            let (indentation, newlineCount) = takeLoneLine()
            try take(sign, inner, indentation: indentation)
            line += tag.utf8.count { $0 == UInt8(ascii: "\n") } + newlineCount
        }
    }

    private static let unclosed = "a tag is not closed. Close it with }}."

    private mutating func take(
        _ sign: Character?, _ name: String, indentation: String
    ) throws(Template.Fault) {
        switch sign {
        case "!": break
        case "#", "^":
            try checkName(name)
            guard open.count <= Template.depthMax else {
                throw fault("sections are nested more than \(Template.depthMax) levels deep.")
            }
            let names = open[open.count - 1].names.inside(name)
            open.append(
                Section(name: name, line: line, isInverted: sign == "^", names: names))
        case "/": try close(name)
        case ">":
            guard vocabulary.parts.contains(name) else { throw fault(noPart(name)) }
            add(.part(name, indentation: indentation))
        case "=":
            throw fault("the tag that changes the delimiters is not supported. Remove it.")
        default:
            throw fault("a tag that begins with \(sign ?? " ") is not supported. Remove it.")
        }
    }

    /// If the tag just read stands alone in its line, removes the rest of the line.
    ///
    /// - Returns: the white space before the tag, which is removed too, and the number of removed
    ///   newlines; nothing if the tag does not stand alone.
    private mutating func takeLoneLine() -> (indentation: String, newlineCount: Int) {
        let end = rest.firstIndex { !" \t".contains($0) } ?? rest.endIndex
        guard isLineBlank, end == rest.endIndex || rest[end].isNewline else {
            isLineBlank = false
            return ("", 0)
        }
        let isLast = end == rest.endIndex
        rest = isLast ? rest[end...] : rest[rest.index(after: end)...]
        return (removeIndentation(), isLast ? 0 : 1)
    }

    private mutating func removeIndentation() -> String {
        guard case .text(let text) = open[open.count - 1].nodes.last else { return "" }
        let tail = text.lastIndex(of: "\n").map { text[text.index(after: $0)...] } ?? text[...]
        guard tail.isBlank else { return "" }
        let kept = text.dropLast(tail.count)
        open[open.count - 1].nodes.removeLast()
        add(.text(String(kept)))
        return String(tail)
    }

    private mutating func close(_ name: String) throws(Template.Fault) {
        guard open.count > 1, let last = open.last else {
            throw fault("{{/\(name)}} closes nothing. Remove it.")
        }
        guard last.name == name else {
            throw fault(
                "{{/\(name)}} stands in place of {{/\(last.name)}}, whose section begins in line "
                    + "\(last.line).")
        }
        open.removeLast()
        add(.section(name, last.nodes, isInverted: last.isInverted))
    }

    // MARK: Names

    private func checkName(_ name: String) throws(Template.Fault) {
        let names = open[open.count - 1].names
        guard !names.contains(name) else { return }
        throw fault(
            "there is no variable {{\(name)}}. Available: "
                + names.sorted.joined(separator: ", ") + ".")
    }

    private func noPart(_ name: String) -> String {
        let known = vocabulary.parts.map { "{{> \($0)}}" }.joined(separator: ", ")
        return "there is no part {{> \(name)}}." + (known.isEmpty ? "" : " Available: \(known).")
    }

    /// Adds a translated phrase. In it, `%name%` stands for a variable.
    private mutating func addPhrase(_ phrase: String) throws(Template.Fault) {
        guard let text = vocabulary.translate(phrase) else {
            throw fault("the phrase \"\(phrase)\" has no translation.")
        }
        let pieces = text.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
        guard pieces.count.isMultiple(of: 2) == false else {
            throw fault("a variable in a phrase is written as %name%.")
        }
        for (place, piece) in pieces.enumerated() {
            guard !place.isMultiple(of: 2) else {
                add(.text(HTMLText.escaped(piece)))
                continue
            }
            try checkName(piece)
            add(.variable(piece, isEscaped: true))
        }
    }
}

extension StringProtocol {
    fileprivate var isBlank: Bool { allSatisfy { $0 == " " || $0 == "\t" } }

    fileprivate var trimmed: String {
        let head = drop(while: \.isWhitespace)
        let end = head.lastIndex { !$0.isWhitespace }
        return end.map { String(head[...$0]) } ?? ""
    }
}
