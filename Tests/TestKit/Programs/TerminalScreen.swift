/// The contents of a terminal after the bytes it received, for the sequences that letsmeet uses:
/// moving the cursor up and right, erasing after the cursor, and scrolling at the bottom.
public struct TerminalScreen: Sendable {
    /// One cell; empty for the right half of a wide character.
    private typealias Cell = String

    private let columns: Int
    private let rows: Int
    private var scrolled: [[Cell]] = []
    private var cells: [[Cell]] = [[]]
    private var bytes: [UInt8] = []
    private var sequence: String?
    /// The cursor's row, from 0 at the top.
    public private(set) var row = 0
    /// The cursor's column, from 0.
    public private(set) var column = 0
    /// Every control sequence received, in order, such as "[1m".
    public private(set) var sequences: [String] = []
    /// Control characters received other than line ends.
    public private(set) var strays: [Unicode.Scalar] = []

    /// Creates an empty screen.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// All rows, including those that scrolled out, without trailing spaces.
    public var lines: [String] {
        (scrolled + cells).map { row in
            String(row.joined().reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The rows as one text.
    public var text: String { lines.joined(separator: "\n") }

    /// Processes bytes sent to the terminal.
    public mutating func take(_ new: some Sequence<UInt8>) {
        bytes += new
        while let first = bytes.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard bytes.count >= length else { return }
            let scalars = String(decoding: bytes.prefix(length), as: UTF8.self).unicodeScalars
            bytes.removeFirst(length)
            scalars.forEach { take($0) }
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        if let begun = sequence {
            sequence = begun + String(scalar)
            if begun.isEmpty || !("@"..."~").contains(scalar) { return }
            act(on: begun + String(scalar))
            sequence = nil
            return
        }
        switch scalar {
        case "\u{1B}": sequence = ""
        case "\r": column = 0
        case "\n": feed()
        default:
            if scalar.properties.generalCategory == .control {
                strays.append(scalar)
            } else {
                put(scalar)
            }
        }
    }

    private mutating func act(on sequence: String) {
        sequences.append(sequence)
        let count = max(1, Int(sequence.dropFirst().dropLast()) ?? 1)
        switch sequence.last {
        case "A": row = max(0, row - count)
        case "C": column = min(columns - 1, column + count)
        case "J":
            cells.removeLast(cells.count - row - 1)
            eraseRow()
        case "K": eraseRow()
        default: break
        }
    }

    private mutating func eraseRow() {
        cells[row].removeLast(max(0, cells[row].count - column))
    }

    private mutating func feed() {
        row += 1
        if row == cells.count { cells.append([]) }
        guard row == rows else { return }
        scrolled.append(cells.removeFirst())
        row -= 1
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format:
            guard column > 0 else { return }
            cells[row][column - 1].unicodeScalars.append(scalar)
            return
        default: break
        }
        let isWide = scalar.value >= 0x2E80 && scalar.value != 0xFFFD
        if column + (isWide ? 2 : 1) > columns {
            column = 0
            feed()
        }
        for cell in isWide ? [String(scalar), ""] : [String(scalar)] {
            while cells[row].count <= column { cells[row].append(" ") }
            cells[row][column] = cell
            column += 1
        }
    }
}
