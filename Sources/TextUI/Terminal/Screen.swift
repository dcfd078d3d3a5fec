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

    /// True if output there may have colour: it is a capable terminal, and `NO_COLOR` is not set.
    package static func hasColour(_ descriptor: CInt) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
            && environment["TERM"] != "dumb"
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
