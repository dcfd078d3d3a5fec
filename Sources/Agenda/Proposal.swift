public import Timekeeping

/// Another time for a meeting, as somebody who is asked to it proposes.
public struct Proposal: Equatable, Sendable {
    /// Tells it from what else the same person proposes.
    public let name: String
    /// When it would begin.
    public let startsAt: Moment
    /// When it would end; not before ``startsAt``.
    public let endsAt: Moment

    /// Describes a proposal.
    public init(name: String, startsAt: Moment, endsAt: Moment) {
        self.name = name
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
