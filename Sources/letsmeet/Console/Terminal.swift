import Foundation
import Glibc

/// What stands between a command and the person at the keyboard.
enum Terminal {
    /// Whether somebody types at standard input and reads standard error.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Whether standard output may have colour: a terminal that can, and nobody who objects.
    static var hasColour: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Prints an answer to standard output, all of it in one go.
    static func answer(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// Prints a message for people to standard error.
    static func say(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    /// Shows how far a long piece of work has come, on a terminal only.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1B}[K" + text, to: STDERR_FILENO)
    }

    /// Asks a question; anything but yes is no.
    static func confirms(_ question: String) -> Bool {
        write(question + " [y/N] ", to: STDERR_FILENO)
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }

    /// Asks for a line; an empty one, and the end of input, mean the suggestion.
    static func ask(_ question: String, suggestion: String) -> String {
        let shown = suggestion.isEmpty ? "" : " [\(suggestion)]"
        write("\(question)\(shown): ", to: STDERR_FILENO)
        let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        return answer.isEmpty ? suggestion : answer
    }

    private static func write(_ text: String, to descriptor: CInt) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Words that stand out on a terminal.
enum Style {
    static func bold(_ text: String) -> String { wrapped(text, "1") }
    static func faint(_ text: String) -> String { wrapped(text, "2") }

    private static func wrapped(_ text: String, _ code: String) -> String {
        Terminal.hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
