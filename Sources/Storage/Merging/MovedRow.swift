import Agenda
import GRDB
import Ledger

/// A row of the other person that a merge gave to the person who stayed. Taking the merge back
/// gives it back with everything that changed since; a row that was deleted since stays deleted.
struct MovedRow {
    private let table: PersonTable
    private let keptKey: StoredRow
    private let otherKey: StoredRow
    /// The columns that the merge changed, as they were.
    private let columns: StoredRow

    private static let column = "person_id"
    /// The columns of primary keys that name the person to whom a row belongs.
    private static let columns = [
        column, "follower_id", "followed_id", "blocker_id", "blocked_id",
    ]

    /// - Returns: the moved rows, and the changes that are something else.
    static func all(
        of changes: [RowChange], from kept: PersonID, to other: PersonID
    ) -> (moved: [MovedRow], rest: [RowChange]) {
        let news = Dictionary(
            grouping: changes.filter { $0.before == nil }, by: \.table)
        var moved: [MovedRow] = []
        var rest = changes.filter { $0.before != nil }
        rest.removeAll { change in
            guard change.after == nil, let before = change.before,
                let column = columns.first(where: { change.key[$0] == .text(other.text) }),
                let table = PersonTable.named(change.table)
            else { return false }
            var key = change.key
            key[column] = .text(kept.text)
            guard let new = news[change.table]?.first(where: { $0.key == key }),
                let after = new.after
            else { return false }
            moved.append(
                MovedRow(
                    table: table, keptKey: key, otherKey: change.key,
                    columns: before.filter { after[$0.key] != $0.value }))
            return true
        }
        return (moved, rest)
    }

    /// True if other rows follow this one.
    var isParent: Bool { !table.children.isEmpty || table.name == "account" }

    /// True if the row refers to the accounts of people, which have to exist before it.
    var needsAccounts: Bool { ["follow", "block"].contains(table.name) }

    /// Copies the row to the other person, together with the rows that follow it.
    ///
    /// - Returns: false if the other person has such a row already.
    func copyBack(in db: Database) throws -> Bool {
        guard let current = try StoredRow.fetch(table.name, keptKey, in: db) else { return true }
        guard try StoredRow.fetch(table.name, otherKey, in: db) == nil else { return false }
        try current.merging(columns) { $1 }.insert(into: table.name, in: db)
        for child in table.children {
            let shared = keptKey.keys.filter { $0 != Self.column }.sorted()
            let condition = (shared + [Self.column]).map { "\($0) = :\($0)" }
            try db.execute(
                sql: """
                    UPDATE \(child) SET \(Self.column) = :other
                    WHERE \(condition.joined(separator: " AND "))
                    """,
                arguments: StatementArguments(
                    keptKey.mapValues(\.value).merging(
                        ["other": otherKey[Self.column]?.value ?? .null]) { $1 }))
        }
        return true
    }

    /// Deletes the row of the person who stayed.
    func deleteKept(in db: Database) throws {
        try StoredRow.delete(table.name, keptKey, in: db)
    }

    /// Moves a row that no others follow.
    ///
    /// - Returns: false if the other person has such a row already.
    func moveBack(in db: Database) throws -> Bool {
        guard let current = try StoredRow.fetch(table.name, keptKey, in: db) else { return true }
        guard try StoredRow.fetch(table.name, otherKey, in: db) == nil else { return false }
        try deleteKept(in: db)
        try current.merging(columns) { $1 }.insert(into: table.name, in: db)
        return true
    }
}
