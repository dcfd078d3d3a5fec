public import Timekeeping

/// Which proposal a notification says to be refused, and for which time. Its text is the mark in
/// the notification's key.
public struct RefusalMark: Equatable, Sendable {
    /// The proposal's name.
    public let proposal: String
    /// When the meeting begins instead.
    public let startsAt: Moment

    /// Marks that a proposal was refused.
    public init(_ proposal: Proposal, keeping startsAt: Moment) {
        self.proposal = proposal.name
        self.startsAt = startsAt
    }

    /// Reads a mark; `nil` where it is none of a refusal.
    public init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 2, let startsAt = try? Moment.parse(parts[1]) else { return nil }
        proposal = parts[0]
        self.startsAt = startsAt
    }

    /// The mark as it is kept.
    public var text: String { "\(proposal) \(startsAt.utcText)" }
}

/// Another time for a meeting, as somebody who is asked to it proposes.
public struct Proposal: Equatable, Sendable {
    /// Tells it from what else the same person proposes.
    public let name: String
    /// When it would begin.
    public let startsAt: Moment
    /// When it would end; not before ``startsAt``.
    public let endsAt: Moment
    /// Whether it came by a mail for which nobody vouches.
    public var isUnsigned = false

    /// Describes a proposal.
    public init(name: String, startsAt: Moment, endsAt: Moment) {
        self.name = name
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
