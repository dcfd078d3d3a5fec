import TestKit
import Testing

@testable import TextUI

struct PromptViewTests {
    private static let nasty =
        "漢字\u{1B}[31m red\r\n\u{202E}x\u{9B}2J 👨‍👩‍👧‍👦 e\u{301} and a very long text that goes on and on"

    private static func prompt(typed keys: [Key]) -> Prompt {
        let choices = (1...20).map { Choice(value: "\($0)", label: "\($0) \(nasty)") }
        var prompt = Prompt(
            Question(label: nasty, offers: choices, notes: [nasty, nasty], help: nasty))
        prompt.hints = Hints(choices: choices, notes: [nasty])
        for key in keys { _ = prompt.take(key) }
        return prompt
    }

    @Test(arguments: [1, 2, 3, 5, 10, 20, 40, 79, 80, 200], [1, 2, 3, 5, 24])
    func `No row is wider than the screen, and there are no more rows than it has`(
        columns: Int, rows: Int
    ) {
        let view = PromptView(
            size: ScreenSize(columns: columns, rows: rows), paint: Paint(isOn: false))
        for keys: [Key] in [[], [.text(Self.nasty)], [.text(Self.nasty), .home], [.down, .down]] {
            let frame = view.frame(of: Self.prompt(typed: keys))
            #expect(frame.rows.count <= max(1, rows - 1))
            #expect(frame.rows.indices.contains(frame.row))
            #expect(frame.column < max(2, columns))
            for row in frame.rows {
                #expect(TextColumns.width(of: row) <= max(1, columns - 1))
                #expect(row == RowText.of(row))
            }
        }
    }

    @Test(arguments: [12, 30, 80])
    func `Each frame replaces the previous one, and erasing leaves nothing`(columns: Int) {
        let size = ScreenSize(columns: columns, rows: 24)
        let view = PromptView(size: size, paint: Paint(isOn: true))
        var screen = TerminalScreen(columns: columns, rows: 24)
        var painter = Painter()
        var prompt = Prompt(
            Question(
                label: "Who", offers: [Choice(value: "a", label: "Anna 漢字 Aalto")],
                notes: ["Somebody"], help: "Write a name"))
        screen.take("before\r\n".utf8)
        for key: Key in [.down, .text("anna 漢字 and more"), .left, .home, .delete, .killToEnd] {
            _ = prompt.take(key)
            let frame = view.frame(of: prompt)
            screen.take(painter.draw(frame).utf8)
            let plain = PromptView(size: size, paint: Paint(isOn: false)).frame(of: prompt)
            let rows = plain.rows.map { String($0.reversed().drop { $0 == " " }.reversed()) }
            #expect(screen.lines == ["before"] + rows)
            #expect(screen.row == 1 + frame.row)
            #expect(screen.column == frame.column)
        }
        screen.take(painter.erase().utf8)
        #expect(screen.text == "before\n")
        #expect(screen.strays.isEmpty)
    }

    @Test func `A marked choice among many stays visible`() {
        let view = PromptView(size: .standard, paint: Paint(isOn: false))
        let frame = view.frame(of: Self.prompt(typed: Array(repeating: .down, count: 15)))
        #expect(frame.rows.contains { $0.hasPrefix("> 15  15 ") })
        #expect(frame.rows.contains { $0.contains("… 10 more") })
    }

    @Test func `A long line is shown around its cursor`() {
        var prompt = Prompt(
            Question(
                label: "Title", text: String(repeating: "x", count: 30) + "END", isEdited: true))
        let view = PromptView(size: ScreenSize(columns: 20, rows: 24), paint: Paint(isOn: false))
        #expect(view.frame(of: prompt) == Frame(rows: ["Title: xxxxxxxxEND"], row: 0, column: 18))
        _ = prompt.take(.home)
        #expect(view.frame(of: prompt) == Frame(rows: ["Title: xxxxxxxxxxxx"], row: 0, column: 7))
    }

    @Test func `A suggestion is shown in brackets before the line`() {
        var prompt = Prompt(Question(label: "Name", text: "root", skipped: "none"))
        let view = PromptView(size: .standard, paint: Paint(isOn: false))
        #expect(
            view.frame(of: prompt)
                == Frame(rows: ["Name [root]: ", "  - means none"], row: 0, column: 13))
        _ = prompt.take(.text("Olli"))
        #expect(view.frame(of: prompt).rows.first == "Name [root]: Olli")
    }
}
