/// What a question looks like: rows that are never wider than the screen, and the place of the
/// cursor among them.
struct Frame: Equatable {
    var rows: [String]
    /// The cursor's row, from 0 to their count.
    var row: Int
    /// The cursor's column, from 0.
    var column: Int
}

/// The size of a terminal in characters.
struct ScreenSize: Equatable {
    var columns: Int
    var rows: Int

    /// What a terminal without a size is taken for.
    static let standard = ScreenSize(columns: 80, rows: 24)
}

/// Draws a question.
struct PromptView {
    /// The most choices that are shown at once.
    static let choicesMax = 6
    /// The most numbered offers that are shown at once.
    static let offersMax = 10
    /// How much of a wide screen stays free for an answer, in columns.
    private static let answerColumns = 24

    let size: ScreenSize
    let paint: Paint

    /// The last column stays free: many terminals begin a new row behind it.
    private var columns: Int { max(1, size.columns - 1) }

    func frame(of prompt: Prompt) -> Frame {
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
            ? "An arrow or a number takes one." : "Tab or an arrow takes one."
        let advice = prompt.question.advice(hasBrackets: !prompt.question.isEdited)
        return [prompt.choices.isEmpty ? "" : keys, advice]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The label, and in brackets what an empty line means.
    private func label(of question: Question) -> String {
        let text = question.isEdited ? "" : RowText.of(question.text)
        let room = max(columns / 2, columns - Self.answerColumns)
        return TextColumns.fit(
            RowText.of(question.label) + (text.isEmpty ? ": " : " [\(text)]: "), in: room)
    }

    /// The label, and as much of the line as there is room for around the cursor.
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

    /// The choices around the marked one, and how many more there are.
    private func choices(of prompt: Prompt) -> [String] {
        let choices = prompt.choices
        let max = prompt.isOffering ? Self.offersMax : Self.choicesMax
        let first = Swift.max(0, min((prompt.marked ?? 0) - max / 2, choices.count - max))
        let shown = choices.indices.dropFirst(first).prefix(max)
        var rows = shown.map { place in
            let number = prompt.isOffering ? "\(place + 1)  " : ""
            let isMarked = prompt.marked == place
            let row = fit("\(isMarked ? ">" : " ") \(number)\(choices[place].label)")
            return isMarked ? paint.bold(row) : row
        }
        let hidden = choices.count - shown.count
        if hidden > 0 { rows.append(paint.faint(fit("  … \(hidden) more, with the arrow keys"))) }
        return rows
    }

    private func fit(_ text: String) -> String {
        TextColumns.fit(RowText.of(text), in: columns)
    }
}
