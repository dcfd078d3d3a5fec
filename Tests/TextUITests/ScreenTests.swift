import Testing

@testable import TextUI

/// The variables that turn colours on and off.
@Suite struct ScreenTests {
    private static let cases: [(variables: [String: String], terminal: Bool, elsewhere: Bool)] = [
        (["TERM": "xterm"], true, false), ([:], true, false), (["TERM": "dumb"], false, false),
        (["NO_COLOR": "1"], false, false), (["NO_COLOR": ""], true, false),
        (["CLICOLOR": "0"], false, false), (["CLICOLOR": "1"], true, false),
        (["CLICOLOR_FORCE": "1"], true, true), (["CLICOLOR_FORCE": "0"], true, false),
        (["CLICOLOR_FORCE": "1", "TERM": "dumb", "CLICOLOR": "0"], true, true),
        (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false, false),
    ]

    @Test(arguments: cases)
    func `Output has colours where the terminal and the variables allow it`(
        variables: [String: String], terminal: Bool, elsewhere: Bool
    ) {
        #expect(Screen.hasColour(isTerminal: true, in: variables) == terminal)
        #expect(Screen.hasColour(isTerminal: false, in: variables) == elsewhere)
    }
}
