import Foundation
import Testing

@testable import Wording

@Suite struct JSONObjectTextTests {
    private static let texts = [
        "", "plain", "with \"quotes\" and \\ and /", "lines\nand\r\nreturns\tand tabs",
        "\u{0}\u{1}\u{8}\u{B}\u{C}\u{1F}\u{7F}\u{80}\u{9F}", "Ä\u{308}ö😀\u{1F469}\u{200D}\u{1F467}",
        "\u{202E}turned\u{2066}", "\u{2028}\u{2029}", "{{name}} </script> \\u0041",
        "\u{FFFD}\u{10FFFF}",
    ]

    @Test(arguments: texts)
    func `A text is decoded as it was encoded`(_ text: String) throws {
        var inner = JSONObjectText()
        inner.add("text", text)
        var object = JSONObjectText()
        object.add("inner", inner)
        object.add("text", text)
        let read = try #require(
            JSONSerialization.jsonObject(with: Data(object.text.utf8)) as? [String: Any])
        #expect(read["text"] as? String == text)
        #expect((read["inner"] as? [String: String]) == ["text": text])
    }

    @Test(arguments: texts)
    func `An object is one line without terminal control characters`(_ text: String) {
        var object = JSONObjectText()
        object.add("text", text)
        #expect(!object.text.contains("\n"))
        #expect(!VisibleText.mayNotPass(object.text))
    }

    @Test func `Numbers, missing values and nested objects are members`() {
        var object = JSONObjectText()
        #expect(object.text == "{}")
        object.add("a", nil as String?)
        object.add("b", -7)
        object.add("c", nil as JSONObjectText?)
        object.add("d", JSONObjectText())
        object.add("e") { $0.add("f") { _ in } }
        object.add("g") { inner in
            inner.add("h", "{")
            inner.add("i", 1)
        }
        #expect(
            object.text
                == #"{"a":null,"b":-7,"c":null,"d":{},"e":{"f":{}},"g":{"h":"{","i":1}}"#)
    }

    private struct Line: JSONLine {
        let number: Int
        /// The object; in line 1234, its text has a character that reverses text on a terminal.
        var json: JSONObjectText {
            var line = JSONObjectText()
            line.add("number", number)
            line.add("text", number == 1234 ? "\u{202E}turned" : "plain")
            return line
        }
    }

    @Test(arguments: [0, 1, 1000, 2500])
    func `All lines are written in order and escaped`(
        _ count: Int
    ) async {
        let lines = (0..<count).map(Line.init)
        let written = await JSONText.lines(lines).joined()
        #expect(written == lines.map { $0.json.text + "\n" }.joined())
        #expect(written.isEmpty == lines.isEmpty)
        #expect(!VisibleText.mayNotPass(written))
    }
}
