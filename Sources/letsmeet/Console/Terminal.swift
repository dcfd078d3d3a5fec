import Foundation
import Glibc
import Programs
import Wording

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
    static func answer(_ text: String, afterSaving isSaved: Bool = false) {
        Letsmeet.say(
            text, to: .answers, keeping: Paint.sequences, afterSaving: isSaved)
    }

    /// Prints what another program shall read to standard output, byte for byte.
    static func pass(_ text: String) {
        Letsmeet.write(text, to: .answers)
    }

    /// Prints a message for people to standard error.
    static func say(_ text: String) {
        Letsmeet.say(text, to: .messages, keeping: Paint.sequences)
    }

    /// Sends text to the screen on which messages appear, as it is.
    static func send(_ text: String) {
        Letsmeet.write(text, to: .messages)
    }

    /// Shows how far a long piece of work has come, on a terminal only.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        send("\r\u{1B}[K" + VisibleText.of(text))
    }

    // The modes that a signal's handler restores: it can be handed nothing. They are written before
    // the handler is set, and only read after.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(
        capacity: 1)

    /// Asks for what nobody is to read over a shoulder: what is typed is not shown.
    static func secret(_ question: String) -> String {
        send(VisibleText.of(question))
        var modes = termios()
        tcgetattr(STDIN_FILENO, &modes)
        before.initialize(to: modes)
        signal(SIGINT) { number in
            tcsetattr(STDIN_FILENO, TCSANOW, Terminal.before)
            signal(number, SIG_DFL)
            raise(number)
        }
        modes.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, before)
            signal(SIGINT, SIG_DFL)
            send("\n")
        }
        return readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
    }

    /// Asks a question; anything but yes is no.
    static func confirms(_ question: String) -> Bool {
        send(VisibleText.of(question) + " [y/N] ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }
}

/// Makes words stand out, where that is wanted.
struct Paint: Equatable {
    private static let plain = "\u{1B}[0m"
    private static let boldface = "\u{1B}[1m"
    private static let faintness = "\u{1B}[2m"

    /// All that may come out of this.
    static let sequences = [plain, boldface, faintness]

    let isOn: Bool

    /// For what is written to standard output.
    static var answers: Paint { Paint(isOn: Terminal.hasColour(STDOUT_FILENO)) }
    /// For what is written to standard error.
    static var messages: Paint { Paint(isOn: Terminal.hasColour(STDERR_FILENO)) }

    func bold(_ text: String) -> String { wrapped(text, Self.boldface) }
    func faint(_ text: String) -> String { wrapped(text, Self.faintness) }

    private func wrapped(_ text: String, _ sequence: String) -> String {
        isOn ? sequence + text + Self.plain : text
    }
}

/// Words that stand out in an answer.
enum Style {
    static func bold(_ text: String) -> String { Paint.answers.bold(text) }
    static func faint(_ text: String) -> String { Paint.answers.faint(text) }
}
