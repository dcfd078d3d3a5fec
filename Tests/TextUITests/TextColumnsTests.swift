import Testing

@testable import TextUI

struct TextColumnsTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("åé", 2), ("e\u{301}", 1), ("漢字", 4), ("한글", 4), ("ｆ", 2),
        ("🙂", 2), ("👨‍👩‍👧‍👦", 2), ("🇫🇮", 2), ("\u{200B}", 0), ("Łódź", 4), ("→", 1),
    ])
    func `Wide characters take two columns and marks none`(text: String, columns: Int) {
        #expect(TextColumns.width(of: text) == columns)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("漢字漢", 5, "漢字…"), ("漢字漢", 4, "漢…"),
        ("abc", 1, "…"), ("abc", 0, ""), ("", 0, ""),
    ])
    func `Text that does not fit ends with an ellipsis`(text: String, columns: Int, fit: String) {
        #expect(TextColumns.fit(text, in: columns) == fit)
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("incomprehensible", 6, ["incom…"]),
        ("", 5, [""]), ("a  b", 9, ["a  b"]), ("漢字 漢字", 5, ["漢字", "漢字"]),
    ])
    func `Rows break between words`(text: String, columns: Int, rows: [String]) {
        #expect(TextColumns.wrap(text, in: columns) == rows)
    }
}
