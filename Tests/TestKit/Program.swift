public import Foundation
import Synchronization

/// One of the built programs, run as a user runs it.
public struct Program: Sendable {
    /// How a run ended.
    public struct Outcome: Sendable {
        /// The exit status.
        public let status: Int32
        /// What it wrote to standard output.
        public let output: String
        /// What it wrote to standard error.
        public let errors: String

        /// Standard output as a JSON object; empty where it is none.
        public var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
        }
    }

    /// Where it lies.
    public let path: String
    /// The home that it works on.
    public let home: String
    /// What a run is told beside its home, by names of variables.
    public var settings: [String: String]

    /// `letsmeet` or `letsmeetd`, beside the running tests.
    public init(_ name: String, home: String, settings: [String: String] = [:]) {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        path = tests.deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
        self.home = home
        self.settings = settings
    }

    /// The environment of a run: nothing of the tester's own settings, and no port to fight over.
    private var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": home, "LETSMEET_HOME": home, "TZ": "Europe/Helsinki",
            "LETSMEET_SHARE": Checkout.root, "LETSMEET_LISTEN": "none",
        ].merging(settings) { $1 }
    }

    /// A run that is not started yet.
    public func launch(_ arguments: [String]) -> Launch {
        var launch = Launch(path, arguments)
        launch.environment = environment
        return launch
    }

    /// The same by a line of the shell, in which `"$0"` is the program and `"$@"` the arguments.
    public func launch(shell line: String, _ arguments: [String] = []) -> Launch {
        var launch = launch(["-c", line, path] + arguments)
        launch.path = "/bin/sh"
        return launch
    }

    /// Runs it to its end.
    public func run(_ arguments: String...) async throws -> Outcome {
        try await run(arguments)
    }

    /// Runs it to its end, with a short text on its standard input where one is given.
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

/// What a process writes into a pipe, line by line, as it comes.
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

    /// The end of the pipe that the process gets.
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

    /// Waits until there are so many lines, or no more will come.
    public func wait(for count: Int) async -> [String] {
        await wait { $0.count >= count }
    }

    /// Waits until the lines are what somebody waits for, or no more will come.
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

    /// All of it, once the process has ended.
    public func wholeText() async -> String {
        (await wait(for: .max)).joined(separator: "\n")
    }
}
