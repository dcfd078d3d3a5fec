/// The length of one function, initialiser, subscript or computed property.
struct FunctionLength: Equatable, Sendable {
    let name: String
    /// The line on which its declaration begins, counted from 1.
    let line: Int
    /// The number of lines from the declaration to the closing brace, without the contents of
    /// multi-line strings.
    let lines: Int

    /// All bodies of a file, in the order of their declarations. A nested body counts for itself
    /// and for the outer one.
    static func all(in source: Source) -> [FunctionLength] {
        let closing = closingBraces(of: source.tokens)
        return source.tokens.indices.compactMap { index in
            guard let body = body(of: index, in: source.tokens), let last = closing[body] else {
                return nil
            }
            let first = source.tokens[index].line
            let end = source.tokens[last].line
            let count = (first...end).count { !source.isInsideString[$0 - 1] }
            return FunctionLength(
                name: name(at: index, in: source.tokens), line: first, lines: count)
        }
    }

    private static func closingBraces(of tokens: [Token]) -> [Int: Int] {
        var closing: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() where !token.isWord {
            if token.text == "{" { open.append(index) }
            if token.text == "}", let start = open.popLast() { closing[start] = index }
        }
        return closing
    }

    private static func name(at index: Int, in tokens: [Token]) -> String {
        let word = tokens[index].text
        guard ["func", "var"].contains(word), index + 1 < tokens.count else { return word }
        return "\(word) \(tokens[index + 1].text)"
    }

    /// The index of the brace that opens the body of the declaration whose keyword is at `index`;
    /// nil if there is no such keyword or no body.
    private static func body(of index: Int, in tokens: [Token]) -> Int? {
        let keyword = tokens[index]
        guard keyword.isWord, index == 0 || tokens[index - 1].text != "." else { return nil }
        switch keyword.text {
        case "func", "init", "subscript", "deinit": return bodyOfFunction(after: index, in: tokens)
        case "var": return bodyOfProperty(after: index, in: tokens)
        default: return nil
        }
    }

    /// The opening brace of a function; nil for a protocol requirement, which has no body: the next
    /// declaration or the end of the protocol comes first.
    private static func bodyOfFunction(after keyword: Int, in tokens: [Token]) -> Int? {
        var depth = 0
        for index in tokens.indices[(keyword + 1)...] {
            let token = tokens[index]
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case "}" where depth == 0: return nil
            default:
                let isFirst = token.line > tokens[index - 1].line
                if depth == 0, isFirst, opensDeclaration(token) { return nil }
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    private static func opensDeclaration(_ token: Token) -> Bool {
        switch token.text {
        case "func", "init", "subscript", "deinit", "var", "let", "case", "static", "mutating",
            "public", "associatedtype", "typealias", "@":
            true
        default: false
        }
    }

    /// The opening brace of a computed property, which is on the line of its `var`; nil if a value
    /// is assigned.
    private static func bodyOfProperty(after keyword: Int, in tokens: [Token]) -> Int? {
        var depth = 0
        for index in tokens.indices[(keyword + 1)...] {
            let token = tokens[index]
            guard token.line == tokens[keyword].line else { return nil }
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case "=", "in", "}": return nil
            default: break
            }
            if depth < 0 { return nil }
        }
        return nil
    }
}
