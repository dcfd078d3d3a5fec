import Testing

@testable import letsmeet

/// The words that a shell offers for arguments.
@Suite struct OffersTests {
    private static let names = [
        ("Board games", "b1"), ("Board meeting", "b2"), ("Lunch", "l1"), ("O'Hara & Co", "o1"),
        ("Lunch break", "l2"),
    ]

    @Test(arguments: [
        ("", ["games", "meeting", "l1", "co", "break"]), ("g", ["games"]),
        ("b", ["b1", "b2", "break"]),
        ("MEE", ["meeting"]), ("x", []),
    ])
    func `One word is offered for each name, which no other name has`(
        _ typed: String, _ expected: [String]
    ) {
        let named = Self.names.map { (name: $0.0, id: $0.1) }
        #expect(Offers.words(for: named, typed: typed) == expected)
    }

    @Test(arguments: [
        ("", ["Board games", "Board meeting", "l1", "O'Hara & Co", "Lunch break"]),
        ("board g", ["Board games"]), ("g", ["games"]), ("lunch b", ["Lunch break"]),
        ("zo", []),
    ])
    func `A shell that quotes names gets them whole`(_ typed: String, _ expected: [String]) {
        let named = Self.names.map { (name: $0.0, id: $0.1) } + [(name: "lunch", id: "l3")]
        let found = Offers.words(for: named, typed: typed, areWhole: true)
        #expect(found.filter { $0 != "l3" } == expected)
    }

    @Test(arguments: [
        ("Anna\\ S", "Anna S"), ("\"Anna S", "Anna S"), ("'Ben O", "Ben O"), ("a\\\\b", "a\\b"),
        ("Anna", "Anna"), ("", ""), ("\"", ""), ("Ben\\ O\\'H", "Ben O'H"),
    ])
    func `A word that is not typed to its end is read as the shell would`(
        _ typed: String, _ text: String
    ) {
        #expect(Offers.unquoted(typed) == text)
    }

    @Test func `Behind a comma, the next name is completed`() {
        #expect(Offers.partsAtLastComma("anna,Ben O") == ("anna,", "Ben O"))
        #expect(Offers.partsAtLastComma("anna") == ("", "anna"))
        #expect(Offers.partsAtLastComma("a,b,") == ("a,b,", ""))
    }

    @Test(arguments: [
        "$(id)", "`id`", ";id", "|id", ">b", "\\b", "\"", "*", "{a", "!!", "\u{1B}b", "#", "/b",
    ])
    func `A name that bash would not quote is not offered whole`(_ sign: String) {
        let named = [(name: "Anna \(sign)", id: "k3v7")]
        #expect(Offers.words(for: named, typed: "", areWhole: true) == ["anna"])
        #expect(Offers.words(for: named, typed: "anna ", areWhole: true) == [])
    }

    /// A shell runs commands in the words that it is given.
    @Test(arguments: [
        "a$(id)", "`id`", "a;b", "a|b", "a&b", "a>b", "$HOME", "a\\b", "a'b", "\"a", "a*", "~a",
        "{a,b}",
        "-rf", "!!", "a\u{1B}b", "#a", "",
    ])
    func `No word is offered that a shell would change`(_ word: String) {
        #expect(Offers.words(for: [(name: word, id: word)], typed: "") == [])
        #expect(Offers.words(for: [(name: word, id: "circle:b")], typed: "") == ["circle:b"])
    }
}
