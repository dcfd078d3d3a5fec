public import Timekeeping

/// A person's answer to a meeting.
public enum Answer: String, CaseIterable, Codable, Sendable {
    /// Invited, without an answer so far.
    case invited
    /// Will come.
    case going
    /// May come.
    case maybe
    /// Will not come.
    case declined
    /// Is on the waiting list.
    case waiting

    /// True if the person has decided: they will come, may come or will not come.
    public var isGiven: Bool {
        switch self {
        case .going, .maybe, .declined: true
        case .invited, .waiting: false
        }
    }

    /// True if people with this answer get reminders.
    public var isReminded: Bool {
        switch self {
        case .invited, .going, .maybe: true
        case .declined, .waiting: false
        }
    }
}

/// The properties by which answers by mail are ordered (RFC 5546, 2.1.5).
public struct ReplyStamp: Equatable, Sendable {
    /// The SEQUENCE of the meeting that it answers.
    public let sequence: Int
    /// The time of the answer by the clock of the person who gave it.
    public let at: Moment
    /// Tells mails of the same time apart; `nil` if the person has answered in another way since.
    public let mail: String?

    /// Creates a stamp.
    public init(sequence: Int, at: Moment, mail: String? = nil) {
        self.sequence = sequence
        self.at = at
        self.mail = mail
    }

    /// The stamp to keep after another answer was recorded. The latest time stays, because the same
    /// mail may arrive again; unless the other answer was given to a later state.
    public func followed(by next: ReplyStamp) -> ReplyStamp {
        guard next.sequence > sequence || next.at >= at else { return self }
        return ReplyStamp(
            sequence: max(sequence, next.sequence), at: next.at, mail: next.mail)
    }
}

/// A person in a meeting.
public struct Participant: Equatable, Sendable {
    /// The most guests that one person may bring.
    public static let plusMax = 50

    /// The person.
    public let person: PersonID
    /// The answer.
    public var answer: Answer
    /// The number of guests they bring.
    public var plus: Int
    /// The note they wrote with the answer.
    public var note: String
    /// The person who gave the answer, if it was somebody else, such as the organizer after a phone
    /// call.
    public var answeredBy: PersonID?
    /// True if they were uninvited. They are kept so that they can be notified.
    public var isRemoved: Bool
    /// True if the answer came by a mail whose sender is not verified.
    public var isUnsigned = false
    /// True if the answer was taken over from another meeting, of which this one is the rest.
    public var isCopied = false
    /// True for an answer to all dates that was kept for this one, because the person's next answer
    /// was for later dates only. Their next answer to all dates replaces it.
    public var isKept = false
    /// True if they were invited only with a circle, and not by name.
    public var isByCircle = false
    /// The stamp of the last valid answer by mail.
    public var reply: ReplyStamp?
    /// The start of the meeting for which the answer was given; `nil` if the meeting still starts
    /// then.
    public var answeredFor: Moment?
    /// True if the answer was given for another start and does not hold for the present one.
    public var isOutdated = false
    /// Another time that they propose, until the organizer decides on it.
    public var proposal: Proposal?
    /// For one date of a series, the meeting's revision when they were removed from it or invited
    /// to it; `nil` if neither happened.
    public var revision: Int?
    /// The serial number of their request for a seat (``SeatMember/asked``); `nil` if they never
    /// asked for one.
    public var asked: Int?
    /// The revision of the meeting that they knew when they joined without an invitation; `nil` for
    /// people who were invited.
    public var joinedRevision: Int?
    /// The time at which the answer or the invitation was recorded last; `nil` if it is not
    /// recorded yet.
    public var notedAt: Moment?

    /// Creates a participant.
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

extension Participant {
    /// True if they joined without an invitation.
    public var isJoined: Bool { joinedRevision != nil }

    /// True if they joined without an invitation and left again. They are kept, but not notified:
    /// they did it themselves.
    public var hasLeft: Bool { isJoined && isRemoved && answer == .declined }

    /// True if they are in the meeting, or no longer in it, because they joined or left.
    public var isByOwnChoice: Bool { isJoined && (!isRemoved || hasLeft) }

    /// The answer that holds for the present start of the meeting: none, if it was given for
    /// another start.
    public var presentAnswer: Answer { isOutdated ? .invited : answer }

    /// The answer, if it was given for another start.
    public var outdated: OutdatedAnswer? {
        guard isOutdated, let answeredFor else { return nil }
        return OutdatedAnswer(answer: answer, start: answeredFor)
    }

    /// Compares the start for which the answer was given with the present one.
    ///
    /// - Parameters:
    ///   - move: the change of the meeting's time.
    ///   - isTold: true if people are notified of the change. Otherwise the start is noted, and the
    ///     answer holds until they are.
    ///   - asksAgain: true to ask for a new answer even if the move is small.
    public mutating func follow(_ move: MeetingMove, isTold: Bool, asksAgain: Bool) {
        guard answer.isGiven else { return }
        let given = answeredFor ?? move.before.startsAt
        if isTold {
            let isElsewhere =
                isOutdated ? given != move.after.startsAt : move.isLarge(from: given)
            isOutdated = isElsewhere || (asksAgain && move.isMove)
        }
        answeredFor = given == move.after.startsAt && !isOutdated ? nil : given
    }
}

/// Another time for a meeting, proposed by a participant.
public struct Proposal: Equatable, Sendable {
    /// A name that distinguishes it from the person's other proposals.
    public let name: String
    /// The proposed start.
    public let startsAt: Moment
    /// The proposed end, not before ``startsAt``.
    public let endsAt: Moment
    /// True if it came by a mail whose sender is not verified.
    public var isUnsigned = false

    /// Creates a proposal.
    public init(name: String, startsAt: Moment, endsAt: Moment) {
        self.name = name
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
