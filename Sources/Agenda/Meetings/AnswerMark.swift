public import Ledger

/// Which answer, or proposal, a notification tells of: whose, and what they said. Its text is the
/// mark in the notification's key.
public struct AnswerMark: Equatable, Sendable {
    /// Who answered.
    public let guest: PersonID
    /// What they said.
    public let answer: Answer
    /// How many they bring.
    public let plus: Int
    /// Tells it from the same answer given again later.
    public let number: String

    /// Marks an answer with a number of its own.
    public init(guest: PersonID, answer: Answer, plus: Int, number: String) {
        self.guest = guest
        self.answer = answer
        self.plus = plus
        self.number = number
    }

    /// Reads a mark; `nil` where it is none of an answer.
    public init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let answer = Answer(rawValue: parts[1]), let plus = Int(parts[2])
        else { return nil }
        self.init(
            guest: PersonID(text: parts[0]), answer: answer, plus: plus, number: parts[3])
    }

    /// The mark as it is kept.
    public var text: String { "\(guest) \(answer.rawValue) \(plus) \(number)" }
}
