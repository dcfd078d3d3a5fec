public import Timekeeping

/// The weight of an answer when two people in a meeting turn out to be the same person.
///
/// The more certain answer wins: going or declined, then waiting, then maybe, then no answer. Of
/// two equally certain answers the later one wins; if they were given at the same time, that of the
/// remaining person. The guests, the note and the author of the answer come along with it.
public struct AnswerWeight: Comparable, Sendable {
    private let certainty: Int
    private let answeredAt: Moment

    /// The weight of an answer that was given at a moment.
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

    /// Sorts the answer with less weight first.
    public static func < (left: AnswerWeight, right: AnswerWeight) -> Bool {
        (left.certainty, left.answeredAt) < (right.certainty, right.answeredAt)
    }
}
