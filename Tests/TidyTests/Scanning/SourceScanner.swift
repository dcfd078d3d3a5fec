/// Blanks out everything in a Swift text that is not code: comments, and the contents of strings,
/// regular expressions and names in backticks. Every byte keeps its place, so line numbers stay the
/// same.
///
/// Code inside interpolations is kept.
struct SourceScanner {
    private enum Mode {
        /// The depth counts parentheses: an interpolation ends when it would fall below zero.
        case code(depth: Int)
        case string(hashes: Int, isMultiline: Bool)
    }

    private let bytes: [UInt8]
    /// The text, blanked as far as it has been read. Quotes are kept, and names in backticks become
    /// `_`.
    private(set) var code: [UInt8]
    /// For each line, whether it is entirely inside a multi-line string.
    private(set) var isInsideString: [Bool] = []

    private var index = 0
    private var modes: [Mode] = [.code(depth: 0)]
    private var lineBeganInString = false

    init(_ text: String) {
        bytes = Array(text.utf8)
        code = bytes
    }

    mutating func scan() {
        while index < bytes.count {
            switch modes.last ?? .code(depth: 0) {
            case .code(let depth): readCode(depth: depth)
            case .string(let hashes, let isMultiline):
                readString(hashes: hashes, isMultiline: isMultiline)
            }
        }
        endLine()
    }

    // MARK: Code

    private mutating func readCode(depth: Int) {
        switch bytes[index] {
        case UInt8(ascii: "\n"): passNewline()
        case UInt8(ascii: "/"): readSlash()
        case UInt8(ascii: "\""): openString(hashes: 0)
        case UInt8(ascii: "#"): readHashes()
        case UInt8(ascii: "`"): readBackticks()
        case UInt8(ascii: "("): replaceMode(.code(depth: depth + 1))
        case UInt8(ascii: ")"):
            if depth == 0, modes.count > 1 {
                modes.removeLast()
                index += 1
            } else {
                replaceMode(.code(depth: depth - 1))
            }
        default: index += 1
        }
    }

    private mutating func replaceMode(_ mode: Mode) {
        modes[modes.count - 1] = mode
        index += 1
    }

    private mutating func readSlash() {
        if isNext("//") {
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { blank() }
        } else if isNext("/*") {
            readBlockComment()
        } else if let end = regexEnd() {
            while index <= end { blank() }
        } else {
            index += 1
        }
    }

    /// Blanks a block comment, which may contain others.
    private mutating func readBlockComment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                blank(2)
            } else if isNext("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && index < bytes.count
    }

    /// The end of the regular expression that begins here. A slash begins one if an operand may
    /// stand there, text follows immediately, and another slash closes it on the same line.
    private func regexEnd() -> Int? {
        var before = index - 1
        while before >= 0, bytes[before] == UInt8(ascii: " ") { before -= 1 }
        guard before < 0 || "=(,[{:;\n".utf8.contains(bytes[before]) else { return nil }
        var end = index + 1
        guard end < bytes.count, bytes[end] != UInt8(ascii: " ") else { return nil }
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            if bytes[end] == UInt8(ascii: "/") { return end }
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private mutating func readHashes() {
        let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        let next = index + hashes
        guard next < bytes.count else { return index = next }
        if bytes[next] == UInt8(ascii: "\"") {
            openString(hashes: hashes)
        } else if bytes[next] == UInt8(ascii: "/") {
            blank(hashes + 1)
            let end = "/" + String(repeating: "#", count: hashes)
            while index < bytes.count, !isNext(end) { blank() }
            blank(hashes + 1)
        } else {
            index = next
        }
    }

    private mutating func readBackticks() {
        repeat {
            code[index] = UInt8(ascii: "_")
            index += 1
        } while index < bytes.count && !isNext("`") && !isNext("\n")
        guard isNext("`") else { return }
        code[index] = UInt8(ascii: "_")
        index += 1
    }

    // MARK: Strings

    private mutating func openString(hashes: Int) {
        index += hashes
        // Three quotes open a multi-line string only if nothing follows them; #"""# is a short
        // string.
        let isMultiline = isNext("\"\"\"") && isLineEnd(after: index + 3)
        modes.append(.string(hashes: hashes, isMultiline: isMultiline))
        index += isMultiline ? 3 : 1
    }

    private func isLineEnd(after start: Int) -> Bool {
        let rest = bytes[start...].first { $0 != UInt8(ascii: " ") }
        return rest == nil || rest == UInt8(ascii: "\n") || rest == UInt8(ascii: "\r")
    }

    private mutating func readString(hashes: Int, isMultiline: Bool) {
        let marks = String(repeating: "#", count: hashes)
        switch bytes[index] {
        case UInt8(ascii: "\\") where isNext("\\" + marks):
            let escaped = index + hashes + 1
            if escaped < bytes.count, bytes[escaped] == UInt8(ascii: "(") {
                blank(hashes + 1)
                index += 1
                modes.append(.code(depth: 0))
            } else if escaped < bytes.count, bytes[escaped] == UInt8(ascii: "\n") {
                blank(hashes + 1)
            } else {
                blank(hashes + 2)
            }
        case UInt8(ascii: "\"") where isNext((isMultiline ? "\"\"\"" : "\"") + marks):
            modes.removeLast()
            index += (isMultiline ? 3 : 1) + hashes
        case UInt8(ascii: "\n"):
            if !isMultiline { modes.removeLast() }
            passNewline()
        default: blank()
        }
    }

    // MARK: Bytes

    private var isInMultilineString: Bool {
        if case .string(_, isMultiline: true) = modes.last { return true }
        return false
    }

    private mutating func passNewline() {
        endLine()
        index += 1
        lineBeganInString = isInMultilineString
    }

    private mutating func endLine() {
        isInsideString.append(lineBeganInString && isInMultilineString)
    }

    private func isNext(_ text: String) -> Bool {
        bytes[index...].starts(with: text.utf8)
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") {
                passNewline()
            } else {
                code[index] = UInt8(ascii: " ")
                index += 1
            }
        }
    }
}
