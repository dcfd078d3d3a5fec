/// The state of a delivery. The allowed transitions are defined in ``successors`` only. The schema
/// of the store contains the same table, and a test compares the two.
public enum DeliveryState: String, CaseIterable, Codable, Sendable {
    /// It waits for its time, or for its next attempt.
    case planned
    /// A worker has recorded that it is about to send it.
    case claimed
    /// The receiver accepted it.
    case accepted
    /// The receiver refused it permanently, a report says that it did not arrive, or all attempts
    /// are used up.
    case failed
    /// It may have been sent, but no final answer came. It will be sent again under the same
    /// identity.
    case ambiguous
    /// Its time had passed before it could be sent.
    case expired
    /// The meeting changed: another delivery replaces it, or none is needed.
    case superseded
    /// It is not sent, for a reason given in its row.
    case suppressed
    /// It is held until a person decides.
    case parked

    /// True if it may still be sent without a person's decision.
    public var isOpen: Bool {
        switch self {
        case .planned, .claimed, .ambiguous: true
        case .accepted, .failed, .expired, .superseded, .suppressed, .parked: false
        }
    }

    /// True if the receiver has got it, or may have got it.
    public var mayHaveArrived: Bool {
        switch self {
        case .claimed, .accepted, .ambiguous: true
        case .planned, .failed, .expired, .superseded, .suppressed, .parked: false
        }
    }

    /// The states that may follow this one.
    public var successors: Set<DeliveryState> {
        switch self {
        case .planned: [.claimed, .expired, .superseded, .suppressed, .parked]
        case .claimed: [.planned, .accepted, .failed, .ambiguous, .expired, .parked]
        case .ambiguous: [.claimed, .expired, .superseded, .suppressed, .parked]
        case .parked: [.planned, .expired, .superseded, .suppressed]
        case .failed: [.planned]
        // A meeting that is moved away and back needs its old reminder again.
        case .superseded: [.planned]
        // A person may resume a delivery that was dropped.
        case .suppressed: [.planned]
        // A clock that was ahead may have expired it too early.
        case .expired: [.planned]
        // A report may say later that it did not arrive.
        case .accepted: [.failed]
        }
    }

    /// True if a delivery in this state may change to the other state.
    public func mayBecome(_ next: DeliveryState) -> Bool {
        successors.contains(next)
    }
}
