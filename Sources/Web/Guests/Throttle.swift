import Ledger
import Synchronization
import Timekeeping

/// Holds each of many to a rate, so that one of them cannot fill the ledger.
final class Throttle: Sendable {
    /// How many are remembered; then all are forgotten.
    static let namesMax = 10_000

    private let limit: RateLimit
    private let buckets = Mutex<[String: TokenBucket]>([:])

    /// Holds each to this rate.
    init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// Whether one of them might do it once more.
    func hasRoom(_ name: String, at now: Moment) -> Bool {
        buckets.withLock { $0[name]?.available(now: now) ?? 1 > 0 }
    }

    /// Whether one of them may do it once more.
    func lets(_ name: String, at now: Moment) -> Bool {
        buckets.withLock { buckets in
            if buckets.count >= Self.namesMax { buckets = [:] }
            var bucket = buckets[name] ?? TokenBucket(limit, now: now)
            defer { buckets[name] = bucket }
            guard bucket.available(now: now) > 0 else { return false }
            bucket.take(1)
            return true
        }
    }
}
