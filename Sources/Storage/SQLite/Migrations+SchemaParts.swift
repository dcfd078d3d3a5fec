import GRDB

/// A part of a schema, as SQLite lists it.
struct SchemaPart: Equatable, Sendable {
    /// `table`, `index`, `trigger` or `view`.
    let kind: String
    let name: String
    /// The table it belongs to; for a table, the table itself.
    let table: String
    /// The SQL that created it.
    let sql: String

    /// The SQL with normalized whitespace.
    private var meaning: String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// A description of the first part that a schema has or lacks compared with the expected one;
    /// `nil` if they are the same.
    static func firstDifference(of found: [SchemaPart], from expected: [SchemaPart]) -> String? {
        let virtual = expected.filter { $0.sql.uppercased().hasPrefix("CREATE VIRTUAL") }
        for part in found {
            guard let own = expected.first(where: { $0.kind == part.kind && $0.name == part.name })
            else { return "the \(part.kind) \(part.name) was added" }
            // SQLite maintains the tables behind a virtual table, and each version writes them
            // differently.
            let isBehindIndex = virtual.contains { own.name.hasPrefix("\($0.name)_") }
            guard own.table == part.table, isBehindIndex || own.meaning == part.meaning else {
                return "the \(part.kind) \(part.name) was altered"
            }
        }
        let missing = expected.first { part in
            !found.contains { $0.kind == part.kind && $0.name == part.name }
        }
        return missing.map { "the \($0.kind) \($0.name) is missing" }
    }

    /// All parts that were created explicitly; those that SQLite creates itself are left out.
    static func fetchAll(_ db: Database) throws -> [SchemaPart] {
        try Row.fetchAll(
            db,
            sql: """
                /* SQLite */ SELECT type, name, tbl_name, coalesce(sql, '') AS sql
                FROM sqlite_master
                WHERE name NOT IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')
                    AND NOT (type = 'index' AND sql IS NULL)
                ORDER BY type, name
                """
        ).map { row in
            SchemaPart(
                kind: row["type"], name: row["name"], table: row["tbl_name"], sql: row["sql"])
        }
    }
}

extension Migrations {
    /// A description of the first part of a schema that differs from the result of the applied
    /// migrations; `nil` if there is none. Backups also have the tables of a ``HomeCopy``.
    static func firstForeignPart(in db: Database) throws -> String? {
        let model = try DatabaseQueue()
        if let last = try migrator.appliedMigrations(db).last {
            try migrator.migrate(model, upTo: last)
        }
        try HomeCopy.extend(model, like: db)
        let expected = try model.read(SchemaPart.fetchAll)
        return SchemaPart.firstDifference(of: try SchemaPart.fetchAll(db), from: expected)
    }
}
