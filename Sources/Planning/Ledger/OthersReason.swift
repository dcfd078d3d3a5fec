import Agenda
import Ledger
import Storage

/// The part of a delivery that a reader sees.
enum DeliverySight {
    /// Everything: the owner of the installation, and the receiver.
    case all
    /// The address, but no private reasons: the organizer of the meeting.
    case address
    /// Neither address nor reasons: other participants.
    case state

    /// The reason for a state as this reader sees it.
    func reason(_ reason: String) -> String {
        switch self {
        case .all: reason
        case .address: OthersReason.shown(reason)
        case .state: ""
        }
    }
}

/// A reason in the ledger as organizers read it: without the sending hours and the time zone of a
/// receiver, and without the owner's words about a stopped address.
enum OthersReason {
    static let stopMark = "nothing is sent to this address"
    static let held = "held back by the receiver's sending hours"
    private static let marks = [("held back until ", held), ("not held back by ", "not \(held)")]

    /// The reason for somebody who neither owns the installation nor is the receiver.
    ///
    /// - Parameter reason: the reason in the ledger.
    /// - Returns: the same, or a shorter one.
    static func shown(_ reason: String) -> String {
        if reason.hasPrefix("\(stopMark): ") {
            let why = reason.dropFirst(stopMark.count + 2)
            return why.hasPrefix(Store.bounceMark) ? reason : stopMark
        }
        guard reason.contains("quiet hours") || reason.contains("send window") else {
            return reason
        }
        // The words may follow others: a delivery that waited comes too late.
        for (mark, words) in marks {
            if let range = reason.firstRange(of: mark) {
                return String(reason[..<range.lowerBound]) + words
            }
        }
        return reason
    }
}

extension Planner {
    /// The part that the actor sees of the deliveries to a person about a meeting.
    func sight(of person: PersonID, in meeting: Meeting) -> DeliverySight {
        guard !actsAsOwner, actor.id != person else { return .all }
        return actor.id == meeting.organizer ? .address : .state
    }

    /// The part that the actor sees of a delivery of which they may see the reasons or the address.
    func sight(of row: LedgerRow) -> DeliverySight {
        guard !actsAsOwner, let person = row.key.notification.receiver.person else { return .all }
        return person == actor.id.text ? .all : .address
    }
}

extension LedgerRow {
    /// The row as a reader sees it.
    func seen(_ sight: DeliverySight) -> LedgerRow {
        guard sight != .all else { return self }
        var row = self
        row.reason = sight.reason(reason)
        // The limit of messages is everybody's.
        row.hold = sight == .address && hold?.kind == .flood ? hold : nil
        return row
    }
}
