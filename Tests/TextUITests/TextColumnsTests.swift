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
        [
            "Anna \(String(repeating: "x", count: 30)) <a@example.org>",
            "Anna \(String(repeating: "x", count: 30)) <b@example.org>",
        ],
        [String(repeating: "漢", count: 40) + "一", String(repeating: "漢", count: 40) + "二"],
        [String(repeating: "y", count: 40), String(repeating: "y", count: 41)],
    ])
    func `Texts that begin alike look different when they are cut`(texts: [String]) {
        for columns in [12, 20, 31] {
            let cut = TextColumns.fitApart(texts + ["Ben"], in: columns)
            #expect(Set(cut).count == 3 && cut.last == "Ben", "\(cut)")
            #expect(cut.allSatisfy { TextColumns.width(of: $0) <= columns })
            #expect(zip(cut, texts).allSatisfy { $0.first == $1.first })
        }
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("incomprehensible", 6, ["incom…"]),
        ("", 5, [""]), ("a  b", 9, ["a  b"]), ("漢字 漢字", 5, ["漢字", "漢字"]),
    ])
    func `Rows break between words`(text: String, columns: Int, rows: [String]) {
        #expect(TextColumns.wrap(text, in: columns) == rows)
    }

    @Test func `A word that is too long stays whole if it must not be cut`() {
        let rows = TextColumns.wrap("see /var/lib/letsmeet now", in: 9, isCut: false)
        #expect(rows == ["see", "/var/lib/letsmeet", "now"])
    }
}
