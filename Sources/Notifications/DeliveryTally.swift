import Ledger

/// How a round of deliveries ended, counted by outcome.
public struct DeliveryTally: Equatable, Sendable {
    /// Taken by the receiver.
    public var accepted = 0
    /// Put off.
    public var retry = 0
    /// Refused for good.
    public var failed = 0
    /// Perhaps delivered.
    public var ambiguous = 0
    /// Not tried in earnest: the sink is not set up.
    public var misconfigured = 0
    /// Due and not tried: held back by what its person wants or by the flood guard, or parked.
    public var held = 0
    /// Not tried: their time had passed, or a later reminder went in their place.
    public var expired = 0

    mutating func count(_ outcome: AttemptOutcome) {
        switch outcome {
        case .accepted: accepted += 1
        case .retry: retry += 1
        case .permanent: failed += 1
        case .misconfigured: misconfigured += 1
        case .ambiguous: ambiguous += 1
        }
    }

    /// Counts of nothing, or of so many.
    public init(
        accepted: Int = 0, retry: Int = 0, failed: Int = 0, ambiguous: Int = 0,
        misconfigured: Int = 0, held: Int = 0, expired: Int = 0
    ) {
        self.accepted = accepted
        self.retry = retry
        self.failed = failed
        self.ambiguous = ambiguous
        self.misconfigured = misconfigured
        self.held = held
        self.expired = expired
    }

    /// Adds another round's numbers.
    public static func += (left: inout DeliveryTally, right: DeliveryTally) {
        left.accepted += right.accepted
        left.retry += right.retry
        left.failed += right.failed
        left.ambiguous += right.ambiguous
        left.misconfigured += right.misconfigured
        left.held += right.held
        left.expired += right.expired
    }
}
