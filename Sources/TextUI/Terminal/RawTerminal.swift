import Glibc

/// The terminal of this process in raw mode, in which it sends each key as it is pressed.
///
/// The previous mode is restored when this object is destroyed, and when a signal ends the process.
package final class RawTerminal {
    /// Input from the keyboard.
    package enum Input {
        case bytes([UInt8])
        /// No bytes came within the time in which the rest of an escape sequence would arrive.
        case silence
        /// The input has ended.
        case end
    }

    package static let pasteOn = "\u{1B}[?2004h"
    private static let pasteOff: StaticString = "\u{1B}[?2004l"
    /// The longest time between two bytes of one key.
    private static let escapeMillisecondsMax: CInt = 50

    private static let deadly = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    // The terminal modes that a signal handler restores. Nothing can be passed to a handler, and it
    // must not allocate. They are written before the handler is installed and only read afterwards.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(
        capacity: 1)

    private let raw: termios

    /// Switches the terminal to raw mode.
    ///
    /// - Returns: `nil` if there is no terminal, or if it is too simple.
    package init?() {
        var before = termios()
        guard Screen.isInteractive, Screen.isCapable, tcgetattr(STDIN_FILENO, &before) == 0
        else { return nil }
        Self.before.initialize(to: before)
        raw = Self.raw(before)
        for number in Self.deadly {
            signal(number) { number in
                RawTerminal.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        pause()
    }

    deinit {
        Self.restore()
        Self.deadly.forEach { signal($0, SIG_DFL) }
    }

    /// Starts reading keys. From now on, no key ends the process.
    package func listen() {
        var modes = raw
        modes.c_lflag &= ~tcflag_t(ISIG)
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }

    /// Stops reading keys. Until ``listen()``, keys are queued, and Ctrl-C ends the process.
    package func pause() {
        var modes = raw
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }

    /// The raw modes: keys come one by one and are not echoed; output is unchanged.
    private static func raw(_ before: termios) -> termios {
        var raw = before
        raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON)
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
        withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
            bytes[Int(VMIN)] = 1
            bytes[Int(VTIME)] = 0
        }
        return raw
    }

    /// Restores the previous modes. Unread keys are dropped, because a shell would run them.
    private static func restore() {
        write(STDERR_FILENO, pasteOff.utf8Start, pasteOff.utf8CodeUnitCount)
        tcflush(STDIN_FILENO, TCIFLUSH)
        tcsetattr(STDIN_FILENO, TCSANOW, before)
    }

    /// Waits for bytes. A brief wait ends after ``escapeMillisecondsMax``.
    package func read(isBrief: Bool) -> Input {
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
