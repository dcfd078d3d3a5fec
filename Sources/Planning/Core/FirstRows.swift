/// The first rows of a list, and whether there are more.
public struct FirstRows<Row: Sendable>: RandomAccessCollection, Sendable {
    /// The rows that are shown.
    public let rows: [Row]
    /// Whether there are more.
    public let isTruncated: Bool

    /// Of rows that were asked for one more than are shown, shows so many.
    init(_ found: [Row], countMax: Int) {
        rows = Array(found.prefix(countMax))
        isTruncated = found.count > countMax
    }

    private init(rows: [Row], isTruncated: Bool) {
        self.rows = rows
        self.isTruncated = isTruncated
    }

    /// Where the rows begin.
    public var startIndex: Int { rows.startIndex }
    /// Where the rows end.
    public var endIndex: Int { rows.endIndex }
    /// One of the rows.
    public subscript(position: Int) -> Row { rows[position] }

    /// Each row in another form.
    func each<Other>(_ form: (Row) -> Other) -> FirstRows<Other> {
        FirstRows<Other>(rows: rows.map(form), isTruncated: isTruncated)
    }

    /// The same rows in another order.
    func inOrder(_ isBefore: (Row, Row) -> Bool) -> FirstRows {
        FirstRows(rows: rows.sorted(by: isBefore), isTruncated: isTruncated)
    }

    /// A sentence for who reads them; `nil` when these are all.
    public var remark: String? { isTruncated ? Self.remark(on: rows.count) : nil }

    /// That a list has more rows than are shown.
    static func remark(on count: Int) -> String { "These are the first \(count): there are more." }
}
