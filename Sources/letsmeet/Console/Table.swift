/// Rows of texts under each other, each column as wide as its widest text.
struct Table {
    /// The widest cell of a list of people: longer names, addresses and notes are cut.
    static let listColumnsMax = 60

    private static let reservedCells = 65_536
    private static let blanks = (0...listColumnsMax + 2).map(blank)

    /// The cells of all rows, one row after the other: a list has thousands of rows.
    private var cells: [Cell] = []
    /// Where in ``cells`` each row ends.
    private var rowEnds: [Int] = []
    private var columnWidths: [Int] = []
    private let cellColumnsMax: Int

    /// A text with its width, which is dear to find out.
    private struct Cell {
        let text: String
        let width: Int
    }

    /// - Parameter cellColumnsMax: how wide a cell may be; what is longer ends with "…".
    init(cellColumnsMax: Int = .max) {
        self.cellColumnsMax = cellColumnsMax
        // Memory that is never written costs nothing, and to grow by copying costs much.
        cells.reserveCapacity(Self.reservedCells)
    }

    mutating func add(_ texts: String...) {
        // What is empty at the end of a row needs no blanks before it.
        let count = (texts.lastIndex { !$0.isEmpty } ?? -1) + 1
        for (column, text) in texts.prefix(count).enumerated() {
            let cell = cell(text)
            cells.append(cell)
            if column == columnWidths.count { columnWidths.append(0) }
            columnWidths[column] = max(columnWidths[column], cell.width)
        }
        rowEnds.append(cells.count)
    }

    private func cell(_ text: String) -> Cell {
        let width = TextColumns.width(of: text)
        guard width > cellColumnsMax else { return Cell(text: text, width: width) }
        let cut = TextColumns.fit(text, in: cellColumnsMax)
        return Cell(text: cut, width: TextColumns.width(of: cut))
    }

    /// A text of any lines and length as a cell: one line, cut where it is long.
    static func line(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return TextColumns.fit(words, in: listColumnsMax)
    }

    private static func blank(_ columns: Int) -> String { String(repeating: " ", count: columns) }

    var isEmpty: Bool { rowEnds.isEmpty }

    /// The rows, and what there is to say of them.
    func text(with remark: String?) -> String {
        [text, remark].compactMap(\.self).joined(separator: "\n")
    }

    /// The rows, a line each.
    var text: String {
        var text = ""
        var start = 0
        for (row, end) in rowEnds.enumerated() {
            if row > 0 { text += "\n" }
            var blanks = 0
            for (cell, width) in zip(cells[start..<end], columnWidths) {
                text += blanks < Self.blanks.count ? Self.blanks[blanks] : Self.blank(blanks)
                text += cell.text
                blanks = width - cell.width + 2
            }
            start = end
        }
        return text
    }
}
