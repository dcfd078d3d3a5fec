import Foundation
import Glibc
import Programs
import TextUI
import Wording

/// Input and output of a command on the terminal.
enum Terminal {
    /// The questioner for this terminal: by single keys if the terminal can do that, else by lines.
    static func questioner() -> any Questioner {
        if let terminal = RawTerminal() {
            return KeyQuestioner(terminal, show: send, say: say, showProgress: progress)
        }
        return PlainQuestioner(read: { readLine() }, show: send)
    }

    /// Prints an answer to standard output in one write.
    static func answer(_ text: String, afterSaving isSaved: Bool = false) {
        Letsmeet.say(
            text, to: .answers, keeping: Paint.sequences, afterSaving: isSaved)
    }

    /// Prints a list to standard output. A list that is longer than the terminal is shown by a
    /// pager, unless `isPaged` is false.
    static func list(_ text: String, isPaged: Bool) {
        let pager = Pager(
            for: text, on: isPaged ? Screen.answerSize : nil,
            in: ProcessInfo.processInfo.environment, finds: Pager.isInstalled)
        let shown = VisibleText.of(text, keeping: Paint.sequences) + "\n"
        guard let pager, pager.show(shown) else { return pass(shown) }
    }

    /// Prints output for other programs to standard output, byte for byte.
    static func pass(_ text: String) {
        Letsmeet.write(text, to: .answers)
    }

    /// Prints a message for people to standard error.
    static func say(_ text: String) {
        Letsmeet.say(text, to: .messages, keeping: Paint.sequences)
    }

    /// Writes text to standard error unchanged.
    static func send(_ text: String) {
        Letsmeet.write(text, to: .messages)
    }

    /// Shows the progress of long work, on a terminal only.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        send("\r\u{1B}[K" + VisibleText.of(text))
    }

    // The terminal modes that a signal handler restores; nothing can be passed to a handler. They
    // are written before the handler is installed, and only read afterwards.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(
        capacity: 1)

    /// Asks for a secret. The typed text is not shown.
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

    /// Asks for a line. The answer has no white space at its ends.
    static func line(_ question: String) -> String {
        send(VisibleText.of(question))
        return readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
    }

    /// Asks a yes-or-no question. Any answer but `y` or `yes` means no.
    static func confirms(_ question: String) -> Bool {
        ["y", "yes"].contains(line(question + " [y/N] ").lowercased())
    }
}

/// Highlighting of words in an answer.
enum Style {
    static func bold(_ text: String) -> String { Paint.answers.bold(text) }
    static func faint(_ text: String) -> String { Paint.answers.faint(text) }
}
