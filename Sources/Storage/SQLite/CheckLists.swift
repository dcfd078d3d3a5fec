import GRDB

/// The constraints that say which words may stand in a column.
enum CheckLists {
    /// Writes each list of more than two words as comparisons, which mean the same: for a list
    /// SQLite fills a table in memory whenever a row is written, a third of what it costs to
    /// insert a delivery.
    ///
    /// The text of the schema is changed in place, as
    /// <https://sqlite.org/lang_altertable.html#otheralter> allows for constraints: no row is
    /// written anew.
    static func unroll(in db: Database) throws {
        let tables = try Row.fetchAll(
            db,
            sql: """
                /* SQLite */ SELECT name, sql FROM sqlite_schema
                WHERE type = 'table' AND sql LIKE '% CHECK (% IN%'
                """)
        try db.execute(sql: "PRAGMA writable_schema = ON")
        for table in tables {
            try db.execute(
                sql: """
                    /* SQLite */ UPDATE sqlite_schema SET sql = :sql
                    WHERE type = 'table' AND name = :name
                    """, arguments: ["name": table["name"], "sql": unrolled(table["sql"])])
        }
        try db.execute(sql: "PRAGMA writable_schema = RESET")
        db.clearSchemaCache()
    }

    static func unrolled(_ sql: String) -> String {
        sql.replacing(/\((\w+) IN\s*\(((?:'\w+',\s*){2,}'\w+')\)\)/) { list in
            let comparisons = list.2.matches(of: /'\w+'/).map { "\(list.1) = \($0.output)" }
            return "(\(comparisons.joined(separator: " OR ")))"
        }
    }
}
