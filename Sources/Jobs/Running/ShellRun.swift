import Agenda
import Foundation
import Glibc
import Ledger
import Planning
import Settings
import Subprocess
import Synchronization
import SystemPackage
import Timekeeping
import Wording

/// A run of a shell command: in its own process group, with a time limit and the environment that
/// cron provides.
struct ShellRun: Sendable {
    /// The environment in which a command runs.
    struct Place: Sendable {
        let home: Home
        /// The clock on which waits are slept.
        let clock: any WallClock
        /// The time since a fixed start, on a clock that cannot be set.
        let uptime: @Sendable () -> Duration
        /// Whether cancelling the run ends the command at once.
        var isHasty = false
    }

    /// The most bytes of a command's output that are kept, half from its beginning and half from
    /// its end.
    private static let outputBytesMax = 4000
    /// The seconds that a command may go on when the daemon stops, and the seconds it then has to
    /// end after the request to terminate.
    private static let graceSeconds = 10
    private static let shell = "/bin/sh"

    private let command: ShellCommand
    private let limitSeconds: Int
    private let variables: [String: String]
    private let sign: RunSign
    private let place: Place

    init(
        _ command: ShellCommand, limitSeconds: Int?, variables: [String: String], name: String,
        at place: Place
    ) {
        self.command = command
        self.limitSeconds = limitSeconds ?? LineOptions.limitSecondsDefault
        self.variables = variables
        self.place = place
        sign = RunSign(home: place.home, run: name)
    }

    /// Runs the command.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; the command has then been ended.
    func report() async throws -> JobReport {
        let environment = self.environment
        let folder = environment["HOME"] ?? "/"
        guard FileManager.default.fileExists(atPath: folder) else {
            return .failed("the working folder \(folder) (HOME) does not exist")
        }
        try sign.makeFolder()
        let output = OutputTail(bytesMax: Self.outputBytesMax)
        let status = try await notEndedAtOnce {
            try await withTimeLimit { try await run(environment, output) }
        }
        guard let (status, isOurs) = status else {
            return .failed(
                "stopped because it ran for longer than "
                    + TimeWords.span(TimeSpan(days: 0, seconds: limitSeconds)) + output.quoted)
        }
        switch status {
        case .exited(0): return .done(output.text)
        case .exited(RunSign.statusOfSecond) where !isOurs:
            return JobReport(.interrupted, "it had already been started by a daemon that died")
        case .exited(RunSign.statusWithoutSign) where !isOurs:
            return .failed("\(sign.path) cannot be created to mark the start. Is the disk full?")
        case .exited(let code): return .failed("ended with status \(code)\(output.quoted)")
        case .signaled(let number): return .failed("ended by signal \(number)\(output.quoted)")
        }
    }

    /// The variables that cron(8) sets and those set above the line. `LOGNAME` cannot be changed.
    private var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        let home = FileManager.default.fileExists(atPath: own) ? own : "/"
        let login = NSUserName()
        let standard = [
            "SHELL": Self.shell, "PATH": "/usr/bin:/bin", "HOME": home, "LOGNAME": login,
        ]
        return standard.merging(variables) { $1 }.merging(["LOGNAME": login]) { $1 }
    }

    /// - Returns: the exit status, and whether this process left the sign.
    private func run(
        _ environment: [String: String], _ output: OutputTail
    ) async throws -> (TerminationStatus, isOurs: Bool) {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .gracefulShutDown(
                toProcessGroup: true, allowedDurationToNextStep: .seconds(Self.graceSeconds))
        ]
        let shell = environment["SHELL"] ?? Self.shell
        let group = Mutex<pid_t?>(nil)
        defer {
            // Processes in the group may ignore the request to terminate.
            if Task.isCancelled, let group = group.withLock({ $0 }) { kill(-group, SIGKILL) }
        }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(Self.shell)),
                arguments: ["-c", RunSign.beginning, "sh", sign.path, shell, command.command],
                environment: .custom(
                    Dictionary(
                        environment.map { (Environment.Key(stringLiteral: $0), $1) },
                        uniquingKeysWith: { $1 })),
                workingDirectory: FilePath(environment["HOME"] ?? "/"), platformOptions: options,
                input: .inputWriter, output: .sequence, error: .combinedWithOutput
            ) { execution in
                let process = execution.processIdentifier.value
                group.withLock { $0 = process }
                async let written: Void = write(command.input, with: execution.standardInputWriter)
                var rest = Self.restBytesMax
                for try await part in execution.standardOutput {
                    part.withUnsafeBytes { output.take($0) }
                    // A background process left by the command may write for ever.
                    if Self.hasEnded(process) { rest -= part.count }
                    if rest <= 0 { break }
                }
                await written
            }
            return (result.terminationStatus, sign.isLeft(by: result.processIdentifier.value))
        } catch let error as SubprocessError where !Task.isCancelled {
            throw Refusal(
                .refused, code: "not_started", "The command could not be started: \(error)")
        }
    }

    /// Writes the input of a command, which may end without reading it. If the library wrote it, a
    /// command that does not read its input would end the whole daemon.
    private func write(_ input: String, with writer: StandardInputWriter) async {
        _ = try? await writer.write(Array(input.utf8))
        try? await writer.finish()
    }

    /// The most bytes read after the command has ended. The pipe, and what was read ahead of it,
    /// cannot hold more.
    private static let restBytesMax = 4 << 20

    /// Whether a process started here has ended but has not been waited for.
    private static func hasEnded(_ process: pid_t) -> Bool {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.contains(") Z ") ?? true
    }

    // MARK: Time

    /// Delays cancellation, so that commands get time to end by themselves when the daemon stops.
    private func notEndedAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let running = Task { try await body() }
        return try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task {
                if !place.isHasty { try? await rest(seconds: Self.graceSeconds) }
                running.cancel()
            }
        }
    }

    /// - Returns: `nil` if the limit passed first.
    private func withTimeLimit<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await rest(seconds: limitSeconds)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Waits this many seconds, unaffected by changes of the clock.
    private func rest(seconds: Int) async throws {
        let end = place.uptime() + .seconds(seconds)
        while true {
            let left = (end - place.uptime()).components.seconds
            guard place.uptime() < end else { return }
            try await place.clock.sleep(
                until: place.clock.now.advanced(bySeconds: max(left, 0)).advanced(
                    byMilliseconds: 100))
        }
    }
}

/// Keeps the beginning and the end of a command's output.
final class OutputTail: Sendable {
    private struct State {
        var beginning: [UInt8] = []
        var end: [UInt8] = []
        var isCut = false
    }

    private let half: Int
    private let state = Mutex(State())

    init(bytesMax: Int) {
        half = bytesMax / 2
    }

    func take(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            let room = half - state.beginning.count
            state.beginning += bytes.prefix(room)
            state.end += bytes.dropFirst(room).suffix(half)
            let excess = state.end.count - half
            guard excess > 0 || bytes.count - room > half else { return }
            state.isCut = true
            state.end.removeFirst(max(0, excess))
        }
    }

    /// The output, as visible text.
    var text: String {
        let bytes = state.withLock { state in
            state.beginning + (state.isCut ? Array("\n…\n".utf8) : []) + state.end
        }
        return VisibleText.of(String(decoding: bytes, as: UTF8.self))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The output after a colon; empty if there is none.
    var quoted: String { text.isEmpty ? "" : ":\n\(text)" }
}
