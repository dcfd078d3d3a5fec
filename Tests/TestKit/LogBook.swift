public import Logging
import Synchronization

/// Remembers what is logged.
public final class LogBook: Sendable {
    /// One event.
    public struct Line: Equatable, Sendable {
        /// What was said.
        public let message: String
        /// What was said of it, by key.
        public let metadata: [String: String]
    }

    private struct Handler: LogHandler {
        let book: LogBook
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).mapValues(\.description)
            let line = Line(message: event.message.description, metadata: metadata)
            book.state.withLock { $0.append(line) }
        }
    }

    private let state = Mutex<[Line]>([])

    /// Nothing was logged yet.
    public init() {}

    /// What was logged so far.
    public var lines: [Line] { state.withLock { $0 } }

    /// Those of the lines that begin so.
    public func lines(_ beginning: String) -> [Line] {
        lines.filter { $0.message.hasPrefix(beginning) }
    }

    /// A logger that writes here.
    public var logger: Logger {
        Logger(label: "test") { _ in Handler(book: self) }
    }
}
