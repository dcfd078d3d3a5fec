import Foundation
import Glibc
import Synchronization

/// A terminal that a test types into and reads.
///
/// ```swift
/// let terminal = try PseudoTerminal()
/// let run = try terminal.start(letsmeet, ["setup"])
/// try await terminal.wait(for: "Your name:")
/// terminal.type("Anna\r")
/// #expect(await run.status == 0)
/// ```
public final class PseudoTerminal: Sendable {
    /// The error of a wait that can no longer succeed.
    public enum Failure: Error {
        /// The program ended; the text is that on the screen.
        case ended(String)
        /// The test ran out of time; the text is that on the screen.
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
    /// The program's end of the terminal.
    private let device: CInt
    private let state: Mutex<State>

    /// Opens a terminal of a given size.
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

    /// Starts a program with this terminal as its standard input, output and error. Call it once.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - arguments: its arguments.
    ///   - environment: variables to add to the program's environment; `TERM` is xterm by default.
    /// - Returns: the run, whose end can be awaited.
    /// - Throws: the error of a process that cannot be started.
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

    /// A program that runs in a terminal.
    public struct Run: Sendable {
        let process: ChildProcess
        let terminal: PseudoTerminal
        /// The process id.
        public var id: Int32 { process.id }

        /// The exit status, or the signal that ended the program. It waits for the end, and until
        /// all output is on the screen.
        public var status: Int32 {
            get async {
                await terminal.wait(until: nil)
                return await process.end()
            }
        }
    }

    /// Types a text.
    public func type(_ text: String) {
        type(bytes: Array(text.utf8))
    }

    /// Sends bytes as a keyboard does.
    public func type(bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// The screen, including the lines that scrolled out.
    public var screen: TerminalScreen { state.withLock(\.screen) }

    /// True if the terminal echoes keys and collects lines, as it does by default.
    public var isCooked: Bool {
        var modes = termios()
        guard tcgetattr(keyboard, &modes) == 0 else { return false }
        let cooked = tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        return modes.c_lflag & cooked == cooked && modes.c_iflag & tcflag_t(ICRNL) != 0
    }

    /// Waits until a text is on the screen.
    public func wait(for text: String) async throws {
        await wait(until: text)
        let shown = screen.text
        guard shown.contains(text) else {
            throw Task.isCancelled ? Failure.late(shown) : Failure.ended(shown)
        }
    }

    /// Waits for a text, or for the end of the program.
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

    /// Reads until no program has the terminal open any more.
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
