/// A text table in which each column is as wide as its widest cell.
package struct Table {
    /// The widest cell in lists of people; longer names, addresses and notes are cut.
    package static let listColumnsMax = 60

    private static let reservedCells = 65_536
    private static let blanks = (0...listColumnsMax + 2).map(blank)

    /// The cells of all rows in one array, because a list can have thousands of rows.
    private var cells: [Cell] = []
    /// The end index in ``cells`` of each row.
    private var rowEnds: [Int] = []
    private var columnWidths: [Int] = []
    private let cellColumnsMax: Int

    /// A text with its width, which is expensive to compute.
    private struct Cell {
        let text: String
        let width: Int
    }

    /// Makes an empty table.
    ///
    /// - Parameter cellColumnsMax: the widest cell; longer text is cut and ends with "…".
    package init(cellColumnsMax: Int = .max) {
        self.cellColumnsMax = cellColumnsMax
        // Reserved memory that is never written costs nothing, while growing the array copies it.
        cells.reserveCapacity(Self.reservedCells)
    }

    package mutating func add(_ texts: String...) {
        // Empty cells at the end of a row are left out, so that no blanks come before them.
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

    /// A text of any length and number of lines as one cell: a single line, cut if it is too long.
    package static func line(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return TextColumns.fit(words, in: listColumnsMax)
    }

    private static func blank(_ columns: Int) -> String { String(repeating: " ", count: columns) }

    package var isEmpty: Bool { rowEnds.isEmpty }

    /// The rows, followed by a remark.
    package func text(with remark: String?) -> String {
        [text, remark].compactMap(\.self).joined(separator: "\n")
    }

    /// The rows, one per line.
    package var text: String {
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
