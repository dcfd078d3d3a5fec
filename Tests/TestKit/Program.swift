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
        let beside = tests.deletingLastPathComponent().appending(path: name)
            .path(percentEncoded: false)
        path =
            FileManager.default.isExecutableFile(atPath: beside)
            ? beside : "\(Checkout.root)/.build/debug/\(name)"
        self.home = home
        self.settings = settings
    }

    /// The environment of a run: nothing of the tester's own settings.
    private var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": home, "LETSMEET_HOME": home, "TZ": "Europe/Helsinki",
            "LETSMEET_SHARE": Checkout.root,
        ].merging(settings) { $1 }
    }

    /// A process that is not started yet.
    public func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs it to its end.
    public func run(_ arguments: String...) async throws -> Outcome {
        try await run(arguments)
    }

    /// Runs it to its end.
    public func run(_ arguments: [String]) async throws -> Outcome {
        let process = process(arguments)
        let output = OutputLines()
        let errors = OutputLines()
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        let status = try await process.runToEnd()
        return Outcome(
            status: status, output: await output.wholeText(), errors: await errors.wholeText())
    }
}

extension Process {
    /// Starts the process and waits for its end, without blocking a thread.
    public func runToEnd() async throws -> Int32 {
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        terminationHandler = { process in
            end.yield(process.terminationStatus)
            end.finish()
        }
        try run()
        for await status in ends { return status }
        return -1
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

    /// The pipe to hand to the process.
    public let pipe = Pipe()
    private let state = Mutex(State())

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
