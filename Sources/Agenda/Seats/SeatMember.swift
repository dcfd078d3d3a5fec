/// The standing of a person who asked for a seat.
public enum SeatStanding: String, CaseIterable, Codable, Sendable {
    /// Has a seat.
    case going
    /// Is on the waiting list.
    case waiting
    /// Asked to join; the organizer has not decided yet.
    case requested
    /// Asked to join, and the organizer refused. Kept so that the person cannot ask again.
    case refused
}

/// A person who asked for a seat in a meeting.
public struct SeatMember: Hashable, Sendable {
    /// The person.
    public let person: PersonID
    /// The number of guests they bring, from 0 to ``Participant/plusMax``.
    public internal(set) var plus: Int
    /// The standing.
    public internal(set) var standing: SeatStanding
    /// The serial number of their request. Lower numbers come first. No other request for a seat
    /// in this meeting has the same number, so it can tell two promotions of one person apart.
    public let asked: Int

    /// The seats they take or ask for: one for themselves and one for each guest.
    public var seats: Int { 1 + plus }

    /// Creates a member.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - plus: the number of guests they bring. A number out of range counts as the nearest
    ///     possible one.
    ///   - standing: the standing.
    ///   - asked: the serial number of their request.
    public init(person: PersonID, plus: Int = 0, standing: SeatStanding, asked: Int) {
        self.person = person
        self.plus = min(max(plus, 0), Participant.plusMax)
        self.standing = standing
        self.asked = asked
    }

    /// Sorts by the serial number, then by the id.
    static func isBefore(_ left: SeatMember, _ right: SeatMember) -> Bool {
        (left.asked, left.person) < (right.asked, right.person)
    }
}
