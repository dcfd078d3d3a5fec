import GRDB

/// The CHECK constraints that list the allowed words of a column.
enum CheckLists {
    /// Rewrites each list of more than two words as equivalent comparisons. For a list, SQLite
    /// fills a temporary table whenever a row is written, which is a third of the cost of inserting
    /// a delivery.
    ///
    /// The schema text is changed in place: no row is rewritten.
    static func unroll(in db: Database) throws {
        let tables = try String.fetchAll(
            db,
            sql: """
                /* SQLite */ SELECT name FROM sqlite_schema
                WHERE type = 'table' AND sql LIKE '% CHECK (% IN%'
                """)
        for table in tables { try SchemaText.change(table, in: db, unrolled) }
    }

    static func unrolled(_ sql: String) -> String {
        sql.replacing(/\((\w+) IN\s*\(((?:'\w+',\s*){2,}'\w+')\)\)/) { list in
            let comparisons = list.2.matches(of: /'\w+'/).map { "\(list.1) = \($0.output)" }
            return "(\(comparisons.joined(separator: " OR ")))"
        }
    }
}
