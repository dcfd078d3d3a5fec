import Foundation
import Glibc
import Synchronization

/// A terminal of which a test is the keyboard and the eyes.
///
/// ```swift
/// let terminal = try PseudoTerminal()
/// let run = try terminal.start(letsmeet, ["setup"])
/// try await terminal.wait(for: "Your name:")
/// terminal.type("Anna\r")
/// #expect(await run.status == 0)
/// ```
public final class PseudoTerminal: Sendable {
    /// Why what was waited for will not come.
    public enum Failure: Error {
        /// The program ended; this is what stands on the screen.
        case ended(String)
        /// The test's time was up; this is what stands on the screen.
        case late(String)
    }

    private struct State {
        var screen: TerminalScreen
        var isEnded = false
        var isCancelled = false
        var waiters: [(text: String?, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func ready() -> [CheckedContinuation<Void, Never>] {
            let text = screen.text
            let isOver = isEnded || isCancelled
            func isReady(_ waited: String?) -> Bool {
                isOver || waited.map { text.contains($0) } ?? false
            }
            let ready = waiters.filter { isReady($0.text) }
            waiters.removeAll { isReady($0.text) }
            return ready.map(\.continuation)
        }
    }

    private let keyboard: CInt
    /// The end that the program gets.
    private let device: CInt
    private let state: Mutex<State>

    /// Opens a terminal of this size.
    public init(columns: Int = 80, rows: Int = 30) throws {
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        var (keyboard, device): (CInt, CInt) = (-1, -1)
        guard openpty(&keyboard, &device, nil, nil, &size) == 0,
            fcntl(keyboard, F_SETFD, FD_CLOEXEC) == 0, fcntl(device, F_SETFD, FD_CLOEXEC) == 0
        else { throw POSIXError(.ENOTTY) }
        self.keyboard = keyboard
        self.device = device
        state = Mutex(State(screen: TerminalScreen(columns: columns, rows: rows)))
    }

    deinit { close(keyboard) }

    /// Starts a program whose standard input, output and error are this terminal; only one.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - arguments: its arguments.
    ///   - environment: what is added to the program's environment; `TERM` is xterm without it.
    /// - Returns: its end, for which one can wait.
    /// - Throws: what starting a process throws.
    public func start(
        _ program: Program, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Run {
        var launch = program.launch(arguments)
        let added = ["TERM": "xterm"].merging(environment) { $1 }
        launch.environment.merge(added) { $1 }
        let handle = FileHandle(fileDescriptor: device, closeOnDealloc: false)
        launch.input = handle
        launch.output = handle
        launch.errors = handle
        let process = try launch.start()
        Thread.detachNewThread { [self] in read() }
        return Run(process: process, terminal: self)
    }

    /// A program at a terminal.
    public struct Run: Sendable {
        let process: ChildProcess
        let terminal: PseudoTerminal
        /// The process.
        public var id: Int32 { process.id }

        /// The exit status, or the signal that ended it; waits for the end, and until all that it
        /// wrote is on the screen.
        public var status: Int32 {
            get async {
                await terminal.wait(until: nil)
                return await process.end()
            }
        }
    }

    /// Presses keys.
    public func type(_ text: String) {
        type(bytes: Array(text.utf8))
    }

    /// Sends bytes as a keyboard would.
    public func type(bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// What is shown, and what scrolled out.
    public var screen: TerminalScreen { state.withLock(\.screen) }

    /// Whether the terminal echoes keys and collects lines, as it does for programs that ask for
    /// nothing else.
    public var isCooked: Bool {
        var modes = termios()
        guard tcgetattr(keyboard, &modes) == 0 else { return false }
        let cooked = tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        return modes.c_lflag & cooked == cooked && modes.c_iflag & tcflag_t(ICRNL) != 0
    }

    /// Waits until a text stands on the screen.
    public func wait(for text: String) async throws {
        await wait(until: text)
        let shown = screen.text
        guard shown.contains(text) else {
            throw Task.isCancelled ? Failure.late(shown) : Failure.ended(shown)
        }
    }

    /// Waits for a text, or for the end.
    private func wait(until text: String?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.waiters.append((text, continuation))
                    return state.ready()
                }
                for continuation in ready { continuation.resume() }
            }
        } onCancel: {
            finish { $0.isCancelled = true }
        }
    }

    private func finish(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            return state.ready()
        }
        for continuation in ready { continuation.resume() }
    }

    /// Reads until nobody has the terminal open any more.
    private func read() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(keyboard, &bytes, bytes.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return finish { $0.isEnded = true }
            }
            let new = bytes.prefix(count)
            finish { $0.screen.take(new) }
        }
    }
}
