import StreamSafe
import Testing

@Suite struct StreamSafeTextTests {
    private func marks(_ count: Int) -> String {
        String(String.UnicodeScalarView((0..<count).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }))
    }

    @Test(arguments: [
        "", "plain", "Kaffee mit é und e\u{301}", "שָׁלוֹם", "नमस्ते", "🏳️‍🌈👩‍👩‍👧", "ด้้้้",
    ])
    func `Text as people write it stays as it is`(_ text: String) {
        #expect(Array(text.streamSafe.utf8) == Array(text.utf8))
    }

    @Test func `100 marks are kept, and the next ones are left out`() {
        let whole = "a" + marks(100) + "b"
        #expect(Array(whole.streamSafe.utf8) == Array(whole.utf8))
        let long = "a" + marks(101) + "b" + marks(1) + marks(140) + "c"
        let cut = "a" + marks(100) + "b" + marks(100) + "c"
        #expect(
            long.streamSafe.unicodeScalars.elementsEqual(
                ("a" + marks(101).unicodeScalars.prefix(100).map(String.init).joined() + "b"
                    + (marks(1) + marks(140)).unicodeScalars.prefix(100).map(String.init).joined()
                    + "c")
                    .unicodeScalars))
        #expect(long.streamSafe.unicodeScalars.count == cut.unicodeScalars.count)
    }

    @Test(arguments: ["\u{F73}", "\u{F75}", "\u{F81}", "\u{1D165}", "\u{20D0}", "\u{344}"])
    func `Marks of every kind are counted`(_ mark: String) {
        let text = "a" + String(repeating: mark, count: 1000)
        #expect(text.streamSafe.unicodeScalars.count == 101)
    }

    @Test func `Runs of flags, joiners and skin tones are cut, each kind by itself`() {
        let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 50)
        #expect(Array(flags.streamSafe.utf8) == Array(flags.utf8))
        let long = String(repeating: "\u{1F1E9}", count: 100_000)
        #expect(long.streamSafe.unicodeScalars.count == 100)
        for extender in ["\u{200D}", "\u{FE0F}", "\u{1F3FD}", "\u{34F}", "\u{200C}"] {
            let text = "a" + String(repeating: extender, count: 1000) + "b"
            #expect(text.streamSafe.unicodeScalars.count == 102)
        }
        let mixed = "a" + marks(100) + String(repeating: "\u{1F1E9}", count: 100) + marks(100)
        #expect(Array(mixed.streamSafe.utf8) == Array(mixed.utf8))
    }

    @Test func `Octets that are not UTF-8 are kept`() {
        let octets: [UInt8] = Array("a".utf8) + [0xCC, 0x41, 0xFF, 0xE2, 0x82, 0xF0, 0x9F, 0xCC]
        #expect(StreamSafeText.limited(octets) == octets)
        #expect(StreamSafeText.limited(octets[1...]) == octets[1...])
    }

    @Test func `A long run costs no more than its length`() {
        let text = ("a" + marks(1_000_000)).streamSafe
        // Without the cut, this comparison would take hours.
        #expect(text != "a" && Set([text, text + "b"]).count == 2)
    }
}
