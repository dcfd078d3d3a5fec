import Testing

@testable import Programs

struct UsageTextTests {
    @Test(arguments: [
        ("Unknown option '--wrong'", "Unknown option '--wrong'."),
        ("--limit is at least 1.", "--limit is at least 1."),
        ("Did you mean '--json'?", "Did you mean '--json'?"), ("", ""),
        (
            "Missing expected argument '<who>'\n\nARGUMENTS:\n  <who>",
            "Missing expected argument '<who>'."
        ),
        (
            "Unexpected argument 'Virtanen'",
            "Unexpected argument 'Virtanen'. Put a name of several words in quotes."
        ),
        (
            "2 unexpected arguments: 'a', '-b'", "2 unexpected arguments: 'a', '-b'."
        ),
        (
            "Unknown option '--a'.\n  Did you mean '--b'?",
            "Unknown option '--a'. Did you mean '--b'?"
        ),
    ])
    func `The parser's message becomes one sentence`(said: String, sentence: String) {
        #expect(UsageText.sentence(said) == sentence)
    }

    @Test func `A long usage is broken between arguments, and other lines stay`() {
        let help = """
            OVERVIEW: Fetch.

            USAGE: letsmeet place fetch [<city>] --from <place> <who> ... [--city <city>] \
            [--radius <m>] [--tz <zone>] [--who <who> ...] [--json]

            OPTIONS:
            """
        #expect(
            UsageText.breakingUsage(in: help) == """
                OVERVIEW: Fetch.

                USAGE: letsmeet place fetch [<city>] --from <place> <who> ... [--city <city>]
                       [--radius <m>] [--tz <zone>] [--who <who> ...] [--json]

                OPTIONS:
                """)
        #expect(UsageText.breakingUsage(in: "USAGE: letsmeet") == "USAGE: letsmeet")
    }
}
