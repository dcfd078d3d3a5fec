/// The wishes of an organizer for the seats of a meeting and the people who can join it, as they
/// were typed. Parts that are `nil` keep their value.
public struct SeatingEdit: Equatable, Sendable {
    /// The people who can join without an invitation: `followers`, `circle:NAME`, `link` or
    /// `public`; `none` so that nobody can.
    public var audience: String?
    /// The number of seats, with the organizer's own; `none` for no limit.
    public var seats: String?
    /// True to let people wait for a seat.
    public var hasWaitingList: Bool?
    /// True to decide on each request to join.
    public var needsApproval: Bool?
    /// The readers who see names: `organizer`, `members` or `everyone`.
    public var namesFor: String?
    /// The number of people who have to join, without the organizer; `none` for no condition.
    public var minimum: String?
    /// The moment at which it is decided if the meeting takes place.
    public var minimumBy: String?
    /// True to confirm the meeting as soon as enough people have joined.
    public var confirmsEarly: Bool?
    /// True if the organizer confirmed fewer seats than people who are going.
    public var isConfirmed = false

    /// Creates an edit that changes nothing.
    public init() {}

    /// True if it changes nothing.
    public var isEmpty: Bool { self == SeatingEdit() }
}
