/// Turns frames into what a terminal must be sent: each replaces the one before.
struct Painter {
    private var cursorRow = 0

    /// Draws a frame where the one before was.
    mutating func draw(_ frame: Frame) -> String {
        let up = frame.rows.count - 1 - frame.row
        let text = erase() + frame.rows.joined(separator: "\r\n")
        cursorRow = frame.row
        return text + Self.move(up, "A") + "\r" + Self.move(frame.column, "C")
    }

    /// Takes the last frame away; the cursor stands where it began.
    mutating func erase() -> String {
        defer { cursorRow = 0 }
        return Self.move(cursorRow, "A") + "\r\u{1B}[J"
    }

    private static func move(_ count: Int, _ direction: String) -> String {
        count > 0 ? "\u{1B}[\(count)\(direction)" : ""
    }
}
