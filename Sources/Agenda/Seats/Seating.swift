/// The people who can join a meeting without an invitation.
public enum OpenAudience: Hashable, Sendable {
    /// The accounts that follow the organizer.
    case followers
    /// The people in one of the organizer's circles. Nobody, if the circle was deleted: then the
    /// id is `nil`.
    case circle(CircleID?)
    /// Everybody who has the meeting's link.
    case link
    /// All accounts of the installation.
    case everyone

    /// The word in the store and in answers to programs.
    public var word: String {
        switch self {
        case .followers: "followers"
        case .circle: "circle"
        case .link: "link"
        case .everyone: "public"
        }
    }

    /// The circle; `nil` for another audience, and for a circle that was deleted.
    public var circle: CircleID? {
        if case .circle(let id) = self { id } else { nil }
    }
}

/// The readers who see the names of the people who have a seat. All others see their number.
public enum NameSight: String, CaseIterable, Codable, Sendable {
    /// The organizer alone.
    case organizer
    /// The people who are invited or have a seat.
    case members
    /// Everybody who can see the meeting.
    case everyone
}

/// The rules by which people get seats in a meeting, as its organizer chose them.
public struct Seating: Equatable, Sendable {
    /// The most seats that a meeting can have.
    public static let seatsMax = 10_000

    /// The people who can join; `nil` if nobody can join without an invitation.
    public var audience: OpenAudience?
    /// The number of seats, with the organizer's own, from 1 to ``seatsMax``; `nil` for no limit.
    public var seats: Int?
    /// True if people who find no seat can wait for one.
    public var hasWaitingList = true
    /// True if the organizer decides on each request to join.
    public var needsApproval = false
    /// The readers who see names.
    public var namesFor = NameSight.members
    /// The condition on which the meeting takes place; `nil` for none.
    public var quorum: Quorum?
    /// The highest serial number that was ever given to a request for a seat.
    public var lastAsked = 0

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - audience: the people who can join.
    ///   - seats: the number of seats; `nil` for no limit.
    public init(audience: OpenAudience? = nil, seats: Int? = nil) {
        self.audience = audience
        self.seats = seats
    }
}
