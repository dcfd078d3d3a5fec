public import Ledger
public import Timekeeping

/// The guest and the answer that a notification about an answer or a proposal reports.
public struct AnswerMark: Equatable, Sendable {
    /// The guest who answered.
    public let guest: PersonID
    /// The answer.
    public let answer: Answer
    /// The number of people they bring.
    public let plus: Int
    /// A number that distinguishes it from the same answer given again later.
    public let number: String

    /// Creates a mark.
    public init(guest: PersonID, answer: Answer, plus: Int, number: String) {
        self.guest = guest
        self.answer = answer
        self.plus = plus
        self.number = number
    }
}

/// The proposal and the start that a notification about a refused proposal reports.
public struct RefusalMark: Equatable, Sendable {
    /// The name of the proposal.
    public let proposal: String
    /// The start that is kept.
    public let startsAt: Moment

    /// Creates the mark of a refused proposal.
    public init(_ proposal: Proposal, keeping startsAt: Moment) {
        self.proposal = proposal.name
        self.startsAt = startsAt
    }

    fileprivate init(proposal: String, startsAt: Moment) {
        self.proposal = proposal
        self.startsAt = startsAt
    }
}

extension NotificationMark {
    /// The mark of a notification about an answer or a proposal.
    public init(_ mark: AnswerMark) {
        self.init(text: "\(mark.guest) \(mark.answer.rawValue) \(mark.plus) \(mark.number)")
    }

    /// The answer or proposal that a notification reports; `nil` for other marks.
    public var answer: AnswerMark? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let answer = Answer(rawValue: parts[1]), let plus = Int(parts[2])
        else { return nil }
        return AnswerMark(
            guest: PersonID(text: parts[0]), answer: answer, plus: plus, number: parts[3])
    }

    /// The mark of a notification that a proposal was refused.
    public init(_ mark: RefusalMark) {
        self.init(text: "\(mark.proposal) \(mark.startsAt.utcText)")
    }

    /// The refused proposal that a notification reports; `nil` for other marks.
    public var refusal: RefusalMark? {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 2, let startsAt = try? Moment.parse(parts[1]) else { return nil }
        return RefusalMark(proposal: parts[0], startsAt: startsAt)
    }
}
