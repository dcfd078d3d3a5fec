public import Timekeeping

/// A request to join a meeting on which its organizer has not decided, or which they refused.
public struct JoinRequest: Equatable, Sendable {
    /// The person.
    public let person: PersonID
    /// The number of guests whom they want to bring, from 0 to ``Participant/plusMax``.
    public var plus: Int
    /// Their note to the organizer; empty if there is none.
    public var note: String
    /// The serial number (``SeatMember/asked``).
    public let asked: Int
    /// True if the organizer refused it.
    public var isRefused: Bool
    /// The time of the request.
    public let at: Moment

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - plus: the number of guests whom they want to bring.
    ///   - note: their note to the organizer.
    ///   - asked: the serial number.
    ///   - isRefused: true if the organizer refused it.
    ///   - at: the time of the request.
    public init(
        person: PersonID, plus: Int = 0, note: String = "", asked: Int, isRefused: Bool = false,
        at: Moment
    ) {
        self.person = person
        self.plus = plus
        self.note = note
        self.asked = asked
        self.isRefused = isRefused
        self.at = at
    }
}
