import Foundation

/// The rules for SQL statements. Statements in `Storage/SQLite` are only for SQLite, and each
/// begins with a mark. `Storage/Migrations` may differ by engine. Statements in every other folder
/// of Storage are for every engine. Files outside these folders contain no statements.
///
/// These checks look at the text only. Whether another engine accepts the statements is checked by
/// `make judge`.
enum Statements {
    static let mark = "/* SQLite */"

    /// The beginning of a statement, right after the opening quotes.
    private static let beginning = "\"(\"\"\\s*)?(" + first + "|" + first.lowercased() + ")"
    private static let first =
        "(SELECT|INSERT (OR \\w+ )?INTO|REPLACE INTO|UPDATE|DELETE FROM|PRAGMA) [\\w*]"
        + "|WITH (RECURSIVE )?\\w+ (\\([^)]*\\) )?AS \\("
        + "|(CREATE|DROP|ALTER) (\\w+ )?(TABLE|INDEX|TRIGGER|VIEW) \\w"
        + "|VACUUM\\b|ATTACH ['\\w:]"
    private static let dialect =
        "\\b(PRAGMA|VACUUM|REINDEX|MATCH|GLOB|COLLATE|AUTOINCREMENT|INSERT OR|REPLACE INTO|rowid"
        + "|lastInsertedRowID|IS NOT ['\\d:]|sqlite_\\w+|json_\\w+\\(|json\\(|instr\\(|ifnull\\("
        + "|iif\\(|char\\(|hex\\(|printf\\(|typeof\\(|total\\(|group_concat\\(|random\\("
        + "|randomblob\\(|strftime\\(|julianday\\(|unixepoch\\(|datetime\\()"

    /// Finds constructs specific to SQLite in statements for every engine.
    static func dialect(in source: Source) -> [Finding] {
        guard isForEveryEngine(source) else { return [] }
        return findings(of: dialect, in: source) + findings(of: "/\\* SQLite \\*/", in: source)
    }

    /// Finds statements outside the permitted folders, and unmarked statements that are only for
    /// SQLite.
    static func strays(in source: Source) -> [Finding] {
        let isMigration = source.path.hasPrefix("Sources/Storage/Migrations/")
        guard !isMigration, !isForEveryEngine(source) else { return [] }
        return findings(of: beginning, in: source).filter { finding in
            !source.path.hasPrefix("Sources/Storage/SQLite/")
                || !["PRAGMA", "VACUUM"].contains { finding.message.uppercased().contains($0) }
        }
    }

    /// Whether the file holds statements for every engine. `Store` holds the connection and no
    /// statements.
    private static func isForEveryEngine(_ source: Source) -> Bool {
        let parts = source.path.split(separator: "/")
        return source.module == "Storage" && parts.count == 4
            && !["Migrations", "SQLite", "Store"].contains(parts[2])
    }

    private static func findings(of pattern: String, in source: Source) -> [Finding] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        let code = source.lines.map { line in
            line.drop { $0 == " " }.hasPrefix("//") ? "" : line
        }.joined(separator: "\n")
        let whole = NSRange(code.startIndex..., in: code)
        return expression.matches(in: code, range: whole).compactMap { match in
            Range(match.range, in: code).map { range in
                let newlines = code[..<range.upperBound].utf8.count { $0 == UInt8(ascii: "\n") }
                return source.finding(
                    line: newlines + 1, "\(code[range]) is not allowed in SQL of this folder")
            }
        }
    }
}
