import GRDB

/// The text of the schema, which may be changed in place where only constraints become others
/// (<https://sqlite.org/lang_altertable.html#otheralter>).
enum SchemaText {
    /// Writes how a table was made anew.
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
