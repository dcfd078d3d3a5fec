import Mustache

/// Checks the tags of a template for unknown names and unclosed tags, because the parser reports
/// only where it stopped.
struct TemplateScan {
    private let words: Set<String>
    private let partials: [String]
    private var line = 1
    private var open: [(name: String, line: Int)] = []

    /// The first error, with its line; `nil` if there is none.
    static func fault(
        in text: String, words: Set<String>, partials: [String]
    ) -> (line: Int, reason: String)? {
        var scan = TemplateScan(words: words, partials: partials)
        return scan.fault(in: text)
    }

    private init(words: Set<String>, partials: [String]) {
        self.words = words
        self.partials = partials
    }

    private mutating func fault(in text: String) -> (line: Int, reason: String)? {
        var rest = text[...]
        while let start = rest.firstRange(of: "{{") {
            line += rest[..<start.lowerBound].count(where: \.isNewline)
            let isTriple = rest[start.upperBound...].first == "{"
            let body = rest[start.upperBound...].dropFirst(isTriple ? 1 : 0)
            guard let end = body.firstRange(of: isTriple ? "}}}" : "}}") else {
                return (line, Self.unclosed)
            }
            let tag = body[..<end.lowerBound]
            if let reason = reason(against: tag) { return (line, reason) }
            line += tag.count(where: \.isNewline)
            rest = body[end.upperBound...]
        }
        return open.last.map {
            ($0.line, "{{#\($0.name)}} is never closed. Close it with {{/\($0.name)}}.")
        }
    }

    private static let unclosed = "a tag is not closed. Close it with }}."

    private mutating func reason(against tag: Substring) -> String? {
        guard tag.first != "!" else { return nil }
        guard !tag.contains(where: \.isNewline) else { return Self.unclosed }
        let mark = tag.first.flatMap { "#^/>&$<%=".contains($0) ? $0 : nil }
        let inner = tag.dropFirst(mark == nil ? 0 : 1).filter { !$0.isWhitespace }
        // A name in front transforms a variable: {{uppercased(title)}}.
        let name = inner.split(separator: "(").last.map { $0.filter { $0 != ")" } } ?? ""
        switch mark {
        case "%", "$", "<": return nil
        case "=": return "the tag that changes the delimiters is not supported. Remove it."
        case ">": return partials.contains(name) ? nil : noPart(name)
        case "/": return close(name)
        default:
            if mark == "#" || mark == "^" { open.append((name, line)) }
            return words.contains(name) ? nil : noWord(name)
        }
    }

    private func noPart(_ name: String) -> String {
        let known = partials.map { "{{> \($0)}}" }.joined(separator: ", ")
        return "there is no part {{> \(name)}}." + (known.isEmpty ? "" : " Available: \(known).")
    }

    private func noWord(_ name: String) -> String {
        "there is no variable {{\(name)}}. Available: "
            + words.sorted().joined(separator: ", ") + "."
    }

    private mutating func close(_ name: String) -> String? {
        guard let last = open.popLast() else { return "{{/\(name)}} closes nothing. Remove it." }
        guard last.name != name else { return nil }
        return "{{/\(name)}} stands in place of {{/\(last.name)}}, whose section begins in line "
            + "\(last.line)."
    }
}

/// The errors of the Mustache parser, in words for the author of a template.
enum MustacheWords {
    /// The problem and its fix, as text that follows the file and line.
    static func of(_ error: any Error) -> String {
        guard let error = error as? MustacheTemplate.Error else {
            return "a tag is not closed. Close it with }}."
        }
        return switch error {
        case .sectionCloseNameIncorrect, .expectedSectionEnd, .unfinishedName,
            .invalidSetDelimiter:
            "a tag is malformed. Write it as {{name}}."
        case .invalidConfigVariableSyntax, .unrecognisedConfigVariable:
            "a tag that begins with % is not supported. Remove it."
        case .transformAppliedToInheritanceSection, .illegalTokenInsideInheritSection,
            .textInsideInheritSection:
            "the content of {{<…}} is malformed. Use a part such as {{> facts}} instead."
        }
    }
}
