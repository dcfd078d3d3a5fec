import Foundation

/// A daemon at work on a home, its deliveries read as they come.
public final class RunningDaemon: Sendable {
    /// What it delivers.
    public let output = OutputLines()
    /// What it logs.
    public let errors = OutputLines()
    /// Its number among the processes.
    public var identifier: Int32 { process.id }
    private let process: ChildProcess

    /// Starts it and waits until it works.
    ///
    /// - Parameters:
    ///   - home: the home that it works on.
    ///   - settings: what it is told by variables.
    ///   - log: how much it logs, where that is not the usual.
    /// - Throws: what starting a process throws.
    public init(
        home: String, settings: [String: String] = [:], log: String? = nil
    ) async throws {
        let program = Program("letsmeetd", home: home, settings: settings)
        var launch = program.launch(["run"] + (log.map { ["--log", $0] } ?? []))
        launch.output = output.end
        launch.errors = errors.end
        process = try launch.start()
        _ = await errors.wait { $0.contains { $0.contains("letsmeetd works") } }
    }

    /// Sends it a signal.
    public func send(_ signal: Int32) { kill(process.id, signal) }

    /// Waits for its end and returns its status, or the signal that ended it.
    public func end() async -> Int32 { await process.end() }

    /// The ids of the deliveries so far.
    public var identities: [String] { deliveries.compactMap { $0["id"] as? String } }

    /// The deliveries so far.
    public var deliveries: [[String: Any]] { output.lines.map(Self.object) }

    /// A line that is a JSON object; empty where it is none.
    public static func object(_ line: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }
}
