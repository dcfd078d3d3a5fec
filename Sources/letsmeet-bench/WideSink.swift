import Ledger
import Sinks
import Synchronization

/// A sink that sends as much at once as a benchmark says.
struct WideSink: Sink {
    let limits: LaneLimits
    private let sink: any Sink
    private let catcher: ParcelCatcher

    init(_ sink: any Sink, limits: LaneLimits, catcher: ParcelCatcher) {
        self.sink = sink
        self.catcher = catcher
        self.limits = limits
    }

    var name: String { sink.name }
    var schedule: RetrySchedule { sink.schedule }
    var policy: AmbiguityPolicy { sink.policy }
    var takesEnclosures: Bool { sink.takesEnclosures }

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
