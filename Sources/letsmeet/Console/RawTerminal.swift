import Glibc

/// The terminal of this process, told to send each key as it is pressed.
///
/// It is as it was before when this object goes, and when a signal ends the process before that.
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
    private static let pasteOff: StaticString = "\u{1B}[?2004l"
    /// How long the bytes of one key may be apart.
    private static let escapeMillisecondsMax: CInt = 50

    private static let deadly = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    // The modes that a signal's handler restores: it can be handed nothing, and may allocate
    // nothing. They are written before the handler is set, and only read after.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(
        capacity: 1)

    private let raw: termios

    /// - Returns: `nil` where the terminal is none, or is too simple.
    init?() {
        var before = termios()
        guard Terminal.isInteractive, Terminal.isCapable, tcgetattr(STDIN_FILENO, &before) == 0
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
        Terminal.send(Self.pasteOn)
        pause()
    }

    deinit {
        Self.restore()
        Self.deadly.forEach { signal($0, SIG_DFL) }
    }

    /// From here on no key ends the process: each is read.
    func listen() {
        var modes = raw
        modes.c_lflag &= ~tcflag_t(ISIG)
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }

    /// While nobody reads, keys wait unseen, and Ctrl-C ends the process.
    func pause() {
        var modes = raw
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }

    /// Keys come one by one and are not shown; output is treated as ever.
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

    /// Keys that nobody has read are dropped: a shell would take them for commands.
    private static func restore() {
        write(STDERR_FILENO, pasteOff.utf8Start, pasteOff.utf8CodeUnitCount)
        tcflush(STDIN_FILENO, TCIFLUSH)
        tcsetattr(STDIN_FILENO, TCSANOW, before)
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
