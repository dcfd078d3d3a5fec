public import Timekeeping

/// How much an answer counts when two people in a meeting turn out to be one.
///
/// The more certain answer wins: a firm word (going, declined), then waiting, then maybe, then
/// silence. Of two that are equally certain the later one wins, and at the same time that of the
/// person who stays. What was said with it (guests, note, who gave it) comes along.
public struct AnswerWeight: Comparable, Sendable {
    private let certainty: Int
    private let answeredAt: Moment

    /// Weighs an answer that was given at a moment.
    public init(_ answer: Answer, answeredAt: Moment) {
        certainty =
            switch answer {
            case .going, .declined: 3
            case .waiting: 2
            case .maybe: 1
            case .invited: 0
            }
        self.answeredAt = answeredAt
    }

    /// The answer that counts less comes first.
    public static func < (left: AnswerWeight, right: AnswerWeight) -> Bool {
        (left.certainty, left.answeredAt) < (right.certainty, right.answeredAt)
    }
}
