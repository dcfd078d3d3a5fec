import Foundation
import TestKit

/// A daemon at work on a home, its deliveries read as they come.
final class RunningDaemon: Sendable {
    let output = OutputLines()
    let errors = OutputLines()
    let ends: AsyncStream<Int32>
    let identifier: Int32

    /// Starts it and waits until it works.
    init(home: String) async throws {
        let process = Program("letsmeetd", home: home).process(["run"])
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        self.ends = ends
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        process.terminationHandler = { process in
            end.yield(process.terminationStatus)
            end.finish()
        }
        try process.run()
        identifier = process.processIdentifier
        try? output.pipe.fileHandleForWriting.close()
        try? errors.pipe.fileHandleForWriting.close()
        _ = await errors.wait(for: 1)
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits for its end and returns its status, or the signal that ended it.
    func end() async -> Int32 {
        for await status in ends { return status }
        return -1
    }

    /// The ids of the deliveries so far.
    var identities: [String] { deliveries.compactMap { $0["id"] as? String } }

    var deliveries: [[String: Any]] { output.lines.map(Self.object) }

    static func object(_ line: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }
}
