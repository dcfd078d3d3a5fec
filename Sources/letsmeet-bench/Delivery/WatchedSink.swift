import Ledger
import Sinks
import Synchronization

/// A sink that tells what it is given, and how that went.
struct WatchedSink: Sink {
    private let sink: any Sink
    private let onParcel: @Sendable (OutgoingMessage) -> Void
    private let onReport: @Sendable (OutgoingMessage, AttemptReport) -> Void

    init(
        _ sink: any Sink, onParcel: @escaping @Sendable (OutgoingMessage) -> Void = { _ in },
        onReport: @escaping @Sendable (OutgoingMessage, AttemptReport) -> Void = { _, _ in }
    ) {
        self.sink = sink
        self.onParcel = onParcel
        self.onReport = onReport
    }

    var name: String { sink.name }
    var schedule: RetrySchedule { sink.schedule }
    var limits: DestinationLimits { sink.limits }
    var policy: AmbiguityPolicy { sink.policy }
    var takesEnclosures: Bool { sink.takesEnclosures }
    var executor: (any TaskExecutor)? { sink.executor }

    func destination(of address: String) -> String { sink.destination(of: address) }

    func deliver(_ parcel: OutgoingMessage) async -> AttemptReport {
        onParcel(parcel)
        let report = await sink.deliver(parcel)
        onReport(parcel, report)
        return report
    }
}

/// Keeps the first parcel that comes by.
final class MessageCapture: Sendable {
    private let first = Mutex<OutgoingMessage?>(nil)

    var parcel: OutgoingMessage? { first.withLock(\.self) }

    func take(_ parcel: OutgoingMessage) {
        first.withLock { first in
            if first == nil { first = parcel }
        }
    }
}
