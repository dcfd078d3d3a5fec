import Foundation
import GRDB

/// The value of a column in a form that can be written as JSON.
enum StoredCell: Codable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case octets(Data)

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .octets(data)
        }
    }

    /// The value for a statement.
    var value: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .octets(let data): data.databaseValue
        }
    }
}

/// A row of a table, by the names of its columns.
typealias StoredRow = [String: StoredCell]

extension [String: StoredCell] {
    /// Columns that are computed from others, and are not written.
    private static let computed: Set = ["present_answer"]

    init(_ row: Row) {
        self.init(uniqueKeysWithValues: row.map { ($0, StoredCell($1)) })
        for column in Self.computed { self[column] = nil }
    }
}
