import Ledger
import Sinks
import Synchronization

/// A sink that reports each message it is given, and the result.
struct WatchedSink: Sink {
    private let sink: any Sink
    private let onMessage: @Sendable (OutgoingMessage) -> Void
    private let onReport: @Sendable (OutgoingMessage, AttemptReport) -> Void

    init(
        _ sink: any Sink, onMessage: @escaping @Sendable (OutgoingMessage) -> Void = { _ in },
        onReport: @escaping @Sendable (OutgoingMessage, AttemptReport) -> Void = { _, _ in }
    ) {
        self.sink = sink
        self.onMessage = onMessage
        self.onReport = onReport
    }

    var name: String { sink.name }
    var schedule: RetrySchedule { sink.schedule }
    var limits: DestinationLimits { sink.limits }
    var policy: AmbiguityPolicy { sink.policy }
    var takesEnclosures: Bool { sink.takesEnclosures }
    var executor: (any TaskExecutor)? { sink.executor }

    func destination(of address: String) -> String { sink.destination(of: address) }

    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        onMessage(outgoing)
        let report = await sink.deliver(outgoing)
        onReport(outgoing, report)
        return report
    }
}

/// Keeps the first message that passes.
final class MessageCapture: Sendable {
    private let first = Mutex<OutgoingMessage?>(nil)

    var outgoing: OutgoingMessage? { first.withLock(\.self) }

    func take(_ outgoing: OutgoingMessage) {
        first.withLock { first in
            if first == nil { first = outgoing }
        }
    }
}
