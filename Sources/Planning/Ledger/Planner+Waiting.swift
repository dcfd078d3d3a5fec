import Storage
import Timekeeping
import Wording

/// What was tried, did not arrive, and waits for its next try.
public struct WaitingView: Sendable {
    /// How many deliveries.
    public let count: Int
    /// When the first of them is tried again.
    public let next: Timestamp?

    /// The same in a sentence; `nil` when nothing waits.
    public var remark: String? {
        guard let next else { return nil }
        return count == 1
            ? "1 delivery waits for its next try at \(next.words)."
            : "\(count) deliveries wait for their next tries, the first at \(next.words)."
    }
}

extension Planner {
    /// What waits for its next try, and is not due yet.
    public func waitingRetries() async throws -> WaitingView {
        let waiting = try await store.waitingRetries(now: now)
        return WaitingView(
            count: waiting.count, next: waiting.next.map { Timestamp($0, reader: zone) })
    }
}
