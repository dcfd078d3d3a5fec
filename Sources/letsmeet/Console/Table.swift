/// Rows of texts under each other, each column as wide as its widest text.
struct Table {
    private var rows: [[String]] = []

    mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    var isEmpty: Bool { rows.isEmpty }

    var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { place, cell in
                place == row.count - 1
                    ? cell : cell + String(repeating: " ", count: widths[place] - cell.count)
            }
            return cells.joined(separator: "  ").trimmedAtEnd
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
