import Testing

@testable import Interchange

struct PhysicalLinesTests {
    @Test(
        arguments: [
            ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("a\r\r\nb", ["a", "b"]),
            ("a\r\rb", ["a", "", "b"]), ("", []), ("\n", [""]), ("a\n", ["a"]),
            ("a\n\u{FEFF}b", ["a", "b"]), ("\r\r\r\n", ["", ""]),
        ])
    func `A line ends with CRLF, LF or CR`(text: String, expected: [String]) {
        var lines = PhysicalLines(Array(text.utf8))
        var read: [String] = []
        while let line = lines.next() {
            #expect(line.number == read.count + 1)
            read.append(String(decoding: lines.bytes[line.range], as: UTF8.self))
        }
        #expect(read == expected)
    }
}

struct CharsetTests {
    @Test(
        arguments: [
            ("UTF-8", .utf8), ("us-ascii", .utf8), ("ISO-8859-1", .windows1252),
            ("Windows-1252", .windows1252), ("x-runes", nil), ("", nil), ("utf-8//ignore", nil),
            ("char", nil),
        ] as [(String, Charset?)])
    func `Encodings are recognized by their names`(name: String, charset: Charset?) {
        #expect(Charset(name: name) == charset)
    }

    @Test(
        arguments: [
            ([0x41], nil, "A", false), ([0xC3, 0xB6], nil, "ö", false), ([0xF6], nil, "ö", true),
            ([0xF6], .windows1252, "ö", false), ([0xC3, 0xB6], .windows1252, "Ã¶", false),
            ([0x80, 0x9F, 0xFF], .utf8, "€Ÿÿ", true), ([0x81], nil, "\u{81}", true),
        ] as [([UInt8], Charset?, String, Bool)])
    func `Bytes become text`(bytes: [UInt8], charset: Charset?, text: String, isGuess: Bool) {
        let decoded = DecodedText(bytes[...], charset: charset)
        #expect(decoded.text == text)
        #expect(decoded.isGuess == isGuess)
    }

    @Test(arguments: [[0xFF, 0xFE, 0x41], [0xFE, 0xFF], [0x41], []] as [[UInt8]])
    func `Incomplete characters are ignored`(bytes: [UInt8]) {
        #expect(SourceText.plain(bytes).count <= 1)
    }
}

struct QuotedPrintableTests {
    @Test(
        arguments: [
            ("a=C3=B6b", "aöb"), ("=3d=3D", "=="), ("100=", "100="), ("=G1=1", "=G1=1"), ("", ""),
            ("=0D=0A", "\r\n"),
        ])
    func `Octets are decoded, and stray equals signs are kept`(text: String, expected: String) {
        let octets = QuotedPrintable.decoded(Array(text.utf8)[...])
        #expect(String(decoding: octets, as: UTF8.self) == expected)
    }
}

struct KeptTextTests {
    @Test(
        arguments: [
            ("a", "a", "a"), (" a\u{a0}", "a", "a"), ("a\r\nb", "a b", "a\nb"),
            ("a\rb\n\nc", "a b  c", "a\nb\n\nc"), ("a\tb", "a b", "a b"),
            ("\u{0}a\u{1F}\u{7F}\u{9F}b\u{0}", "ab", "ab"), ("\n \n", "", ""), ("", "", ""),
            ("äé", "äé", "äé"), ("\u{85}", "", ""),
        ])
    func `Texts are trimmed and free of control characters`(
        text: String, line: String, block: String
    ) {
        #expect(KeptText.line(text) == line)
        #expect(KeptText.block(text) == block)
    }

    @Test func `A quoted text in a message is short`() {
        #expect(KeptText.quoted("a\nb") == "\"a b\"")
        let shown = KeptText.quoted(String(repeating: "ä", count: 100))
        #expect(shown == "\"\(String(repeating: "ä", count: 60))...\"")
        #expect(KeptText.quoted(Array("a\u{7}b".utf8)[...]) == "\"ab\"")
    }
}

struct LineFoldingTests {
    @Test(
        arguments: [
            (String(repeating: "a", count: 75), [75]),
            (String(repeating: "a", count: 76), [75, 2]),
            (String(repeating: "a", count: 150), [75, 75, 2]),
            (String(repeating: "a", count: 74) + "é", [74, 3]),
            (String(repeating: "😀", count: 20), [72, 9]), ("", [0]),
        ])
    func `Lines are folded between characters`(line: String, lengths: [Int]) {
        var output: [UInt8] = []
        LineFolding.append(line.utf8, to: &output)
        let lines = String(decoding: output, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.dropLast().map(\.utf8.count) == lengths)
        #expect(lines.last == "")
        #expect(lines.dropLast().joined(separator: "\u{1}").replacing("\u{1} ", with: "") == line)
    }
}

struct CSVRowsTests {
    private func rows(_ text: String) -> [[String]] {
        var rows = CSVRows(Array(text.utf8))
        var read: [[String]] = []
        while let row = rows.next() {
            read.append(row.fields.map { String(decoding: $0, as: UTF8.self) })
        }
        return read
    }

    @Test(
        arguments: [
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a;b\nc,d;e", [["a", "b"], ["c,d", "e"]]),
            ("a\tb\rc\td", [["a", "b"], ["c", "d"]]), ("sep=;\r\na,b;c", [["a,b", "c"]]),
            ("a,\"b,\"\"c\"\"\r\nd\"\n", [["a", "b,\"c\"\nd"]]), ("a, \"b\" c\n", [["a", "b c"]]),
            ("a,b\"c\"\n", [["a", "b\"c\""]]), ("a,\n,\n", [["a", ""], ["", ""]]),
            ("a\n\nb", [["a"], [""], ["b"]]), ("", []), ("\"\"", [[""]]),
            ("\"a;b\",c\n", [["a;b", "c"]]), ("a,\"b\nc,d\n", [["a", "\"b"], ["c", "d"]]),
            ("\"\"\"\",x", [["\"", "x"]]), ("sep=;", []),
        ])
    func `Rows are read as spreadsheets write them`(text: String, expected: [[String]]) {
        #expect(rows(text) == expected)
    }

    @Test func `A row has the number of its first line`() {
        var rows = CSVRows(Array("sep=,\na,\"b\r\nb\rb\nb\"\r\nc\n\nd,\"e\nf\n".utf8))
        var lines: [Int] = []
        var open: [Bool] = []
        while let row = rows.next() {
            lines.append(row.line)
            open.append(row.hasOpenQuote)
        }
        #expect(lines == [2, 6, 7, 8, 9])
        #expect(open == [false, false, false, true, false])
    }

    @Test func `Of a row with thousands of fields, the first are kept and all are counted`() {
        let commas = String(repeating: ",", count: 5000)
        var rows = CSVRows(Array("a\(commas)\nb\(commas)\nc,d\n".utf8))
        var read: [CSVRow] = []
        while let row = rows.next() { read.append(row) }
        #expect(read.map(\.fieldCount) == [5001, 5001, 2])
        #expect(read.map(\.fields.count) == [1000, 1000, 2])
        #expect(read.map(\.line) == [1, 2, 3])
    }
}
