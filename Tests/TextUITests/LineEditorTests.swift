import Testing

@testable import TextUI

struct LineEditorTests {
    @Test(
        arguments: [
            ([.text("abc"), .left, .text("X")], "abXc", 3),
            ([.text("abc"), .home, .delete, .text("Z")], "Zbc", 1),
            ([.text("abc"), .backspace, .backspace], "a", 1),
            ([.backspace, .delete, .left], "", 0),
            ([.text("one two  three"), .killWord], "one two  ", 9),
            ([.text("one two  "), .killWord], "one ", 4),
            ([.text("one two"), .wordLeft, .killToEnd], "one ", 4),
            ([.text("one two"), .wordLeft, .killToStart], "two", 0),
            ([.text("one two"), .home, .wordRight, .text("!")], "one! two", 4),
            ([.text("one"), .home, .wordLeft, .right, .end, .right], "one", 3),
            // A letter with its accent, a flag and a family are one character each.
            ([.text("e"), .text("\u{301}"), .backspace], "", 0),
            ([.text("a👨‍👩‍👧‍👦🇫🇮"), .left, .backspace], "a🇫🇮", 1),
            ([.text("漢字"), .left, .text("x")], "漢x字", 2),
            ([.text("x\u{301}"), .home, .text("e"), .delete], "e", 1),
            ([.text("🇫"), .text("🇮"), .backspace], "", 0),
            ([.text("a\0b\u{1B}[31mc\u{9B}d")], "ab[31mcd", 8),
            ([.text("a\u{202E}b\u{2066}c")], "abc", 3),
            ([.paste("\n anna@example.org\r\nben\tbo \n")], " anna@example.org ben bo ", 25),
            ([.text("a"), .enter, .tab, .up, .down, .escape, .interrupt, .endOfInput], "a", 1),
        ] as [([Key], String, Int)])
    func `Keys edit the line`(keys: [Key], text: String, cursor: Int) {
        var line = LineEditor()
        for key in keys { line.take(key) }
        #expect(line.text == text)
        #expect(line.cursor == cursor)
    }

    @Test func `A line is limited in characters and in bytes`() {
        var line = LineEditor(String(repeating: "a", count: LineEditor.charactersMax - 1))
        line.take(.home)
        line.take(.paste("xyz"))
        #expect(line.characters.count == LineEditor.charactersMax)
        #expect(line.text.hasPrefix("xa"))
        #expect(line.cursor == 1)
        var tower = LineEditor("e")
        tower.take(.paste(String(repeating: "\u{301}", count: 1_000_000)))
        #expect(tower.text.utf8.count <= 4 * LineEditor.charactersMax)
        #expect(tower.characters.count == 1)
    }

    @Test func `An initial line is edited from its end`() {
        var line = LineEditor("Helsinki")
        line.take(.text("!"))
        #expect(line.text == "Helsinki!")
    }
}
