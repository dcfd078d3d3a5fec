import Foundation
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
struct ShellRun {
    /// So much of what a command says is kept: its beginning and its end, in bytes.
    private static let outputBytesMax = 4000
    /// So long a command may go on when the daemon ends, and so long it has when it is told to end.
    private static let graceSeconds: Int64 = 10
    /// Tells that another run of this name has begun. No shell gives this status by itself.
    private static let statusOfSecond: Int32 = 79

    private let command: ShellCommand
    private let limitSeconds: Int
    private let variables: [String: String]
    private let sign: RunSign
    private let clock: any WallClock

    init(
        _ command: ShellCommand, limitSeconds: Int?, variables: [String: String], name: String,
        home: Home, clock: any WallClock
    ) {
        self.command = command
        self.limitSeconds = limitSeconds ?? LineOptions.limitSecondsDefault
        self.variables = variables
        self.clock = clock
        sign = RunSign(home: home, run: name)
    }

    /// Leaves the sign that only one can leave, then becomes the command: a run that is begun a
    /// second time, because the daemon died before it knew of the first, does nothing.
    private static let beginning = """
        mkdir -- "$1" || exit \(statusOfSecond)
        exec "$2" -c "$3"
        """

    /// Runs the command.
    ///
    /// - Throws: `CancellationError`; the command was ended then.
    func report() async throws -> JobReport {
        try sign.makeFolder()
        let output = OutputKeeper(bytesMax: Self.outputBytesMax)
        let status = try await notEndedAtOnce { try await withTimeLimit { try await run(output) } }
        guard let status else {
            return .failed(
                "ended, because it ran for longer than "
                    + TimeWords.span(TimeSpan(days: 0, seconds: limitSeconds)) + output.quoted)
        }
        switch status {
        case .exited(0): return .done(output.text)
        case .exited(Self.statusOfSecond):
            return JobReport(.interrupted, "it had begun before, under a daemon that died")
        case .exited(let code): return .failed("ended with status \(code)\(output.quoted)")
        case .signaled(let number): return .failed("ended by signal \(number)\(output.quoted)")
        }
    }

    /// A daemon that ends lets its commands end before it tells them to.
    private func notEndedAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let running = Task { try await body() }
        return try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            let end = clock.now.advanced(bySeconds: Self.graceSeconds)
            Task {
                try? await clock.sleep(until: end)
                running.cancel()
            }
        }
    }

    private func run(_ output: OutputKeeper) async throws -> TerminationStatus {
        let environment = self.environment
        let shell = environment["SHELL"] ?? Self.shell
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .gracefulShutDown(
                toProcessGroup: true, allowedDurationToNextStep: .seconds(Self.graceSeconds))
        ]
        let result = try await Subprocess.run(
            .path("/bin/sh"),
            arguments: ["-c", Self.beginning, "sh", sign.path, shell, command.command],
            environment: .custom(
                Dictionary(
                    environment.map { (Environment.Key(stringLiteral: $0), $1) },
                    uniquingKeysWith: { $1 })),
            workingDirectory: .init(environment["HOME"] ?? "/"), platformOptions: options,
            input: .string(command.input), output: .sequence, error: .combinedWithOutput
        ) { execution in
            for try await part in execution.standardOutput {
                part.withUnsafeBytes { output.take($0) }
            }
        }
        return result.terminationStatus
    }

    private static let shell = "/bin/sh"

    /// What cron(8) sets, and the lines above the command; who runs it cannot be changed.
    private var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment
        let login = NSUserName()
        let standard = [
            "SHELL": Self.shell, "PATH": "/usr/bin:/bin", "HOME": own["HOME"] ?? "/",
            "LOGNAME": login,
        ]
        return standard.merging(variables) { $1 }.merging(["LOGNAME": login]) { $1 }
    }

    /// - Returns: `nil` where the limit passed first.
    private func withTimeLimit(
        _ body: @escaping @Sendable () async throws -> TerminationStatus
    ) async throws -> TerminationStatus? {
        let end = clock.now.advanced(bySeconds: Int64(limitSeconds))
        return try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await clock.sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

/// The sign that a run of a command leaves when it begins.
struct RunSign {
    private let folder: String
    let path: String

    init(home: Home, run: String) {
        folder = home.runs
        path = "\(home.runs)/\(run)"
    }

    /// Whether the command began.
    var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    func remove() {
        // What cannot be removed is in nobody's way: no other run has this name.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Keeps the beginning and the end of what a command says.
final class OutputKeeper: Sendable {
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
        state.withLock { state in
            let ends = [state.beginning, state.end].map { String(decoding: $0, as: UTF8.self) }
            return VisibleText.of(ends.joined(separator: state.isCut ? "\n…\n" : ""))
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// The same behind a colon, where there is any.
    var quoted: String { text.isEmpty ? "" : ":\n\(text)" }
}
