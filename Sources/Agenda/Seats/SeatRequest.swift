/// A wish that changes who has a seat in a meeting.
///
/// The use case checks that the actor may ask: people join and leave for themselves, and the
/// organizer decides on requests and on the number of seats.
public enum SeatRequest: Hashable, Sendable {
    /// A person wants to join, with guests. A negative number of guests counts as 0. Invited people
    /// can join a meeting that is not open, and need no approval.
    case join(PersonID, plus: Int = 0, isInvited: Bool = false)
    /// A person leaves, whether they have a seat, wait for one or asked for one. It is also the
    /// request of somebody who was going and answers maybe or no.
    case leave(PersonID)
    /// A person gives back the seat to which they were promoted. `asked` is the serial number of
    /// the promotion, so that an old link cannot take away a later seat.
    case declinePromotion(PersonID, asked: Int)
    /// A person brings another number of guests. A negative number counts as 0.
    case setPlus(PersonID, Int)
    /// A person is uninvited, erased or blocked. Unlike all others, this request also works when
    /// the meeting is over or cancelled.
    case remove(PersonID)
    /// The organizer approves a person's request to join, or one that they refused before.
    case admit(PersonID)
    /// The organizer refuses a person's request to join.
    case refuse(PersonID)
    /// The organizer sets the number of seats; `nil` for no limit. Fewer seats than are taken have
    /// to be confirmed.
    case setSeats(Int?, isConfirmed: Bool = false)
    /// The organizer turns the waiting list on or off.
    case setWaitingList(Bool)
    /// The organizer asks for approval of requests to join, or no longer does. Then all open
    /// requests count as joins, in the order in which they came.
    case setApproval(Bool)
    /// Nobody asks for anything. People who wait and fit are promoted: for example after a meeting
    /// that was over or cancelled has a new time.
    case settle

    /// True for ``remove(_:)``.
    var isRemoval: Bool {
        if case .remove = self { true } else { false }
    }
}
