import StreamSafe
import Testing

@Suite struct ShortTextTests {
    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("ab cdef", 4, "ab…"),
        ("abe\u{301}d", 4, "ab…"), ("a👨‍👩‍👧b", 4, "a…"), ("🇫🇮🇸🇪🇳🇴", 4, "🇫🇮…"),
    ])
    func `A text is cut between characters, and ends with an ellipsis`(
        _ text: String, _ scalars: Int, _ short: String
    ) {
        #expect(ShortText.of(text, scalarsMax: scalars) == short)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a👨‍👩‍👧b", 3, "a👨‍👩‍👧b"), ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 2, "👨‍👩‍👧…"),
    ])
    func `A length in characters counts what readers see as one`(
        _ text: String, _ characters: Int, _ short: String
    ) {
        #expect(ShortText.of(text, charactersMax: characters) == short)
    }
}
