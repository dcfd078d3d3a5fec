/// An `import` line.
struct ImportLine: Equatable, Sendable {
    /// The imported module: `Foundation` in `import struct Foundation.URL`.
    let module: String
    let line: Int
}

/// Reads import lines and checks them against the table of modules.
enum Imports {
    /// All imports of a file, with any attributes and access levels.
    static func all(in source: Source) -> [ImportLine] {
        let statement =
            /\s*((@\w+(\(\w+\))?|public|package|internal|fileprivate|private)\s+)*import\s+/
        let tokens = source.tokens
        return tokens.indices.compactMap { index in
            // An argument label may also be called `import`; it follows an opening parenthesis or a
            // comma.
            guard tokens[index].text == "import",
                index == 0 || !["(", ","].contains(tokens[index - 1].text),
                source.lines[tokens[index].line - 1].prefixMatch(of: statement) != nil
            else { return nil }
            let module = tokens[(index + 1)...].first { !kinds.contains($0.text) }
            return module.map { ImportLine(module: $0.text, line: tokens[index].line) }
        }
    }

    private static let kinds: Set<String> = [
        "actor", "class", "enum", "func", "let", "macro", "protocol", "struct", "typealias", "var",
    ]

    /// The imports of system modules that the module's row does not allow.
    static func forbidden(in source: Source) -> [Finding] {
        let row = ModuleTable.row(of: source.module)
        return all(in: source).filter {
            ModuleTable.systemModules.contains($0.module)
                && row?.allows($0.module, inFile: source.fileName) != true
        }.map { source.finding(line: $0.line, "\(source.module) may not import \($0.module)") }
    }
}
