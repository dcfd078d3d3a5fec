import Testing
import Wording

struct ShellWordTests {
    @Test(arguments: [
        ("anna", "anna"), ("anna@example.org", "anna@example.org"),
        ("person:Anna Aalto", "\"person:Anna Aalto\""), ("Europe/Helsinki", "Europe/Helsinki"),
        ("", "\"\""), ("Tom's", "\"Tom's\""), ("a\"b$c`d\\", "\"a\\\"b\\$c\\`d\\\\\""),
    ])
    func `A shell takes the word as one argument`(text: String, word: String) {
        #expect(text.shellWord == word)
    }
}
