/// A drawn question: rows that are never wider than the screen, and the position of the cursor.
package struct Frame: Equatable {
    package var rows: [String]
    /// The cursor's row, from 0 to their count.
    package var row: Int
    /// The cursor's column, from 0.
    package var column: Int
}

/// The size of a terminal in characters.
package struct ScreenSize: Equatable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The assumed size of a terminal that does not report one.
    package static let standard = ScreenSize(columns: 80, rows: 24)
}

/// The view that draws a question.
package struct PromptView {
    /// The most choices that are shown at once.
    package static let choicesMax = 6
    /// The most numbered offers that are shown at once.
    package static let offersMax = 10
    /// The columns of a wide screen that stay free for the answer.
    private static let answerColumns = 24

    package let size: ScreenSize
    package let paint: Paint

    /// The usable columns. The last one stays free because many terminals wrap after it.
    private var columns: Int { max(1, size.columns - 1) }

    package func frame(of prompt: Prompt) -> Frame {
        let (line, column) = line(of: prompt)
        var below = choices(of: prompt) + prompt.hints.notes.map { paint.faint(fit("  \($0)")) }
        let help = help(for: prompt)
        if !help.isEmpty { below.append(paint.faint(fit("  \(help)"))) }
        let room = max(0, size.rows - 1)
        below = Array(below.prefix(max(0, room - 1)))
        let above = prompt.question.notes.flatMap {
            TextColumns.wrap(RowText.of($0), in: columns)
        }.suffix(max(0, room - 1 - below.count))
        return Frame(rows: above + [line] + below, row: above.count, column: column)
    }

    private func help(for prompt: Prompt) -> String {
        let keys =
            prompt.isOffering
            ? "Choose with an arrow key or a number." : "Choose with Tab or an arrow key."
        let advice = prompt.question.advice(hasBrackets: !prompt.question.isEdited)
        return [prompt.choices.isEmpty ? "" : keys, advice]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The label with the suggestion in brackets.
    private func label(of question: Question) -> String {
        let text = question.isEdited ? "" : RowText.of(question.text)
        let room = max(columns / 2, columns - Self.answerColumns)
        return TextColumns.fit(
            RowText.of(question.label) + (text.isEmpty ? ": " : " [\(text)]: "), in: room)
    }

    /// The label and the part of the line around the cursor that fits.
    private func line(of prompt: Prompt) -> (String, column: Int) {
        let label = label(of: prompt.question)
        let labelWidth = TextColumns.width(of: label)
        let room = max(1, columns - labelWidth)
        let characters = prompt.line.characters
        var start = 0
        var width = TextColumns.width(of: characters[..<prompt.line.cursor])
        while width >= room, start < prompt.line.cursor {
            width -= TextColumns.width(of: characters[start])
            start += 1
        }
        let shown = TextColumns.prefix(of: characters[start...], in: room)
        return (paint.bold(label) + shown, labelWidth + width)
    }

    /// The rows of the choices around the marked one, and the number of hidden choices.
    private func choices(of prompt: Prompt) -> [String] {
        let choices = prompt.choices
        let max = prompt.isOffering ? Self.offersMax : Self.choicesMax
        let first = Swift.max(0, min((prompt.marked ?? 0) - max / 2, choices.count - max))
        let shown = choices.indices.dropFirst(first).prefix(max)
        let marks = shown.map { place in
            (prompt.marked == place ? "> " : "  ") + (prompt.isOffering ? "\(place + 1)  " : "")
        }
        let room = Swift.max(0, columns - (marks.map { TextColumns.width(of: $0) }.max() ?? 0))
        let labels = TextColumns.fitApart(shown.map { RowText.of(choices[$0].label) }, in: room)
        var rows = shown.enumerated().map { number, place in
            let row = fit(marks[number] + labels[number])
            return prompt.marked == place ? paint.bold(row) : row
        }
        let hidden = choices.count - shown.count
        if hidden > 0 { rows.append(paint.faint(fit("  … \(hidden) more; use the arrow keys"))) }
        return rows
    }

    private func fit(_ text: String) -> String {
        TextColumns.fit(RowText.of(text), in: columns)
    }
}

/// Turns frames into terminal output in which each frame replaces the previous one.
package struct Painter {
    private var cursorRow = 0

    /// The output that draws a frame in place of the previous one.
    package mutating func draw(_ frame: Frame) -> String {
        let up = frame.rows.count - 1 - frame.row
        let text = erase() + frame.rows.joined(separator: "\r\n")
        cursorRow = frame.row
        return text + Self.move(up, "A") + "\r" + Self.move(frame.column, "C")
    }

    /// The output that erases the last frame and moves the cursor to where the frame began.
    package mutating func erase() -> String {
        defer { cursorRow = 0 }
        return Self.move(cursorRow, "A") + "\r\u{1B}[J"
    }

    private static func move(_ count: Int, _ direction: String) -> String {
        count > 0 ? "\u{1B}[\(count)\(direction)" : ""
    }
}
