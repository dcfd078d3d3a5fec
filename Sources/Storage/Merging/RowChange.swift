import GRDB

/// The change of a row by a merge, which can be taken back.
struct RowChange: Codable {
    /// The name of the table.
    let table: String
    /// The columns of the primary key.
    let key: StoredRow
    /// The row before the change, or the columns that changed; `nil` if it was new.
    var before: StoredRow?
    /// The row after the change, or the columns that changed; `nil` if it was deleted.
    let after: StoredRow?

    /// The change from one state to another; `nil` if they are equal.
    init?(_ table: String, _ key: StoredRow, from before: StoredRow?, to after: StoredRow?) {
        guard before != after else { return nil }
        self.table = table
        self.key = key
        guard let before, let after else {
            (self.before, self.after) = (before, after)
            return
        }
        self.before = before.filter { after[$0.key] != $0.value }
        self.after = after.filter { before[$0.key] != $0.value }
    }

    /// Restores a row that was deleted, or the columns of one that was changed. What changed since
    /// stays, and so does a row that would now conflict with another one.
    ///
    /// - Returns: false if a row could not be restored.
    func restore(in db: Database) throws -> Bool {
        guard let before else { return true }
        do {
            var isRestored = true
            try db.inSavepoint {
                isRestored = try restore(before, in: db)
                return .commit
            }
            return isRestored
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
    }

    private func restore(_ before: StoredRow, in db: Database) throws -> Bool {
        let current = try StoredRow.fetch(table, key, in: db)
        guard let after else {
            guard current == nil else { return false }
            try before.insert(into: table, in: db)
            return true
        }
        guard let current else { return true }
        let unchanged = before.filter { current[$0.key] == after[$0.key] }
        // An answer is restored as a whole or not at all.
        guard !unchanged.isEmpty, table != "answer" || unchanged.count == before.count else {
            return true
        }
        try unchanged.update(table, key, in: db)
        return true
    }
}

extension [String: StoredCell] {
    private static func condition(_ columns: some Sequence<String>) -> String {
        columns.sorted().map { "\($0) = :key_\($0)" }.joined(separator: " AND ")
    }

    private func arguments(_ prefix: String = "") -> StatementArguments {
        var values: [String: (any DatabaseValueConvertible)?] = [:]
        for (column, cell) in self { values[prefix + column] = cell.value }
        return StatementArguments(values)
    }

    static func fetch(_ table: String, _ key: StoredRow, in db: Database) throws -> StoredRow? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM \(table) WHERE \(condition(key.keys))",
            arguments: key.arguments("key_")
        ).map(StoredRow.init)
    }

    static func delete(_ table: String, _ key: StoredRow, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM \(table) WHERE \(condition(key.keys))",
            arguments: key.arguments("key_"))
    }

    func insert(into table: String, in db: Database) throws {
        let columns = keys.sorted()
        try db.execute(
            sql: """
                INSERT INTO \(table) (\(columns.joined(separator: ", ")))
                VALUES (\(columns.map { ":\($0)" }.joined(separator: ", ")))
                """, arguments: arguments())
    }

    func update(_ table: String, _ key: StoredRow, in db: Database) throws {
        let columns = keys.sorted().map { "\($0) = :\($0)" }.joined(separator: ", ")
        try db.execute(
            sql: "UPDATE \(table) SET \(columns) WHERE \(Self.condition(key.keys))",
            arguments: arguments() + key.arguments("key_"))
    }
}
