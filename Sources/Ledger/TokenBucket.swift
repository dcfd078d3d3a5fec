public import Timekeeping

/// A rate limit of a destination.
public struct RateLimit: Equatable, Sendable {
    /// The average number of deliveries per second; more than zero.
    public let perSecond: Double
    /// The number of deliveries at once after a pause; at least one.
    public let burst: Int

    /// Creates a rate limit. Values that are too small are raised to the minimum.
    public init(perSecond: Double, burst: Int) {
        self.perSecond = max(perSecond, 1e-6)
        self.burst = max(burst, 1)
    }
}

/// A token bucket that enforces a rate limit: each delivery takes a token, and tokens are added at
/// the rate.
public struct TokenBucket: Equatable, Sendable {
    private let limit: RateLimit
    private var tokens: Double
    private var filledAt: Moment

    /// Creates a full bucket.
    public init(_ limit: RateLimit, now: Moment) {
        self.limit = limit
        tokens = Double(limit.burst)
        filledAt = now
    }

    /// The number of available tokens at a moment.
    public mutating func available(now: Moment) -> Int {
        // If the clock was set back, no tokens are added and none are removed.
        let milliseconds = max(0, now.milliseconds(since: filledAt))
        tokens = min(
            Double(limit.burst), tokens + Double(milliseconds) / 1000 * limit.perSecond)
        filledAt = now
        return Int(tokens)
    }

    /// Takes a number of tokens.
    public mutating func take(_ count: Int) {
        tokens -= Double(count)
    }

    /// The moment at which the next token is available.
    public var nextAt: Moment {
        let missing = max(0, 1 - tokens)
        return filledAt.advanced(
            byMilliseconds: Int64((missing / limit.perSecond * 1000).rounded(.up)))
    }
}
