/// One `import` line.
struct ImportLine: Equatable, Sendable {
    /// The first part of what is imported: `Foundation` of `import struct Foundation.URL`.
    let module: String
    let line: Int
}

/// Reads import lines and holds them against the table of modules.
enum Imports {
    /// All imports of a file, whatever attributes and access levels stand before them.
    static func all(in source: Source) -> [ImportLine] {
        let statement =
            /\s*((@\w+(\(\w+\))?|public|package|internal|fileprivate|private)\s+)*import\s+/
        let tokens = source.tokens
        return tokens.indices.compactMap { index in
            // A label of an argument may be called so too: a list is open before it.
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

    /// The imports that the module's row does not allow.
    static func forbidden(in source: Source) -> [Finding] {
        guard let row = ModuleTable.row(of: source.module) else {
            return [source.finding(line: 1, "module \(source.module) is not in ModuleTable")]
        }
        return all(in: source).filter { !row.allows($0.module, inFile: source.fileName) }.map {
            source.finding(line: $0.line, "\(row.name) may not import \($0.module)")
        }
    }
}
