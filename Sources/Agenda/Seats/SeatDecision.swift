/// A message that follows from a request for a seat.
///
/// The kind, the person and the serial number identify it: the same message never follows from two
/// requests. So they can be the mark of a notification. The organizer is not notified of what they
/// did themselves, people are not notified of the seats for which they just asked, and nobody is
/// notified of a change of their place on the waiting list.
public struct SeatNotice: Hashable, Sendable {
    /// The content of a message.
    public enum Kind: String, CaseIterable, Sendable {
        /// To a person who waited: they have a seat now, and can give it back.
        case promoted
        /// To a person who asked to join: the organizer approved, and they have a seat.
        case admitted
        /// To a person who asked to join: the organizer approved, and they are on the waiting list.
        case queued
        /// To a person who asked to join: the organizer refused.
        case refused
        /// To the organizer: a person has a seat now, at once or after they waited.
        case joined
        /// To the organizer: a person gave back their seat.
        case left
        /// To the organizer: a person asks to join.
        case requested

        /// True if the organizer gets the message; otherwise the person gets it.
        public var isForOrganizer: Bool {
            switch self {
            case .promoted, .admitted, .queued, .refused: false
            case .joined, .left, .requested: true
            }
        }
    }

    /// The content.
    public let kind: Kind
    /// The person whose seat the message is about.
    public let person: PersonID
    /// The serial number of the person's request (``SeatMember/asked``).
    public let asked: Int

    /// Creates a message.
    public init(_ kind: Kind, person: PersonID, asked: Int) {
        self.kind = kind
        self.person = person
        self.asked = asked
    }

    /// The person who gets the message.
    public func receiver(organizer: PersonID) -> PersonID {
        kind.isForOrganizer ? organizer : person
    }
}

/// The result of a request for a seat.
public struct SeatDecision: Equatable, Sendable {
    /// The seats afterwards.
    public let plan: SeatPlan
    /// The answer for the one who made the request.
    public let answer: SeatAnswer
    /// The messages that follow, in the order in which things happened.
    public let notices: [SeatNotice]

    /// The people who waited and are told that they have a seat now, in the order in which they
    /// asked.
    public var promoted: [PersonID] {
        notices.filter { $0.kind == .promoted }.map(\.person)
    }
}
