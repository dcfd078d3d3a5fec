import Testing

@testable import Interchange

struct VCardPropertyTests {
    private func parsed(_ line: String) -> VCardProperty? {
        VCardProperty(LogicalLine(number: 1, bytes: Array(line.utf8)[...]))
    }

    @Test(
        arguments: [
            ("TEL:1", "", "TEL", [], "1"),
            ("tel;type=home:1", "", "TEL", ["TYPE=home"], "1"),
            ("item1.TEL;TYPE=a,b;PREF=1:1", "item1", "TEL", ["TYPE=a", "TYPE=b", "PREF=1"], "1"),
            ("ITEM1.X-ABLabel:x", "item1", "X-ABLABEL", [], "x"),
            ("TEL;HOME;CELL:1", "", "TEL", ["TYPE=HOME", "TYPE=CELL"], "1"),
            ("PHOTO;BASE64:1", "", "PHOTO", ["ENCODING=BASE64"], "1"),
            (
                "P;ENCODING=BASE64;JPEG;URL:1", "", "P",
                ["ENCODING=BASE64", "TYPE=JPEG", "VALUE=URL"], "1"
            ),
            ("A;X=\"b;c:d,e\":1:2", "", "A", ["X=b;c:d,e"], "1:2"),
            ("A;X=\"b\",\"c\";Y=z:1", "", "A", ["X=b", "X=c", "Y=z"], "1"),
            ("A;X=\"open;Y=z:1", "", "A", ["X=\"open", "Y=z"], "1"),
            ("A;X=in\"side:\"1", "", "A", ["X=in\"side"], "\"1"),
            ("A;X=a^n^'^^^x:1", "", "A", ["X=a\n\"^^x"], "1"),
            ("A;:1", "", "A", [], "1"),
            ("A;X=:1", "", "A", ["X="], "1"),
            (" A ; X = y :1", "", "A", ["X=y"], "1"),
            ("A:", "", "A", [], ""),
        ] as [(String, String, String, [String], String)])
    func `A line is parsed into its parts`(
        line: String, group: String, name: String, parameters: [String], value: String
    ) throws {
        let property = try #require(parsed(line))
        #expect(property.group == group)
        #expect(property.name == name)
        #expect(property.parameters.map { "\($0.name)=\($0.value)" } == parameters)
        #expect(String(decoding: property.value, as: UTF8.self) == value)
    }

    @Test(arguments: [
        "", ":", ":x", "A", "A;B", "A;B=c", "A B:c", ".A:b", "ä:b", "A.:b", "\u{0}:1",
    ])
    func `A line that is not a property is rejected`(line: String) {
        #expect(parsed(line) == nil)
    }

    @Test func `A name has at most 255 octets, with its group`() {
        let name = String(repeating: "X", count: 255)
        #expect(parsed("\(name):1")?.name == name)
        #expect(parsed("\(name)X:1") == nil)
        #expect(parsed("item1.\(name):1") == nil)
    }

    @Test(arguments: [",home", ";TYPE=home", ";HOME"])
    func `Of thousands of parameters, the first are kept`(_ piece: String) throws {
        let many = String(repeating: piece, count: 2000)
        let property = try #require(parsed("TEL;TYPE=work\(many):1"))
        #expect(property.parameters.count == 1001)
        #expect(property.parameters.first?.value == "work")
        #expect(String(decoding: property.value, as: UTF8.self) == "1")
    }

    @Test(
        arguments: [
            ("T;TYPE=\"HOME,VOICE\":1", ["home", "voice"]), ("T;TYPE=a;TYPE=B:1", ["a", "b"]),
            ("T;HOME:1", ["home"]), ("T:1", []),
        ] as [(String, [String])])
    func `Types are read as a list in every notation`(line: String, types: [String]) throws {
        #expect(try #require(parsed(line)).types == types)
    }

    @Test(arguments: ["plain", "two\nlines", "\"quoted\"", "a;b,c:d", "^n^^", "ä ☃"])
    func `Parameter values are unchanged after encoding and decoding`(text: String) throws {
        let line = "A;X=\(ParameterEscapes.encoded(text)):1"
        #expect(try #require(parsed(line)).parameter("X") == text)
    }
}

struct VCardTextTests {
    @Test(
        arguments: [
            (#"a\nb\Nc"#, "a\nb\nc"), (#"a\,b\;c\\d\:e\"f"#, #"a,b;c\d:e"f"#),
            (#"C:\temp\x"#, #"C:\temp\x"#), (#"end\"#, #"end\"#), (#"\é"#, #"\é"#), ("", ""),
        ])
    func `Escapes are resolved`(raw: String, text: String) {
        #expect(VCardText.unescaped(Array(raw.utf8)[...]) == text)
    }

    @Test(
        arguments: [
            ("a;b", ["a", "b"]), (#"a\;b;c"#, [#"a\;b"#, "c"]), (#"a\\;b"#, [#"a\\"#, "b"]),
            (";", ["", ""]), ("", [""]), (#"a\"#, [#"a\"#]),
        ])
    func `Values are split before their escapes are resolved`(raw: String, parts: [String]) {
        let split = VCardText.split(Array(raw.utf8)[...], at: .semicolon)
        #expect(split.map { String(decoding: $0, as: UTF8.self) } == parts)
    }

    @Test(arguments: [(5000, 1000), (1500, 1000), (999, 1000), (998, 999)])
    func `Of thousands of parts, the first are kept`(_ separators: Int, _ kept: Int) {
        let raw = Array((String(repeating: "a;", count: separators) + "a").utf8)
        let parts = VCardText.split(raw[...], at: .semicolon)
        #expect(parts.count == kept)
        #expect(parts.allSatisfy { $0.elementsEqual("a".utf8) })
    }

    @Test(arguments: ["", "plain", "a,b;c\\d\ne", "\\n", "ends with \\", "é\n\n"])
    func `Texts are unchanged after escaping and unescaping`(text: String) {
        let escaped = VCardText.escaped(text)
        #expect(!escaped.utf8.contains(.lineFeed))
        #expect(VCardText.unescaped(Array(escaped.utf8)[...]) == text)
        #expect(VCardText.split(Array(escaped.utf8)[...], at: .semicolon).count == 1)
    }
}
