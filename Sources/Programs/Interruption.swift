import Dispatch
import Foundation
import Synchronization

/// Runs work that must clean up when the user presses Ctrl-C.
public enum Interruption {
    /// Performs the work. SIGINT, SIGTERM and SIGHUP cancel it; the program ends only after the
    /// work has ended.
    ///
    /// - Throws: the errors of the work; `CancellationError` if it was cancelled.
    public static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(
                signal: number, queue: DispatchQueue(label: "letsmeet.interruption"))
            source.setEventHandler { @Sendable in task.cancel() }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        return try await task.value
    }
}
