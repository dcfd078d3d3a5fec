import Storage
import Timekeeping
import Wording

/// Deliveries whose last attempt failed, and that wait for the next one.
public struct WaitingView: Sendable {
    /// The number of deliveries.
    public let count: Int
    /// The time of the first retry; `nil` if there is none.
    public let next: Timestamp?

    /// The same in a sentence; `nil` if nothing waits.
    public var remark: String? {
        guard let next else { return nil }
        return count == 1
            ? "1 delivery will be retried at \(next.words)."
            : "\(count) deliveries will be retried, the first at \(next.words)."
    }
}

extension Planner {
    /// The deliveries that wait for a retry that is not due yet.
    public func waitingRetries() async throws -> WaitingView {
        let waiting = try await store.waitingRetries(now: now)
        return WaitingView(
            count: waiting.count, next: waiting.next.map { Timestamp($0, reader: zone) })
    }
}
