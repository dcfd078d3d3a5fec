/// Looks through the tags of a template for what stands for nothing, or is not closed: its parser
/// tells only where it gave up.
struct TemplateScan {
    private let words: Set<String>
    private let partials: [String]
    private var line = 1
    private var open: [(name: String, line: Int)] = []

    /// The first thing that is wrong, with its line; `nil` where nothing is.
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
            ($0.line, "{{#\($0.name)}} is open to the end. Write {{/\($0.name)}} where it ends.")
        }
    }

    private static let unclosed = "a tag is not closed. Write }} where it ends."

    private mutating func reason(against tag: Substring) -> String? {
        guard tag.first != "!" else { return nil }
        guard !tag.contains(where: \.isNewline) else { return Self.unclosed }
        let mark = tag.first.flatMap { "#^/>&$<%=".contains($0) ? $0 : nil }
        let inner = tag.dropFirst(mark == nil ? 0 : 1).filter { !$0.isWhitespace }
        // Words are transformed by names around them: {{uppercased(title)}}.
        let name = inner.split(separator: "(").last.map { $0.filter { $0 != ")" } } ?? ""
        switch mark {
        case "%", "$", "<": return nil
        case "=": return "the tag that changes the delimiters is not understood. Leave it out."
        case ">": return partials.contains(name) ? nil : noPart(name)
        case "/": return close(name)
        default:
            if mark == "#" || mark == "^" { open.append((name, line)) }
            return words.contains(name) ? nil : noWord(name)
        }
    }

    private func noPart(_ name: String) -> String {
        let known = partials.map { "{{> \($0)}}" }.joined(separator: ", ")
        return "there is no part {{> \(name)}}." + (known.isEmpty ? "" : " Parts are: \(known).")
    }

    private func noWord(_ name: String) -> String {
        "there is no word {{\(name)}}. Words are: " + words.sorted().joined(separator: ", ") + "."
    }

    private mutating func close(_ name: String) -> String? {
        guard let last = open.popLast() else { return "{{/\(name)}} closes nothing." }
        guard last.name != name else { return nil }
        return "{{/\(name)}} stands where {{/\(last.name)}} is wanted: that is open since line "
            + "\(last.line)."
    }
}
