public import Foundation
import Synchronization

/// One of the built programs, started as a user starts it.
public struct Program: Sendable {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The exit status.
        public let status: Int32
        /// The text on standard output.
        public let output: String
        /// The text on standard error.
        public let errors: String

        /// Standard output as a JSON object; empty if it is not one.
        public var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
        }
    }

    /// The path of the program.
    public let path: String
    /// The home folder of the runs.
    public let home: String
    /// Further environment variables.
    public var settings: [String: String]

    /// Finds `letsmeet` or `letsmeetd` beside the running tests.
    public init(_ name: String, home: String, settings: [String: String] = [:]) {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        path = tests.deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
        self.home = home
        self.settings = settings
    }

    /// The environment of a run: without the tester's own settings, and without a port to listen
    /// on.
    private var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": home, "LETSMEET_HOME": home, "TZ": "Europe/Helsinki",
            "LETSMEET_SHARE": Checkout.root, "LETSMEET_LISTEN": "none",
        ].merging(settings) { $1 }
    }

    /// Creates a run without starting it.
    public func launch(_ arguments: [String]) -> Launch {
        var launch = Launch(path, arguments)
        launch.environment = environment
        return launch
    }

    /// Creates a run through a shell command, in which `"$0"` is the program and `"$@"` the
    /// arguments.
    public func launch(shell line: String, _ arguments: [String] = []) -> Launch {
        var launch = launch(["-c", line, path] + arguments)
        launch.path = "/bin/sh"
        return launch
    }

    /// Runs the program to its end.
    public func run(_ arguments: String...) async throws -> Outcome {
        try await run(arguments)
    }

    /// Runs the program to its end, with an optional short text on standard input.
    public func run(_ arguments: [String], input: String? = nil) async throws -> Outcome {
        var launch = launch(arguments)
        if let input {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
            launch.input = pipe.fileHandleForReading
        }
        let output = OutputLines()
        let errors = OutputLines()
        launch.output = output.end
        launch.errors = errors.end
        let status = try await launch.runToEnd()
        return Outcome(
            status: status, output: await output.wholeText(), errors: await errors.wholeText())
    }
}

/// The lines that a process writes into a pipe, as they arrive.
public final class OutputLines: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var lines: [String] = []
        var isEnded = false
        var waiters: [Waiter] = []

        mutating func ready() -> [CheckedContinuation<Void, Never>] {
            let ready = waiters.filter { isEnded || $0.isContent(lines) }
            waiters.removeAll { isEnded || $0.isContent(lines) }
            return ready.map(\.continuation)
        }
    }

    private struct Waiter {
        let isContent: @Sendable ([String]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let pipe = Pipe()
    private let state = Mutex(State())

    /// The writing end of the pipe, for the process.
    public var end: FileHandle { pipe.fileHandleForWriting }

    /// Starts to read.
    public init() {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            while true {
                let data = handle.availableData
                take(Array(data))
                if data.isEmpty { return }
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        let ready = state.withLock { state in
            state.isEnded = bytes.isEmpty
            state.bytes += bytes
            let newline = UInt8(ascii: "\n")
            var rest = state.bytes[...]
            while let end = rest.firstIndex(of: newline) {
                state.lines.append(String(decoding: rest[..<end], as: UTF8.self))
                rest = rest[(end + 1)...]
            }
            state.bytes = Array(rest)
            if state.isEnded, !state.bytes.isEmpty {
                state.lines.append(String(decoding: state.bytes, as: UTF8.self))
            }
            return state.ready()
        }
        for continuation in ready { continuation.resume() }
    }

    /// The lines so far.
    public var lines: [String] { state.withLock(\.lines) }

    /// Waits until there are `count` lines, or the output ends.
    public func wait(for count: Int) async -> [String] {
        await wait { $0.count >= count }
    }

    /// Waits until the lines meet a condition, or the output ends.
    public func wait(
        until isContent: @escaping @Sendable (_ lines: [String]) -> Bool
    ) async -> [String] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if !state.isEnded, !isContent(state.lines) {
                    state.waiters.append(Waiter(isContent: isContent, continuation: continuation))
                    return false
                }
                return true
            }
            if isReady { continuation.resume() }
        }
        return lines
    }

    /// The complete output, once the process has ended.
    public func wholeText() async -> String {
        (await wait(for: .max)).joined(separator: "\n")
    }
}
