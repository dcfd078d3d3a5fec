public import Timekeeping

/// What a person said to a meeting.
public enum Answer: String, CaseIterable, Codable, Sendable {
    /// Asked, and silent so far.
    case invited
    /// Will come.
    case going
    /// May come.
    case maybe
    /// Will not come.
    case declined
    /// Would come if there were room.
    case waiting

    /// Whether reminders go to who answered so.
    public var isReminded: Bool {
        switch self {
        case .invited, .going, .maybe: true
        case .declined, .waiting: false
        }
    }
}

/// By what answers of calendar programs are told apart (RFC 5546, 2.1.5).
public struct ReplyStamp: Comparable, Sendable {
    /// To which state of the meeting it answers.
    public let sequence: Int
    /// When it was given, by the clock of who gave it.
    public let at: Moment

    /// Stamps an answer.
    public init(sequence: Int, at: Moment) {
        self.sequence = sequence
        self.at = at
    }

    /// What answers to a later state counts more; to the same, what was given later.
    public static func < (left: ReplyStamp, right: ReplyStamp) -> Bool {
        (left.sequence, left.at) < (right.sequence, right.at)
    }
}

/// A person in a meeting.
public struct Participant: Equatable, Sendable {
    /// The most guests that one person may bring.
    public static let plusMax = 50

    /// Who.
    public let person: PersonID
    /// What they said.
    public var answer: Answer
    /// How many they bring beside themselves.
    public var plus: Int
    /// What they wrote with the answer.
    public var note: String
    /// Who gave the answer, when it was not the person: the organizer, told by phone.
    public var answeredBy: PersonID?
    /// Whether they were uninvited: they stay, so that they can be told.
    public var isRemoved: Bool
    /// Whether the answer came by a mail that nobody vouches for.
    public var isUnsigned = false
    /// Of the last answer by mail that counted, when it was given, and to what.
    public var reply: ReplyStamp?
    /// Another time that they would rather come at, as long as nobody has decided on it.
    public var proposal: Proposal?
    /// On one date of a series, the meeting's revision when they were taken off it or asked to it;
    /// `nil` where that never was.
    public var revision: Int?
    /// When what they said, or that they are asked, was noted last; `nil` where it is not yet.
    public var notedAt: Moment?

    /// Describes a participant.
    public init(
        person: PersonID, answer: Answer = .invited, plus: Int = 0, note: String = "",
        answeredBy: PersonID? = nil, isRemoved: Bool = false
    ) {
        self.person = person
        self.answer = answer
        self.plus = plus
        self.note = note
        self.answeredBy = answeredBy
        self.isRemoved = isRemoved
    }
}
