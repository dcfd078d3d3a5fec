import Foundation
import Glibc

/// The terminal of this process, which can be told to send each key as it is pressed.
///
/// Whatever ends the process while it does so, the terminal is as it was before: `leave()` does
/// it on every way out of a question, and a signal that kills does it first.
final class RawTerminal {
    /// What came from the keyboard.
    enum Input {
        case bytes([UInt8])
        /// Nothing came in the time in which an escape sequence would have.
        case silence
        /// Nothing will come any more.
        case end
    }

    private static let pasteOn = "\u{1B}[?2004h"
    private static let pasteOff = "\u{1B}[?2004l"
    /// How long the bytes of one key may be apart.
    private static let escapeMillisecondsMax: CInt = 50

    private let before: termios
    private let watches: [any DispatchSourceSignal]

    /// - Returns: `nil` where the terminal is none, or is too simple.
    init?() {
        var before = termios()
        guard Terminal.isInteractive, Terminal.isCapable,
            tcgetattr(STDIN_FILENO, &before) == 0
        else { return nil }
        self.before = before
        watches = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
            let watch = DispatchSource.makeSignalSource(signal: number, queue: .global())
            watch.setEventHandler {
                Self.restore(before)
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
            watch.activate()
            return watch
        }
    }

    deinit {
        watches.forEach { $0.cancel() }
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT].forEach { signal($0, SIG_DFL) }
    }

    /// From here on keys come one by one, and no key ends the process. Output is treated as ever.
    func enter() throws {
        var raw = before
        raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON)
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
            bytes[Int(VMIN)] = 1
            bytes[Int(VTIME)] = 0
        }
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { throw Leaving.ended }
        Terminal.send(Self.pasteOn)
    }

    /// Lines come again.
    func leave() {
        Self.restore(before)
    }

    private static func restore(_ before: termios) {
        var before = before
        Terminal.send(pasteOff)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
    }

    /// Waits for bytes; a brief wait ends by itself.
    func read(isBrief: Bool) -> Input {
        var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 1024)
        while true {
            let ready = poll(&wanted, 1, isBrief ? Self.escapeMillisecondsMax : -1)
            if ready == 0 { return .silence }
            let count = ready < 0 ? ready : CInt(Glibc.read(STDIN_FILENO, &bytes, bytes.count))
            if count > 0 { return .bytes(Array(bytes.prefix(Int(count)))) }
            guard count < 0, errno == EINTR || errno == EAGAIN else { return .end }
        }
    }
}
