import Agenda
import Ledger

/// The parts of a meeting that a receiver may see.
extension Delivery {
    /// True if the receiver may see the names of the people who are going. Who waits for a seat is
    /// no member yet.
    public var showsNames: Bool {
        guard let meeting = facts?.meeting else { return false }
        guard person.id != meeting.organizer else { return true }
        switch meeting.seating?.namesFor ?? .members {
        case .everyone: return true
        case .members: return !isForWaiting
        case .organizer: return false
        }
    }

    /// True if the receiver has no seat yet, or gets none, so that the link for joining online is
    /// left out.
    public var isForWaiting: Bool {
        guard standing.answer != .waiting else { return true }
        let key = row.key.notification
        return key.kind == .admission && key.mark.admission != .going
    }
}
