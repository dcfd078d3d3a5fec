import Foundation
import Glibc
import TextUI
import Wording

/// The program that shows a long list screen by screen, such as `less`.
struct Pager: Equatable {
    /// The command line of the program, for a shell.
    let command: String

    /// Chooses the pager for a text; `nil` if the text is printed directly.
    ///
    /// - Parameters:
    ///   - text: the text; it may contain the sequences of ``Paint``.
    ///   - screen: the size of the terminal that would show it; `nil` if there is none.
    ///   - environment: the variables of the process. `LETSMEET_PAGER` wins over `PAGER`; an empty
    ///     value, and `cat`, mean none.
    ///   - finds: tells if a program is installed.
    init?(
        for text: String, on screen: ScreenSize?, in environment: [String: String],
        finds: (_ program: String) -> Bool
    ) {
        guard let screen, environment["TERM"] != "dumb",
            Self.rows(of: text, on: screen) > screen.rows
        else { return nil }
        let named = environment["LETSMEET_PAGER"] ?? environment["PAGER"]
        let command = (named ?? Self.standard).trimmingCharacters(in: .whitespaces)
        let program = command.split(separator: " ").first.map(String.init) ?? "cat"
        guard program != "cat", finds(program) else { return nil }
        self.command = command
    }

    private static let standard = "less -FRX"

    /// The rows of the terminal that a text takes, with one for the prompt of the shell.
    private static func rows(of text: String, on screen: ScreenSize) -> Int {
        let plain = Paint.sequences.reduce(text) { $0.replacing($1, with: "") }
        return plain.split(separator: "\n", omittingEmptySubsequences: false).reduce(1) {
            rows, line in
            rows + max(1, (TextColumns.width(of: line) + screen.columns - 1) / screen.columns)
        }
    }

    /// True if a program is installed: at its path, or in a folder of `PATH`.
    static func isInstalled(_ program: String) -> Bool {
        guard !program.contains("/") else { return access(program, X_OK) == 0 }
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return folders.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Shows a text, and waits until the person leaves the program. A person who leaves early does
    /// not read the rest, which is no error.
    ///
    /// - Parameter text: the text, safe to print.
    /// - Returns: false if the program could not be started, so that nothing was shown.
    func show(_ text: String) -> Bool {
        // The options that `less` needs to show colours, and to leave the text on the screen.
        setenv("LESS", "FRX", 0)
        // Ctrl-C belongs to the pager. Its shell inherits the setting; `less` sets its own.
        let interrupt = signal(SIGINT, SIG_IGN)
        let broken = signal(SIGPIPE, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGPIPE, broken)
        }
        guard let pipe = popen(command, "w") else { return false }
        fputs(text, pipe)
        let status = pclose(pipe)
        return status < 0 || !Self.isUnstarted(status)
    }

    /// True for the status of a shell that could not start a program: 126 or 127.
    private static func isUnstarted(_ status: CInt) -> Bool {
        [126, 127].contains(status >> 8 & 0xFF)
    }
}
