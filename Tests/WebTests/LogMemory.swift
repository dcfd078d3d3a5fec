import Logging
import Synchronization

/// A log handler that keeps all messages.
struct LogMemory: LogHandler {
    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock(\.self) }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    let kept: Lines
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        kept.add("\(event.level) \(event.message)")
    }
}
