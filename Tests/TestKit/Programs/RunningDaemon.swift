import Foundation

/// A running daemon, with its deliveries as they arrive.
public final class RunningDaemon: Sendable {
    /// The deliveries, from standard output.
    public let output = OutputLines()
    /// The log, from standard error.
    public let errors = OutputLines()
    /// The process id.
    public var identifier: Int32 { process.id }
    private let process: ChildProcess

    /// Starts the daemon and waits until it is ready.
    ///
    /// - Parameters:
    ///   - home: the home folder of the daemon.
    ///   - settings: environment variables.
    ///   - log: the log level; `nil` for the default.
    /// - Throws: the error of a process that cannot be started.
    public init(
        home: String, settings: [String: String] = [:], log: String? = nil
    ) async throws {
        let program = Program("letsmeetd", home: home, settings: settings)
        var launch = program.launch(["run"] + (log.map { ["--log", $0] } ?? []))
        launch.output = output.end
        launch.errors = errors.end
        process = try launch.start()
        _ = await errors.wait { $0.contains { $0.contains("letsmeetd started") } }
    }

    /// Sends a signal to the daemon.
    public func send(_ signal: Int32) { kill(process.id, signal) }

    /// Waits for the end and returns the exit status, or the signal that ended the daemon.
    public func end() async -> Int32 { await process.end() }

    /// The ids of the deliveries so far.
    public var identities: [String] { deliveries.compactMap { $0["id"] as? String } }

    /// The deliveries so far.
    public var deliveries: [[String: Any]] { output.lines.map(Self.object) }

    /// Parses a line as a JSON object; empty if it is not one.
    public static func object(_ line: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }
}
