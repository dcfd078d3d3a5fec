import Foundation
import Glibc

/// The terminal that shows messages to people, which is standard error.
public enum Screen {
    /// True if standard input and standard error are terminals.
    package static var isInteractive: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    }

    /// True if the terminal can move its cursor.
    package static var isCapable: Bool {
        let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
        return !kind.isEmpty && kind != "dumb"
    }

    /// True if output there may have colour.
    package static func hasColour(_ descriptor: CInt) -> Bool {
        hasColour(
            isTerminal: isatty(descriptor) == 1, in: ProcessInfo.processInfo.environment)
    }

    /// True if output may have colour. `NO_COLOR` (no-color.org) forbids it, `CLICOLOR_FORCE`
    /// forces it, and `CLICOLOR=0` and `TERM=dumb` turn it off (bixense.com/clicolors).
    ///
    /// - Parameters:
    ///   - isTerminal: whether the output goes to a terminal.
    ///   - environment: the variables of the process.
    /// - Returns: true if control sequences for colours may be written.
    static func hasColour(isTerminal: Bool, in environment: [String: String]) -> Bool {
        guard (environment["NO_COLOR"] ?? "").isEmpty else { return false }
        guard ["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "") else { return true }
        return isTerminal && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
    }

    /// The size of the terminal that shows standard output; `nil` if it goes elsewhere.
    package static var answerSize: ScreenSize? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1,
            ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return nil }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The columns of the terminal that shows standard output or, if it goes elsewhere, those that
    /// the variable COLUMNS gives; `nil` for none.
    package static var answerColumns: Int? {
        var size = winsize()
        if isatty(STDOUT_FILENO) == 1,
            ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        {
            return Int(size.ws_col)
        }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
            .flatMap { $0 >= columnsMin ? $0 : nil }
    }

    /// The fewest columns into which tables are fitted.
    private static let columnsMin = 20

    /// The size of the terminal.
    package static var size: ScreenSize {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return .standard }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
