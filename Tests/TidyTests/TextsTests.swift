import Testing

struct TextsTests {
    @Test func `Few doc comments begin with a question word, and these with Whether`() {
        let found = Repository.sources.flatMap(Texts.questions)
        #expect(found.count <= Texts.questionsMax)
        expectNone(found.filter { !$0.message.contains("/// Whether ") })
    }

    @Test func `No string below the command line holds a command or an option`() {
        expectNone(Repository.sources.flatMap(Texts.commands))
    }

    @Test func `Only NotificationMark reads the text of a mark`() {
        expectNone(Repository.sources.flatMap(Texts.marks))
    }

    @Test(arguments: [
        ("/// What is due.", 1), ("    /// Whether it is due.", 1), ("/// The due date.", 0),
        ("/// The due date,\n/// What is due.", 0), ("// What is due.", 0),
        ("/// Whatever comes.", 0),
    ])
    func `A doc comment that begins with a question word is found`(text: String, count: Int) {
        #expect(Texts.questions(in: snippet(text)).count == count)
    }

    @Test(arguments: [
        ("Planning", "\"See: letsmeet people list\"", 1), ("Sinks", "\"Give --url too\"", 1),
        ("Planning", "\"letsmeetd once\"", 1), ("letsmeet", "\"letsmeet people list\"", 0),
        ("Planning", "\"letsmeetd is not running\"", 0), ("Planning", "// letsmeet people list", 0),
        ("Planning", "\"a -- b\"", 0), ("Planning", "\"Install letsmeet again\"", 0),
    ])
    func `A command line in a string is found`(module: String, text: String, count: Int) {
        let source = snippet("let text = " + text, path: "Sources/\(module)/A.swift")
        #expect(Texts.commands(in: source).count == (text.hasPrefix("//") ? 0 : count))
    }

    @Test(arguments: [
        ("A.swift", "key.mark.text.prefix(3)", 1), ("A.swift", "let a = row.mark.text", 1),
        ("NotificationMark.swift", "key.mark.text.prefix(3)", 0),
        ("LedgerChanges.swift", "key.mark.text, 1", 0), ("A.swift", "key.mark.start", 0),
    ])
    func `A mark that is read elsewhere is found`(file: String, text: String, count: Int) {
        let source = snippet(text, path: "Sources/Planning/Ledger/\(file)")
        #expect(Texts.marks(in: source).count == count)
    }
}
