public import Logging
import Synchronization

/// Records log messages.
public final class LogBook: Sendable {
    /// One log message.
    public struct Line: Equatable, Sendable {
        /// The text of the message.
        public let message: String
        /// The metadata, by key.
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

    /// Creates an empty log book.
    public init() {}

    /// The messages so far.
    public var lines: [Line] { state.withLock { $0 } }

    /// The messages that begin with a text.
    public func lines(_ beginning: String) -> [Line] {
        lines.filter { $0.message.hasPrefix(beginning) }
    }

    /// A logger that writes to this log book.
    public var logger: Logger {
        Logger(label: "test") { _ in Handler(book: self) }
    }
}
