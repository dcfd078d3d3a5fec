/// How many people said what to a meeting, and how many come beside them.
public struct Turnout: Equatable, Sendable {
    /// How many gave each answer; the organizer counts as going.
    public let answers: AnswerCounts
    /// How many guests those who come bring beside themselves.
    public let plus: Int

    /// Collects the counts.
    public init(answers: AnswerCounts, plus: Int = 0) {
        self.answers = answers
        self.plus = plus
    }
}

/// How many people of a meeting gave each answer, in one number that a store can add up: every kind
/// of answer has bits of its own, more than a meeting has people.
public struct AnswerCounts: Equatable, Sendable {
    static let bitsEach = 12

    /// The sum of everybody's ``share(of:)``.
    public let packed: Int64

    /// Counts that were added up before.
    public init(packed: Int64) {
        self.packed = packed
    }

    /// The counts of these answers; at most ``MeetingRules/participantsMax`` of them.
    public init(of answers: some Sequence<Answer>) {
        packed = answers.reduce(0) { $0 + Self.share(of: $1) }
    }

    /// What one person with an answer adds to the number.
    public static func share(of answer: Answer) -> Int64 {
        1 << (bitsEach * place(of: answer))
    }

    /// How many gave an answer.
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
