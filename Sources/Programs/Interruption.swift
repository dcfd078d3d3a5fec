import Dispatch
public import Foundation
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

    /// Runs a child that ends by the signals that would end this program. This program goes on, to
    /// clean up after it. A signal that comes during the start is passed on after it.
    ///
    /// - Parameters:
    ///   - start: starts the child.
    ///   - use: uses the child until it ends.
    /// - Throws: the error of the start.
    public static func passing(to start: () throws -> Process, while use: (Process) -> Void) throws
    {
        let queue = DispatchQueue(label: "letsmeet.interruption")
        let child = Mutex<pid_t?>(nil)
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // Unlike an ignored signal, one with a handler has its default effect in a child.
            signal(number) { _ in }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in
                if let id = child.withLock({ $0 }) { kill(id, SIGTERM) }
            }
            return source
        }
        defer { for source in sources { source.cancel() } }
        let process = try queue.sync {
            for source in sources { source.resume() }
            let process = try start()
            child.withLock { $0 = process.processIdentifier }
            return process
        }
        use(process)
    }
}
