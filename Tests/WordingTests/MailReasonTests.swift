import Testing

@testable import Wording

/// Tests of the reasons why a mail was not taken, in German.
struct MailReasonTests {
    @Test func `A passed on invitation is told as such, and another answer is not`() {
        let plain = "it answers neither yes nor maybe nor no"
        let german = "sie antwortet weder mit Ja noch mit Vielleicht noch mit Nein"
        #expect(GermanMailReasons.reason(plain) == german)
        #expect(
            GermanMailReasons.reason("\(plain), but passes the invitation on to somebody else")
                == "\(german), sondern gibt die Einladung weiter")
    }

    @Test(arguments: [
        (
            "a later answer was already recorded (2026-12-01 10:00)",
            "eine spätere Antwort ist schon eingetragen"
        ),
        ("something new", "something new"),
    ])
    func `A reason is found by its beginning`(_ english: String, _ german: String) {
        #expect(GermanMailReasons.reason(english) == german)
    }
}
