/// What somebody answered.
public struct GuestAnswer: Equatable, Sendable {
    /// Who.
    public let name: String
    /// What.
    public let answer: Answer
    /// How many they bring.
    public let plus: Int

    /// Describes an answer.
    public init(name: String, answer: Answer, plus: Int) {
        self.name = name
        self.answer = answer
        self.plus = plus
    }
}
