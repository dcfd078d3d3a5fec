/// Where a delivery stands. The legal moves between states are in ``successors`` and nowhere
/// else; the store's schema holds the same table, and a test compares the two.
public enum DeliveryState: String, CaseIterable, Codable, Sendable {
    /// It waits for its time, or for its next attempt.
    case planned
    /// A worker has recorded that it is about to send it.
    case claimed
    /// The receiver took it.
    case accepted
    /// The receiver refused it for good, or all attempts are spent.
    case failed
    /// It was sent or not: the answer never came. It will be sent again under the same identity.
    case ambiguous
    /// Its time had passed before it could be sent.
    case expired
    /// The meeting changed: another delivery stands in its place, or none is needed.
    case superseded
    /// It is not sent, for a reason that the row names.
    case suppressed
    /// It is held until somebody decides.
    case parked

    /// Whether something may still be sent for it without anybody's help.
    public var isOpen: Bool {
        switch self {
        case .planned, .claimed, .ambiguous: true
        case .accepted, .failed, .expired, .superseded, .suppressed, .parked: false
        }
    }

    /// Whether its receiver has, or may have, got it.
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
        // What somebody dropped, they may take up again.
        case .suppressed: [.planned]
        // A clock that was ahead closed it before its time.
        case .expired: [.planned]
        case .accepted: []
        }
    }

    /// Whether a delivery in this state may go to the other one.
    public func mayBecome(_ next: DeliveryState) -> Bool {
        successors.contains(next)
    }
}
