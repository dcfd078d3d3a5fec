import Ledger
import Synchronization
import Timekeeping

/// A rate limit for each name, so that no single client can fill the ledger.
final class Throttle: Sendable {
    /// The most names to keep. When it is reached, all are forgotten.
    static let namesMax = 10_000

    private let limit: RateLimit
    private let buckets = Mutex<[String: TokenBucket]>([:])

    /// A throttle that applies this limit to each name.
    init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// True if the name has not used up its limit. Takes no token.
    func hasRoom(_ name: String, at now: Moment) -> Bool {
        buckets.withLock { $0[name]?.available(now: now) ?? 1 > 0 }
    }

    /// Takes a token of the name. Returns false if none is left.
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
