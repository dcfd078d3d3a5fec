import Testing

struct StatementTests {
    @Test func `SQL for every engine contains nothing specific to SQLite`() {
        expectNone(Repository.sources.flatMap(Statements.dialect))
    }

    @Test func `SQL is in the right folders of Storage, and marked if only SQLite can run it`() {
        expectNone(Repository.sources.flatMap(Statements.strays))
    }

    @Test(arguments: [
        "WHERE name MATCH :name", "a IS NOT 'x'", "a IS NOT :b", "PRAGMA cache_size = 1",
        "INSERT OR IGNORE INTO a", "SELECT rowid FROM a", "char(9)", "json_each(a)",
        "ORDER BY a COLLATE NOCASE", "FROM sqlite_master", "/* SQLite */ SELECT 1",
    ])
    func `SQL specific to SQLite is found`(sql: String) {
        let source = snippet(
            "let a = 1\nlet sql = \"\(sql)\"", path: "Sources/Storage/Meetings/A.swift")
        #expect(Statements.dialect(in: source).map(\.line) == [2])
        let own = snippet("let sql = \"\(sql)\"", path: "Sources/Storage/SQLite/A.swift")
        #expect(Statements.dialect(in: own) == [])
    }

    @Test(arguments: [
        "SELECT max(a) FROM b", "a IS NOT NULL", "a IS NOT DISTINCT FROM b", "INSERT INTO a",
        "json", "character(9)",
    ])
    func `Standard SQL is accepted`(sql: String) {
        let source = snippet("let sql = \"\(sql)\"", path: "Sources/Storage/Meetings/A.swift")
        #expect(Statements.dialect(in: source) == [])
    }

    @Test(arguments: [
        ("Sources/Storage/Meetings/A.swift", "SELECT 1", 0),
        ("Sources/Storage/Migrations/A.swift", "UPDATE a SET b = 1", 0),
        ("Sources/Storage/SQLite/A.swift", "\(Statements.mark) SELECT 1", 0),
        ("Sources/Storage/SQLite/A.swift", "SELECT 1", 1),
        ("Sources/Storage/SQLite/A.swift", "PRAGMA journal_mode", 0),
        ("Sources/Storage/Store/Store.swift", "PRAGMA journal_mode", 1),
        ("Sources/Planning/Planner.swift", "DELETE FROM a", 1),
        ("Sources/Planning/Planner.swift", "select a from b", 1),
        ("Sources/Planning/Planner.swift", "WITH a AS (SELECT 1) SELECT a", 1),
        ("Sources/Planning/Planner.swift", "CREATE TABLE a (b)", 1),
        ("Sources/Planning/Planner.swift", "DROP INDEX a", 1),
        ("Sources/Planning/Planner.swift", "alter table a add b", 1),
        ("Sources/Planning/Planner.swift", "VACUUM", 1),
        ("Sources/Planning/Planner.swift", "ATTACH 'a' AS b", 1),
        ("Sources/Planning/Planner.swift", "Select one, create a circle, with Anna", 0),
        ("Sources/Transport/HTTP.swift", "DELETE", 0),
    ])
    func `A statement in the wrong place is found`(path: String, sql: String, count: Int) {
        #expect(Statements.strays(in: snippet("let a = \"\(sql)\"", path: path)).count == count)
        let long = "let a = \"\"\"\n    \(sql)\n    \"\"\""
        #expect(Statements.strays(in: snippet(long, path: path)).count == count)
    }
}
