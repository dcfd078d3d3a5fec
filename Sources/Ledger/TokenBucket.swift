public import Timekeeping

/// How many deliveries a destination takes in a time.
public struct RateLimit: Equatable, Sendable {
    /// How many a second, on average; more than zero.
    public let perSecond: Double
    /// How many at once after a rest; at least one.
    public let burst: Int

    /// So many a second, and so many at once.
    public init(perSecond: Double, burst: Int) {
        self.perSecond = max(perSecond, 1e-6)
        self.burst = max(burst, 1)
    }
}

/// Holds a rate limit: each delivery takes a token, and tokens come back at the rate.
public struct TokenBucket: Equatable, Sendable {
    private let limit: RateLimit
    private var tokens: Double
    private var filledAt: Moment

    /// A full bucket.
    public init(_ limit: RateLimit, now: Moment) {
        self.limit = limit
        tokens = Double(limit.burst)
        filledAt = now
    }

    /// How many tokens there are at a moment.
    public mutating func available(now: Moment) -> Int {
        // A clock that was set back gives no tokens, and takes none.
        let milliseconds = max(0, now.milliseconds(since: filledAt))
        tokens = min(
            Double(limit.burst), tokens + Double(milliseconds) / 1000 * limit.perSecond)
        filledAt = now
        return Int(tokens)
    }

    /// Takes so many of them.
    public mutating func take(_ count: Int) {
        tokens -= Double(count)
    }

    /// When the next token is there.
    public var nextAt: Moment {
        let missing = max(0, 1 - tokens)
        return filledAt.advanced(
            byMilliseconds: Int64((missing / limit.perSecond * 1000).rounded(.up)))
    }
}
