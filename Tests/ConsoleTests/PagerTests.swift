import Testing
import TextUI

@testable import letsmeet

/// The choice of the program that shows long lists.
@Suite struct PagerTests {
    private static let screen = ScreenSize(columns: 10, rows: 5)

    private static func pager(
        _ text: String, _ environment: [String: String] = [:], on screen: ScreenSize? = screen,
        installed: Set<String> = ["less", "more"]
    ) -> String? {
        Pager(for: text, on: screen, in: environment) { installed.contains($0) }?.command
    }

    @Test(arguments: [
        ("a\nb\nc\nd", false), ("a\nb\nc\nd\ne", true), ("", false),
        ("a\nb\nthis is wider than the terminal", true), ("a\nb\n0123456789\nd", false),
        ("\u{1B}[1ma title\u{1B}[0m\nb\nc\nd", false),
        ("会議会議会\n会議会議会議\nd", false),
        ("会議会議会\n会議会議会議\nd\ne", true),
    ])
    func `A text goes through the pager if it does not fit the terminal`(
        _ text: String, _ isPaged: Bool
    ) {
        #expect((Self.pager(text) != nil) == isPaged)
    }

    private static let long = String(repeating: "line\n", count: 9)
    private static let cases: [(environment: [String: String], command: String?)] = [
        ([:], "less -FRX"), (["PAGER": "more -s"], "more -s"),
        (["PAGER": "more", "LETSMEET_PAGER": "less -S"], "less -S"), (["PAGER": ""], nil),
        (["LETSMEET_PAGER": "", "PAGER": "more"], nil), (["PAGER": "cat"], nil),
        (["PAGER": "nothing -x"], nil), (["TERM": "dumb"], nil), (["TERM": "xterm"], "less -FRX"),
    ]

    @Test(arguments: cases)
    func `The pager is the one of the environment`(
        environment: [String: String], command: String?
    ) {
        #expect(Self.pager(Self.long, environment) == command)
    }

    @Test func `Without a terminal or an installed pager, nothing is paged`() {
        #expect(Self.pager(Self.long, on: nil) == nil)
        #expect(Self.pager(Self.long, installed: []) == nil)
        #expect(Pager.isInstalled("sh") && Pager.isInstalled("/bin/sh"))
        #expect(!Pager.isInstalled("/no/pager") && !Pager.isInstalled("no-such-program"))
    }
}
