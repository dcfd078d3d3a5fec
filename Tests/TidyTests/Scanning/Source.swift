/// A Swift file, prepared for the checks.
struct Source: Sendable {
    /// The path relative to the root of the repository.
    let path: String
    /// The lines of the unchanged text.
    let lines: [String]
    /// The tokens of the code, without comments and the contents of literals.
    let tokens: [Token]
    /// For each line, whether it is entirely inside a multi-line string.
    let isInsideString: [Bool]

    init(path: String, text: String) {
        var scanner = SourceScanner(text)
        scanner.scan()
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        tokens = Token.all(in: scanner.code)
        isInsideString = scanner.isInsideString
    }

    /// The folder under Sources or Tests that contains the file.
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

/// A violation of a check, shown as `path:line: message`.
struct Finding: Equatable, CustomStringConvertible, Sendable {
    let path: String
    /// The line, counted from 1.
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}
