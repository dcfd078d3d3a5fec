import Testing

struct SourceScannerTests {
    private func words(_ text: String) -> [String] {
        snippet(text).tokens.filter(\.isWord).map(\.text)
    }

    @Test(arguments: [
        ("a // b\nc", ["a", "c"]),
        ("a /* b /* c */ d */ e", ["a", "e"]),
        (#"a "b \" c" d"#, ["a", "d"]),
        (#"a "b \(c + "d \(e)") f" g"#, ["a", "c", "e", "g"]),
        (##"a #"b " \(c) \#(d) e"# f"##, ["a", "d", "f"]),
        (##"a #"""# b"##, ["a", "b"]),
        (#"a "" b "\\" c"#, ["a", "b", "c"]),
        ("a \"\"\"\n    b \"c\" \\(d)\n    \"\"\" e", ["a", "d", "e"]),
        ("let a = /b\"c/\nd", ["let", "a", "d"]),
        ("let a = #/b\"c/#\nd", ["let", "a", "d"]),
        ("a / b / c", ["a", "b", "c"]),
        ("a \"open\nb", ["a", "b"]),
    ])
    func `Only code is left`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func `Lines keep their numbers`() {
        let tokens = snippet("a\n/* \n */ b\n\"\"\"\n x\n \"\"\"\nc").tokens.filter(\.isWord)
        #expect(tokens.map(\.line) == [1, 3, 7])
    }

    @Test func `Only lines entirely inside a multi-line string count as such`() {
        let source = snippet("a = \"\"\"\n x\n y \\\n \"\"\" + b\nc")
        #expect(source.isInsideString == [false, true, true, false, false])
    }

    @Test func `Every byte of a name in backticks belongs to one word`() {
        #expect(words("func `a b's \"c\"`() { d }") == ["func", "___________", "d"])
    }
}
