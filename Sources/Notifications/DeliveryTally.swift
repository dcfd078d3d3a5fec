import Ledger

/// The results of a round of deliveries, counted by outcome.
public struct DeliveryTally: Equatable, Sendable {
    /// Accepted by the receiver.
    public var accepted = 0
    /// To be retried later.
    public var retry = 0
    /// Refused permanently.
    public var failed = 0
    /// Possibly delivered.
    public var ambiguous = 0
    /// Not really attempted: the sink is not set up.
    public var misconfigured = 0
    /// Due but not attempted: held back by the person's sending hours or the flood guard, or
    /// parked.
    public var held = 0
    /// Not attempted: their deadline had passed, or a later reminder replaced them.
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

    /// Creates a tally; every count is zero by default.
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

    /// Adds the counts of another round.
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
