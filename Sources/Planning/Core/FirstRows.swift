/// The first rows of a list, and whether there are more.
public struct FirstRows<Row: Sendable>: RandomAccessCollection, Sendable {
    /// The rows that are shown.
    public let rows: [Row]
    /// True if there are more rows than these.
    public let isTruncated: Bool

    /// Keeps at most `countMax` rows. The caller requests one row more than it shows, to find out
    /// whether there are more.
    package init(_ found: [Row], countMax: Int) {
        rows = Array(found.prefix(countMax))
        isTruncated = found.count > countMax
    }

    private init(rows: [Row], isTruncated: Bool) {
        self.rows = rows
        self.isTruncated = isTruncated
    }

    /// The index of the first row.
    public var startIndex: Int { rows.startIndex }
    /// The index after the last row.
    public var endIndex: Int { rows.endIndex }
    /// The row at an index.
    public subscript(position: Int) -> Row { rows[position] }

    /// The rows, each converted by `form`.
    func each<Other>(_ form: (Row) -> Other) -> FirstRows<Other> {
        FirstRows<Other>(rows: rows.map(form), isTruncated: isTruncated)
    }

    /// The rows, each converted by `form`, without those for which it returns `nil`.
    func eachKept<Other>(_ form: (Row) -> Other?) -> FirstRows<Other> {
        FirstRows<Other>(rows: rows.compactMap(form), isTruncated: isTruncated)
    }

    /// The same rows, sorted by `isBefore`.
    func inOrder(_ isBefore: (Row, Row) -> Bool) -> FirstRows {
        FirstRows(rows: rows.sorted(by: isBefore), isTruncated: isTruncated)
    }

    /// The sentence that says that there are more rows; `nil` if these are all.
    public var remark: String? { isTruncated ? Self.remark(on: rows.count) : nil }

    /// The sentence that says that a list has more rows than are shown.
    static func remark(on count: Int) -> String {
        switch count {
        case 0: "There are too many to show."
        case 1: "Only the first one is shown."
        default: "Only the first \(count) are shown."
        }
    }
}

extension Array where Element: Equatable {
    /// The elements without duplicates, in the order in which they first occur. Meant for few
    /// elements.
    package func uniqued() -> [Element] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates, in the order in which they first occur.
    package func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
