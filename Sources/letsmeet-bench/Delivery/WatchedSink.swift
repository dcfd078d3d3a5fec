import Ledger
import Sinks
import Synchronization

/// A sink that tells what it is given, and how that went.
struct WatchedSink: Sink {
    private let sink: any Sink
    private let onParcel: @Sendable (Parcel) -> Void
    private let onReport: @Sendable (Parcel, AttemptReport) -> Void

    init(
        _ sink: any Sink, onParcel: @escaping @Sendable (Parcel) -> Void = { _ in },
        onReport: @escaping @Sendable (Parcel, AttemptReport) -> Void = { _, _ in }
    ) {
        self.sink = sink
        self.onParcel = onParcel
        self.onReport = onReport
    }

    var name: String { sink.name }
    var schedule: RetrySchedule { sink.schedule }
    var limits: LaneLimits { sink.limits }
    var policy: AmbiguityPolicy { sink.policy }
    var takesEnclosures: Bool { sink.takesEnclosures }
    var executor: (any TaskExecutor)? { sink.executor }

    func destination(of address: String) -> String { sink.destination(of: address) }

    func deliver(_ parcel: Parcel) async -> AttemptReport {
        onParcel(parcel)
        let report = await sink.deliver(parcel)
        onReport(parcel, report)
        return report
    }
}

/// Keeps the first parcel that comes by.
final class ParcelCatcher: Sendable {
    private let first = Mutex<Parcel?>(nil)

    var parcel: Parcel? { first.withLock(\.self) }

    func take(_ parcel: Parcel) {
        first.withLock { first in
            if first == nil { first = parcel }
        }
    }
}
