/// Rows of texts under each other, each column as wide as its widest text.
struct Table {
    /// The widest cell of a list of people: longer names, addresses and notes are cut.
    static let listColumnsMax = 60

    private var rows: [[Cell]] = []
    private let cellColumnsMax: Int

    /// A text with its width, which is dear to find out.
    private struct Cell {
        let text: String
        let width: Int
    }

    /// - Parameter cellColumnsMax: how wide a cell may be; what is longer ends with "…".
    init(cellColumnsMax: Int = .max) {
        self.cellColumnsMax = cellColumnsMax
    }

    mutating func add(_ cells: String...) {
        var row = cells.map { text in
            let width = TextColumns.width(of: text)
            guard width > cellColumnsMax else { return Cell(text: text, width: width) }
            let cut = TextColumns.fit(text, in: cellColumnsMax)
            return Cell(text: cut, width: TextColumns.width(of: cut))
        }
        // What is empty at the end of a row needs no blanks before it.
        while row.last?.text.isEmpty == true { row.removeLast() }
        rows.append(row)
    }

    /// A text of any lines and length as a cell: one line, cut where it is long.
    static func line(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return TextColumns.fit(words, in: listColumnsMax)
    }

    var isEmpty: Bool { rows.isEmpty }

    var text: String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.width)
            }
        }
        var text = ""
        for row in rows {
            var blanks = 0
            for (column, cell) in row.enumerated() {
                for _ in 0..<blanks { text += " " }
                text += cell.text
                blanks = widths[column] - cell.width + 2
            }
            text += "\n"
        }
        return String(text.dropLast())
    }
}
