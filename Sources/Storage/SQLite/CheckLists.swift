import GRDB

/// The constraints that say which words may stand in a column.
enum CheckLists {
    /// Writes each list of more than two words as comparisons, which mean the same: for a list
    /// SQLite fills a table in memory whenever a row is written, a third of what it costs to
    /// insert a delivery.
    ///
    /// The text of the schema is changed in place: no row is written anew.
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
