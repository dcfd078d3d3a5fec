import Agenda
import Ledger

extension Refusal {
    /// The refusal of a request for a seat.
    ///
    /// - Parameters:
    ///   - answer: the answer to the request.
    ///   - meeting: the meeting.
    ///   - isOwn: true if the actor asked for themselves.
    init(_ answer: SeatAnswer, in meeting: Meeting, isOwn: Bool) {
        guard let code = answer.refusalCode, answer != .notOpen else {
            self = .unknownMeeting(meeting.id.text)
            return
        }
        self.init(
            .refused, code: code,
            isOwn
                ? answer.refusalOfOwn(in: meeting.title) : answer.refusalOfOther(in: meeting.title))
    }
}

extension SeatAnswer {
    /// The sentence for a person who asked for themselves.
    fileprivate func refusalOfOwn(in title: String) -> String {
        switch self {
        case .ownMeeting: "You organize \(title), so you have a seat anyway."
        case .alreadyIn: "You have already joined \(title)."
        case .alreadyWaiting(let position):
            "You are already on the waiting list for \(title), at place \(position)."
        case .alreadyRequested:
            "You have already asked to join \(title). The organizer has not decided yet."
        case .notAdmitted: "The organizer refused your request to join \(title)."
        case .notIn: "You have not joined \(title)."
        default: refusalOfOther(in: title)
        }
    }

    /// The sentence for somebody who decides about the seats of others, and for what concerns all.
    fileprivate func refusalOfOther(in title: String) -> String {
        switch self {
        case .ownMeeting: "The organizer of \(title) has a seat anyway."
        case .alreadyIn: "This person has already joined \(title)."
        case .alreadyWaiting(let position):
            "This person is already on the waiting list for \(title), at place \(position)."
        case .alreadyRequested, .notAdmitted:
            "The request of this person to join \(title) is refused or not decided yet."
        case .notIn: "This person has not joined \(title), nor asked to."
        case .full: "All seats of \(title) are taken, and there is no waiting list."
        case .partyTooLarge(let largest):
            "\(title) has seats for \(largest) at most, with the guests that a person brings."
        case .over: "\(title) is over."
        case .cancelled: "\(title) is cancelled."
        case .promotionPassed: "That seat in \(title) was given back already, or taken again."
        case .seatsBelowGoing(let over):
            "There would be \(over) fewer seats than people who are going to \(title). Nobody "
                + "would lose a seat. Please confirm it."
        case .tooFewSeats: "A meeting needs at least one seat, for its organizer."
        default: "This cannot be done in \(title)."
        }
    }
}
