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

/// One run of a command of the shell: in a process group of its own, for a limited time, with the
/// environment that cron gives.
struct ShellRun: Sendable {
    /// What it needs to know of where it runs.
    struct Place: Sendable {
        let home: Home
        /// The machine's clock, on which waits are slept.
        let clock: any WallClock
        /// The time since some fixed start, on a clock that nobody sets.
        let uptime: @Sendable () -> Duration
        /// Whether who ends the run ends the command at once.
        var isHasty = false
    }

    /// So much of what a command says is kept: its beginning and its end, in bytes.
    private static let outputBytesMax = 4000
    /// So long a command may go on when the daemon ends, and so long it has when it is told to end.
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
    /// - Throws: `CancellationError`; the command was ended then.
    func report() async throws -> JobReport {
        let environment = self.environment
        let folder = environment["HOME"] ?? "/"
        guard FileManager.default.fileExists(atPath: folder) else {
            return .failed("there is no folder \(folder), which HOME names, to run it in")
        }
        try sign.makeFolder()
        let output = OutputTail(bytesMax: Self.outputBytesMax)
        let status = try await notEndedAtOnce {
            try await withTimeLimit { try await run(environment, output) }
        }
        guard let (status, isOurs) = status else {
            return .failed(
                "ended, because it ran for longer than "
                    + TimeWords.span(TimeSpan(days: 0, seconds: limitSeconds)) + output.quoted)
        }
        switch status {
        case .exited(0): return .done(output.text)
        case .exited(RunSign.statusOfSecond) where !isOurs:
            return JobReport(.interrupted, "it had begun before, under a daemon that died")
        case .exited(RunSign.statusWithoutSign) where !isOurs:
            return .failed("\(sign.path) cannot be made, which tells that it began. Is there room?")
        case .exited(let code): return .failed("ended with status \(code)\(output.quoted)")
        case .signaled(let number): return .failed("ended by signal \(number)\(output.quoted)")
        }
    }

    /// What cron(8) sets, and the lines above the command; who runs it cannot be changed.
    private var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        let home = FileManager.default.fileExists(atPath: own) ? own : "/"
        let login = NSUserName()
        let standard = [
            "SHELL": Self.shell, "PATH": "/usr/bin:/bin", "HOME": home, "LOGNAME": login,
        ]
        return standard.merging(variables) { $1 }.merging(["LOGNAME": login]) { $1 }
    }

    /// - Returns: how it ended, and whether it was this process that left the sign.
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
            // Who is told to end may leave others behind who do not listen.
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
                input: .string(command.input), output: .sequence, error: .combinedWithOutput
            ) { execution in
                let process = execution.processIdentifier.value
                group.withLock { $0 = process }
                var rest = Self.restBytesMax
                for try await part in execution.standardOutput {
                    part.withUnsafeBytes { output.take($0) }
                    // What it left behind may write for ever.
                    if Self.hasEnded(process) { rest -= part.count }
                    if rest <= 0 { break }
                }
            }
            return (result.terminationStatus, sign.isLeft(by: result.processIdentifier.value))
        } catch let error as SubprocessError where !Task.isCancelled {
            throw Refusal(
                .refused, code: "not_started", "The command could not be started: \(error)")
        }
    }

    /// More is not left to read in a pipe, and of what was read ahead, when its writer has ended:
    /// in bytes.
    private static let restBytesMax = 4 << 20

    /// Whether a process that was started here has ended, and nobody has asked how.
    private static func hasEnded(_ process: pid_t) -> Bool {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.contains(") Z ") ?? true
    }

    // MARK: Time

    /// A daemon that ends lets its commands end before it tells them to.
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

    /// - Returns: `nil` where the limit passed first.
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

    /// Lets so much time pass, whoever sets the clock meanwhile.
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

/// Keeps the beginning and the end of what a command says.
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

    /// What was said.
    var text: String {
        let bytes = state.withLock { state in
            state.beginning + (state.isCut ? Array("\n…\n".utf8) : []) + state.end
        }
        return VisibleText.of(String(decoding: bytes, as: UTF8.self))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The same behind a colon, where there is any.
    var quoted: String { text.isEmpty ? "" : ":\n\(text)" }
}
