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
