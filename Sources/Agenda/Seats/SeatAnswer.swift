/// The result of a request for the one who made it.
public enum SeatAnswer: Hashable, Sendable {
    /// The person has a seat now.
    case joined
    /// The person is on the waiting list now, at this place from 1.
    case waiting(position: Int)
    /// The organizer was asked to approve.
    case requested
    /// The person left, from this standing.
    case left(SeatStanding)
    /// The person's party takes, or waits for, this number of seats now.
    case partySet(seats: Int)
    /// The person was removed.
    case removed
    /// The organizer approved: the person has a seat, or this place on the waiting list.
    case admitted(position: Int?)
    /// The organizer refused the request.
    case refused
    /// The number of seats is set. This number of people are going beyond it, and keep their seats.
    case seatsSet(over: Int)
    /// The waiting list is on or off. This number of parties wait, and keep their places.
    case waitingListSet(waiting: Int)
    /// Approval is on or off. This number of requests are still open.
    case approvalSet(requests: Int)
    /// All who wait and fit were promoted.
    case settled

    /// The person organizes the meeting, and has a seat anyway.
    case ownMeeting
    /// The person already has a seat.
    case alreadyIn
    /// The person is already on the waiting list, at this place from 1.
    case alreadyWaiting(position: Int)
    /// The person already asked, and the organizer has not decided.
    case alreadyRequested
    /// The organizer refused the person.
    case notAdmitted
    /// The person has no seat and waits for none, or there is no request of theirs to decide on.
    case notIn
    /// All seats are taken, and nobody can wait.
    case full
    /// The party is larger than the number of seats it can get. With a waiting list this is the
    /// most it could ever get, otherwise the number of free seats and of those it has.
    case partyTooLarge(largest: Int)
    /// The meeting is not open for people who are not invited. Those should not learn about it.
    case notOpen
    /// The meeting is over.
    case over
    /// The meeting is cancelled.
    case cancelled
    /// The promotion no longer holds: the person has left or joined again since.
    case promotionPassed
    /// The new number of seats is lower than the number of people who are going, by this number.
    /// The organizer has to confirm it. Nobody will lose a seat.
    case seatsBelowGoing(over: Int)
    /// A meeting needs at least one seat, for its organizer.
    case tooFewSeats

    /// The code of a refusal for programs; `nil` if the request was carried out. Refused requests
    /// change nothing.
    public var refusalCode: String? {
        switch self {
        case .joined, .waiting, .requested, .left, .partySet, .removed, .admitted, .refused,
            .seatsSet, .waitingListSet, .approvalSet, .settled:
            nil
        case .ownMeeting: "own_meeting"
        case .alreadyIn: "already_joined"
        case .alreadyWaiting: "waiting"
        case .alreadyRequested, .notAdmitted: "not_admitted"
        case .notIn: "not_joined"
        case .full: "meeting_full"
        case .partyTooLarge: "party_too_large"
        case .notOpen: "unknown_meeting"
        case .over: "meeting_over"
        case .cancelled: "meeting_cancelled"
        case .promotionPassed: "promotion_passed"
        case .seatsBelowGoing: "seats_below_going"
        case .tooFewSeats: "too_few_seats"
        }
    }
}
