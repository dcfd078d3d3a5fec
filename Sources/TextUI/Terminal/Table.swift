/// A text table in which each column is as wide as its widest cell. On a terminal it has headings,
/// columns are cut until it fits, and where the terminal has colours, ids are faint and troubles
/// are red.
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
    private let headings: [String]
    private let uncut: Set<Int>
    private let expendable: [Int]
    private let troubles: Set<String>

    /// A text with its width, which is expensive to compute.
    private struct Cell {
        let text: String
        let width: Int

        init(text: String, width: Int) {
            (self.text, self.width) = (text, width)
        }

        init(of text: String) {
            self.init(text: text, width: TextColumns.width(of: text))
        }
    }

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - headings: the headings of the columns; empty for none.
    ///   - uncut: the columns, from 0, that are useless unless they are whole, such as addresses of
    ///     pages.
    ///   - expendable: the columns that are left out, in this order, as long as the others do not
    ///     fit even if they are cut.
    ///   - troubles: the texts of cells that are shown in red.
    ///   - cellColumnsMax: the widest cell; longer text is cut and ends with "…".
    package init(
        _ headings: [String] = [], uncut: Set<Int> = [], expendable: [Int] = [],
        troubles: Set<String> = [], cellColumnsMax: Int = .max
    ) {
        self.expendable = expendable
        self.troubles = troubles
        self.headings = headings
        self.uncut = uncut
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
        let cell = Cell(of: text)
        guard cell.width > cellColumnsMax else { return cell }
        return Cell(of: TextColumns.fit(text, in: cellColumnsMax))
    }

    /// A text of any length and number of lines as one cell: a single line, cut if it is too long.
    package static func line(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return TextColumns.fit(words, in: listColumnsMax)
    }

    private static func blank(_ columns: Int) -> String { String(repeating: " ", count: columns) }

    package var isEmpty: Bool { rowEnds.isEmpty }

    /// The columns of the screen that the table takes with headings if nothing is cut.
    package var width: Int {
        let widths = wide(enoughFor: headings)
        return Self.total(widths)
    }

    /// The rows, followed by a remark.
    package func text(with remark: String?) -> String {
        [text, remark].compactMap(\.self).joined(separator: "\n")
    }

    /// The rows as standard output shows them, one per line.
    package var text: String { text(in: .answers) }

    /// The rows, one per line.
    ///
    /// - Parameter frame: the width and the look.
    /// - Returns: the rows, after the headings if the frame has them.
    package func text(in frame: TableFrame) -> String {
        let heads = frame.hasHeadings ? headings : []
        let widths = fitted(wide(enoughFor: heads), in: frame.columns)
        var text = heads.isEmpty ? "" : frame.paint.bold(line(heads.map(cell), widths)) + "\n"
        var start = 0
        for (row, end) in rowEnds.enumerated() {
            if row > 0 { text += "\n" }
            append(cells[start..<end], widths, frame.paint, to: &text)
            start = end
        }
        return text
    }

    private func line(_ cells: [Cell], _ widths: [Int]) -> String {
        var text = ""
        append(cells[...], widths, Paint(isOn: false), to: &text)
        return text
    }

    private func append(
        _ cells: ArraySlice<Cell>, _ widths: [Int], _ paint: Paint, to text: inout String
    ) {
        var blanks = 0
        for (column, (cell, width)) in zip(cells, widths).enumerated()
        where width != Self.leftOut {
            text += blanks < Self.blanks.count ? Self.blanks[blanks] : Self.blank(blanks)
            let shown = cell.width <= width ? cell : Cell(of: TextColumns.fit(cell.text, in: width))
            text += paint.isOn ? painted(shown.text, of: cell, in: column, paint) : shown.text
            blanks = max(width - shown.width, 0) + Self.gap
        }
    }

    private func painted(
        _ shown: String, of cell: Cell, in column: Int, _ paint: Paint
    ) -> String {
        if troubles.contains(cell.text) { return paint.red(shown) }
        return column < headings.count && headings[column] == "Id" ? paint.faint(shown) : shown
    }

    private func wide(enoughFor heads: [String]) -> [Int] {
        zip(columnWidths.indices, columnWidths).map { column, width in
            column < heads.count ? max(width, TextColumns.width(of: heads[column])) : width
        }
    }

    /// The widths of the columns. If they do not fit, the widest are cut to the same width.
    private func fitted(_ natural: [Int], in columns: Int?) -> [Int] {
        guard let columns else { return natural }
        let natural = shown(natural, in: columns)
        var level = max(columns, Self.cutColumnsMin)
        var widths = cut(natural, to: level)
        while level > Self.cutColumnsMin, Self.total(widths) > columns {
            level -= 1
            widths = cut(natural, to: level)
        }
        var spare = columns - Self.total(widths)
        for column in widths.indices where spare > 0 && widths[column] < natural[column] {
            widths[column] += 1
            spare -= 1
        }
        return widths
    }

    /// The widths without the expendable columns for which there is no room.
    private func shown(_ natural: [Int], in columns: Int) -> [Int] {
        var widths = natural
        for column in expendable where natural.indices.contains(column) {
            guard Self.total(cut(widths, to: Self.cutColumnsMin)) > columns else { break }
            widths[column] = Self.leftOut
        }
        return widths
    }

    /// The columns of the screen that a row takes.
    private static func total(_ widths: [Int]) -> Int {
        let shown = widths.filter { $0 != leftOut }
        return shown.reduce(0, +) + gap * max(shown.count - 1, 0)
    }

    private func cut(_ widths: [Int], to level: Int) -> [Int] {
        widths.indices.map { uncut.contains($0) ? widths[$0] : min(widths[$0], level) }
    }

    private static let gap = 2
    /// Stands for the width of a column that is left out.
    private static let leftOut = -1
    /// The fewest columns to which a column is cut.
    private static let cutColumnsMin = 8
}

/// The width of a table and its look.
package struct TableFrame {
    /// The most columns of the screen; `nil` for no limit.
    package let columns: Int?
    /// True if columns have headings.
    package let hasHeadings: Bool
    let paint: Paint

    /// Makes a frame.
    package init(columns: Int?, hasHeadings: Bool, paint: Paint = Paint(isOn: false)) {
        self.columns = columns
        self.hasHeadings = hasHeadings
        self.paint = paint
    }

    /// Whole rows alone, for other programs and for lists of few facts.
    package static let plain = TableFrame(columns: nil, hasHeadings: false)

    /// The frame for standard output: on a terminal, or if the variable COLUMNS is set, the table
    /// fits and has headings. Forced colours bring headings, too.
    package static var answers: TableFrame {
        let columns = Screen.answerColumns
        let paint = Paint.answers
        guard columns != nil || paint.isOn else { return .plain }
        return TableFrame(columns: columns, hasHeadings: true, paint: paint)
    }
}
