/// A Swift file as the checks see it.
struct Source: Sendable {
    /// Relative to the repository's root.
    let path: String
    /// The text as it stands, line by line.
    let lines: [String]
    /// What is left of the text without comments and the contents of literals.
    let tokens: [Token]
    /// For each line, whether it lies wholly inside a multi-line string.
    let isInsideString: [Bool]

    init(path: String, text: String) {
        var scanner = SourceScanner(text)
        scanner.scan()
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        tokens = Token.all(in: scanner.code)
        isInsideString = scanner.isInsideString
    }

    /// The folder under Sources or Tests to which the file belongs.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    /// The name of the file without its folders.
    var fileName: String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    func finding(line: Int, _ message: String) -> Finding {
        Finding(path: path, line: line, message: message)
    }
}

/// Something that a check objects to, shown as `path:line: message`.
struct Finding: Equatable, CustomStringConvertible, Sendable {
    let path: String
    /// Counted from 1.
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}
