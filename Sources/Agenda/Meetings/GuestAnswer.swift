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

    /// The same for those who are to see no address.
    public var withoutAddress: GuestAnswer {
        GuestAnswer(name: name.withoutAddress, answer: answer, plus: plus)
    }
}

extension String {
    /// A name as many may read it: one that is an address is none.
    public var withoutAddress: String { contains("@") ? "Somebody" : self }
}
