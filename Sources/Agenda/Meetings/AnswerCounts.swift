/// The number of people who gave each answer, and the number of guests they bring.
public struct Turnout: Equatable, Sendable {
    /// The number of people per answer. The organizer counts as going.
    public let answers: AnswerCounts
    /// The number of additional guests that the people who are going bring.
    public let plus: Int
    /// The number of people whose answers were given for an old time; ``answers`` does not count
    /// them.
    public let outdated: Int

    /// Creates a turnout.
    public init(answers: AnswerCounts, plus: Int = 0, outdated: Int = 0) {
        self.answers = answers
        self.plus = plus
        self.outdated = outdated
    }

    /// Counts the answers of these people; at most ``MeetingRules/participantsMax``.
    public init(of people: some Sequence<Participant>) {
        let current = people.filter { !$0.isOutdated }
        self.init(
            answers: AnswerCounts(of: current.map(\.answer)),
            plus: current.filter { $0.answer == .going }.map(\.plus).reduce(0, +),
            outdated: people.count(where: \.isOutdated))
    }

    /// The number of people, whatever their answers, without additional guests.
    public var peopleCount: Int {
        Answer.allCases.reduce(outdated) { $0 + answers[$1] }
    }
}

/// The number of people per answer, packed into one number that a store can add up. Each answer has
/// its own bits, enough for the largest meeting.
public struct AnswerCounts: Equatable, Sendable {
    static let bitsEach = 12

    /// The sum of the ``share(of:)`` of all people.
    public let packed: Int64

    /// Creates counts from a sum.
    public init(packed: Int64) {
        self.packed = packed
    }

    /// Counts these answers; at most ``MeetingRules/participantsMax``.
    public init(of answers: some Sequence<Answer>) {
        packed = answers.reduce(0) { $0 + Self.share(of: $1) }
    }

    /// The number that one person with an answer adds to the sum.
    public static func share(of answer: Answer) -> Int64 {
        1 << (bitsEach * place(of: answer))
    }

    /// The number of people who gave an answer.
    public subscript(answer: Answer) -> Int {
        Int(packed >> (Self.bitsEach * Self.place(of: answer))) & (1 << Self.bitsEach - 1)
    }

    private static func place(of answer: Answer) -> Int {
        switch answer {
        case .invited: 0
        case .going: 1
        case .maybe: 2
        case .declined: 3
        case .waiting: 4
        }
    }
}
