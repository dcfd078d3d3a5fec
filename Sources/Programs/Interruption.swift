import Dispatch
import Foundation
import Synchronization

/// Work that has something to end when somebody presses Ctrl-C.
public enum Interruption {
    /// Does the work; SIGINT, SIGTERM and SIGHUP cancel it, and do not end the program before it
    /// has ended itself.
    ///
    /// - Throws: what the work throws; `CancellationError` where it was cancelled.
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
