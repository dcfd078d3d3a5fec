import Foundation
import Glibc

/// What stands between a command and the person at the keyboard.
enum Terminal {
    /// Whether somebody types at standard input and reads standard error.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Whether the terminal can move its cursor.
    static var isCapable: Bool {
        let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
        return !kind.isEmpty && kind != "dumb"
    }

    /// Whether what is written there may have colour: a terminal that can, and nobody who objects.
    static func hasColour(_ descriptor: CInt) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
            && environment["TERM"] != "dumb"
    }

    /// The size of the screen on which messages appear.
    static var size: ScreenSize {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return .standard }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The best way to ask whoever sits at this terminal.
    static func questioner() -> any Questioner {
        if let terminal = RawTerminal() { return KeyQuestioner(terminal) }
        return PlainQuestioner(read: { readLine() }, show: send)
    }

    /// Prints an answer to standard output, all of it in one go.
    static func answer(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// Prints a message for people to standard error.
    static func say(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    /// Sends text to the screen on which messages appear, as it is.
    static func send(_ text: String) {
        write(text, to: STDERR_FILENO)
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

    private static func write(_ text: String, to descriptor: CInt) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Makes words stand out, where that is wanted.
struct Paint: Equatable {
    let isOn: Bool

    /// For what is written to standard output.
    static var answers: Paint { Paint(isOn: Terminal.hasColour(STDOUT_FILENO)) }
    /// For what is written to standard error.
    static var messages: Paint { Paint(isOn: Terminal.hasColour(STDERR_FILENO)) }

    func bold(_ text: String) -> String { wrapped(text, "1") }
    func faint(_ text: String) -> String { wrapped(text, "2") }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Words that stand out in an answer.
enum Style {
    static func bold(_ text: String) -> String { Paint.answers.bold(text) }
    static func faint(_ text: String) -> String { Paint.answers.faint(text) }
}
