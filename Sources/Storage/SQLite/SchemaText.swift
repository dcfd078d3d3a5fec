import GRDB

/// The SQL text of the schema. It may be edited in place for changes that affect only constraints
/// (<https://sqlite.org/lang_altertable.html#otheralter>).
enum SchemaText {
    /// Replaces the SQL text of a table.
    static func change(
        _ table: String, in db: Database, _ change: (String) -> String
    ) throws {
        let sql = try String.fetchOne(
            db,
            sql: """
                /* SQLite */ SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = :name
                """, arguments: ["name": table])
        guard let sql else { throw StoreError.failed("there is no table \(table)") }
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(
            sql: """
                /* SQLite */ UPDATE sqlite_schema SET sql = :sql
                WHERE type = 'table' AND name = :name
                """, arguments: ["name": table, "sql": change(sql)])
        try db.execute(sql: "PRAGMA writable_schema = RESET")
        db.clearSchemaCache()
    }
}
