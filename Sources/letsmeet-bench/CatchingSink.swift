import Ledger
import Sinks
import Synchronization

/// A sink of which one parcel is kept.
struct CatchingSink: Sink {
    private let sink: any Sink
    private let catcher: ParcelCatcher

    init(_ sink: any Sink, catcher: ParcelCatcher) {
        self.sink = sink
        self.catcher = catcher
    }

    var name: String { sink.name }
    var schedule: RetrySchedule { sink.schedule }
    var limits: LaneLimits { sink.limits }
    var policy: AmbiguityPolicy { sink.policy }
    var takesEnclosures: Bool { sink.takesEnclosures }
    var executor: (any TaskExecutor)? { sink.executor }

    func destination(of address: String) -> String { sink.destination(of: address) }

    func deliver(_ parcel: Parcel) async -> AttemptReport {
        catcher.take(parcel)
        return await sink.deliver(parcel)
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
