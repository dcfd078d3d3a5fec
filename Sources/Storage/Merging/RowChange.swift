import GRDB

/// The change of a row by a merge, which can be taken back.
struct RowChange: Codable {
    /// The name of the table.
    let table: String
    /// The columns of the primary key.
    let key: StoredRow
    /// The row before the change, or the columns that changed; `nil` if it was new.
    let before: StoredRow?
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

    private static func condition(_ columns: some Sequence<String>) -> String {
        columns.sorted().map { "\($0) = :key_\($0)" }.joined(separator: " AND ")
    }

    private static func arguments(_ cells: StoredRow, _ prefix: String = "") -> StatementArguments {
        StatementArguments(
            Dictionary(uniqueKeysWithValues: cells.map { (prefix + $0, $1.value) }))
    }

    private func current(in db: Database) throws -> StoredRow? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM \(table) WHERE \(Self.condition(key.keys))",
            arguments: Self.arguments(key, "key_")
        ).map(StoredRow.init)
    }

    /// Deletes a row that was new, unless it has changed since or others refer to it.
    func takeBackNew(in db: Database) throws {
        guard before == nil, let after, try current(in: db) == after,
            let description = PersonTable.all.first(where: { $0.name == table })
        else { return }
        for child in description.children {
            let shared = key.filter { child.columns.contains($0.key) }
            let isUsed = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM \(child.table) WHERE \(Self.condition(shared.keys)))
                    """, arguments: Self.arguments(shared, "key_"))
            if isUsed == true { return }
        }
        try db.execute(
            sql: "DELETE FROM \(table) WHERE \(Self.condition(key.keys))",
            arguments: Self.arguments(key, "key_"))
    }

    /// Restores a row that was deleted, or the columns of one that was changed. What changed since
    /// stays, and so does a row that would now conflict with another one.
    func restore(in db: Database) throws {
        guard let before else { return }
        do {
            try db.inSavepoint {
                try restore(before, in: db)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
    }

    private func restore(_ before: StoredRow, in db: Database) throws {
        let current = try current(in: db)
        guard let after else {
            guard current == nil else { return }
            let columns = before.keys.sorted()
            return try db.execute(
                sql: """
                    INSERT INTO \(table) (\(columns.joined(separator: ", ")))
                    VALUES (\(columns.map { ":\($0)" }.joined(separator: ", ")))
                    """, arguments: Self.arguments(before))
        }
        guard let current else { return }
        let unchanged = before.filter { current[$0.key] == after[$0.key] }
        // An answer is restored as a whole or not at all.
        guard !unchanged.isEmpty, table != "answer" || unchanged.count == before.count else {
            return
        }
        let columns = unchanged.keys.sorted().map { "\($0) = :\($0)" }.joined(separator: ", ")
        try db.execute(
            sql: "UPDATE \(table) SET \(columns) WHERE \(Self.condition(key.keys))",
            arguments: Self.arguments(unchanged) + Self.arguments(key, "key_"))
    }
}
