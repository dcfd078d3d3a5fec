public import Timekeeping

/// A condition on which a meeting takes place: enough people join before a deadline.
///
/// It is decided once. A decision is kept whatever happens later: people leave, the clock is set
/// back, or the installation restarts. Each transaction that changes the seats of the meeting calls
/// ``decided(joined:now:)`` first, so that the people who join after the deadline do not count.
public struct Quorum: Equatable, Sendable {
    /// The result for the meeting.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The meeting takes place.
        case confirmed
        /// The meeting is cancelled.
        case cancelled
    }

    /// The decision, which is made once.
    public struct Decision: Equatable, Sendable {
        /// The result.
        public let outcome: Outcome
        /// The number of people who had joined.
        public let joined: Int
        /// The time of the decision by the clock of the installation. It is after the deadline if
        /// the installation did not run then.
        public let at: Moment

        /// Creates a decision.
        public init(_ outcome: Outcome, joined: Int, at: Moment) {
            self.outcome = outcome
            self.joined = joined
            self.at = at
        }
    }

    /// The state at one moment.
    public enum State: Equatable, Sendable {
        /// The number of people who still have to join before the deadline.
        case needed(more: Int)
        /// Enough people have joined, and the deadline is ahead. The organizer can confirm.
        case reached
        /// The deadline has come, and this result has to be recorded.
        case due(Outcome)
        /// The decision is made.
        case decided(Decision)
    }

    /// The number of people who have to join, at least 1. The organizer does not count; the guests
    /// whom people bring do (``SeatPlan/takenByOthers``).
    public let minimum: Int
    /// The moment of the decision.
    public let deadline: Moment
    /// True to confirm the meeting as soon as enough people have joined. The organizer chooses it.
    public let confirmsEarly: Bool
    /// The decision; `nil` until it is made.
    public let decision: Decision?

    /// Creates a condition.
    ///
    /// - Parameters:
    ///   - minimum: the number of people who have to join. A number below 1 counts as 1.
    ///   - deadline: the moment of the decision.
    ///   - confirmsEarly: true to confirm as soon as enough people have joined.
    ///   - decision: the stored decision; `nil` if none was made.
    public init(
        minimum: Int, deadline: Moment, confirmsEarly: Bool = false, decision: Decision? = nil
    ) {
        self.minimum = max(minimum, 1)
        self.deadline = deadline
        self.confirmsEarly = confirmsEarly
        self.decision = decision
    }
}

extension Quorum {
    /// The state at a moment.
    ///
    /// - Parameters:
    ///   - joined: the number of people who have joined.
    ///   - now: the current time.
    /// - Returns: the state.
    public func state(joined: Int, now: Moment) -> State {
        if let decision { return .decided(decision) }
        if now >= deadline { return .due(joined >= minimum ? .confirmed : .cancelled) }
        return joined >= minimum ? .reached : .needed(more: minimum - max(joined, 0))
    }

    /// The condition with the decision that has to be made now: the deadline has come, or enough
    /// people have joined and that confirms the meeting at once.
    ///
    /// - Parameters:
    ///   - joined: the number of people who have joined.
    ///   - now: the current time.
    /// - Returns: the decided condition, to be stored in the transaction that confirms or cancels
    ///   the meeting; `nil` if there is nothing to decide, or it was decided before.
    public func decided(joined: Int, now: Moment) -> Quorum? {
        switch state(joined: joined, now: now) {
        case .due(let outcome): keeping(outcome, joined: joined, now: now)
        case .reached where confirmsEarly: keeping(.confirmed, joined: joined, now: now)
        case .reached, .needed, .decided: nil
        }
    }

    /// The condition after the organizer confirms the meeting before the deadline.
    ///
    /// - Parameters:
    ///   - joined: the number of people who have joined.
    ///   - now: the current time.
    /// - Returns: the decided condition; `nil` unless the state is ``State/reached``.
    public func confirmed(joined: Int, now: Moment) -> Quorum? {
        guard state(joined: joined, now: now) == .reached else { return nil }
        return keeping(.confirmed, joined: joined, now: now)
    }

    private func keeping(_ outcome: Outcome, joined: Int, now: Moment) -> Quorum {
        Quorum(
            minimum: minimum, deadline: deadline, confirmsEarly: confirmsEarly,
            decision: Decision(outcome, joined: joined, at: now))
    }
}
