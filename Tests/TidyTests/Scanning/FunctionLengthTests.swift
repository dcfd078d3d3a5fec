import Testing

struct FunctionLengthTests {
    private func lengths(_ text: String) -> [String] {
        FunctionLength.all(in: snippet(text)).map { "\($0.line) \($0.name) \($0.lines)" }
    }

    @Test(arguments: [
        ("func one() { go() }", ["1 func one 1"]),
        ("func two(\n    _ a: Int\n) -> Int {\n    a\n}", ["1 func two 5"]),
        ("init() {\n}\ndeinit {\n}", ["1 init 2", "3 deinit 2"]),
        ("init?(_ x: Int) throws(E) {\n}", ["1 init 2"]),
        ("subscript(index: Int) -> Int {\n    get { 1 }\n}", ["1 subscript 3"]),
        ("var sum: Int {\n    a + b\n}", ["1 var sum 3"]),
        ("static func == (a: A, b: A) -> Bool {\n    true\n}", ["1 func = 3"]),
        ("func outer() {\n    func inner() {\n    }\n}", ["1 func outer 4", "2 func inner 2"]),
        ("func defaulted(run: () -> Void = { }) {\n\n}", ["1 func defaulted 3"]),
        ("func handler() -> @Sendable () -> Void {\n    { }\n}", ["1 func handler 3"]),
    ])
    func `A body is measured from declaration to closing brace`(text: String, expected: [String]) {
        #expect(lengths(text) == expected)
    }

    @Test(arguments: [
        "protocol P {\n    func ask() -> Int\n    init()\n    @Flag func more()\n}\nlet x = { 1 }",
        "let made = Moment.init(1)\nif ready {\n}",
        "var count: Int\nif ready {\n}",
        "var made = {\n    1\n}()",
        "for var item in items {\n}",
        "if case .some(var item) = found {\n}",
        "// func gone() {\nlet text = \"func quoted() {\"\n",
    ])
    func `A declaration without a body is not measured`(text: String) {
        #expect(lengths(text) == [])
    }

    @Test func `Braces in strings and comments are ignored`() {
        let text = """
            func careful() {
                let brace = "}"  // }
                let raw = #"}"}"#
                /* } /* } */ } */
                let inner = "\\(list.map { "}\\($0)" })}"
            }
            """
        #expect(lengths(text) == ["1 func careful 6"])
    }

    @Test func `Lines inside a multi-line string are not counted`() {
        let quotes = "\"\"\""
        let text = """
            func wordy() {
                let text = \(quotes)
                    one {
                    two
                    three \\(name)
                    \(quotes)
                use(text)
            }
            """
        #expect(lengths(text) == ["1 func wordy 5"])
    }

    @Test func `A name in backticks may contain any character`() {
        #expect(lengths("func `It's a {\"brace\"}!`() {\n}") == ["1 func ___________________ 2"])
    }
}
