import Testing
import Wording

struct VisibleTextTests {
    @Test(arguments: [
        ("Chess\n\tat Café Engel 🎲", "Chess\n\tat Café Engel 🎲"),
        ("a\u{1B}]0;owned\u{07}b", "a\\u{1b}]0;owned\\u{7}b"),
        ("\u{1B}[31mred", "\\u{1b}[31mred"), ("a\rb\u{0}", "a\\u{d}b\\u{0}"),
        ("gnp.\u{202E}exe", "gnp.\\u{202e}exe"), ("\u{9B}2J", "\\u{9b}2J"), ("", ""),
        ("👩‍👩‍👧\u{7F}", "👩‍👩‍👧\\u{7f}"),
    ])
    func `Characters that control a terminal are escaped`(text: String, shown: String) {
        #expect(VisibleText.of(text) == shown)
    }

    @Test func `Only the styles that the caller allows stay as they are`() {
        let text = "\u{1B}[1mbold\u{1B}[0m \u{1B}[8mhidden"
        let shown = VisibleText.of(text, keeping: ["\u{1B}[1m", "\u{1B}[0m"])
        #expect(shown == "\u{1B}[1mbold\u{1B}[0m \\u{1b}[8mhidden")
    }
}
