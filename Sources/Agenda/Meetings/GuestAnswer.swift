public import Timekeeping

/// An answer to show.
public struct GuestAnswer: Equatable, Sendable {
    /// The name of the guest.
    public let name: String
    /// The answer.
    public let answer: Answer
    /// The number of people they bring.
    public let plus: Int
    /// The start for which it was given, if the meeting was moved since; otherwise `nil`.
    public var answeredFor: Moment?

    /// Creates an answer.
    public init(name: String, answer: Answer, plus: Int) {
        self.name = name
        self.answer = answer
        self.plus = plus
    }

    /// The same answer for readers who may not see addresses.
    public var withoutAddress: GuestAnswer {
        var other = GuestAnswer(name: name.withoutAddress, answer: answer, plus: plus)
        other.answeredFor = answeredFor
        return other
    }
}

/// A person's last answer, given for an old time of a meeting.
public struct OutdatedAnswer: Hashable, Sendable {
    /// The answer.
    public let answer: Answer
    /// The start for which it was given.
    public let start: Moment

    /// Creates an answer.
    public init(answer: Answer, start: Moment) {
        self.answer = answer
        self.start = start
    }
}

extension String {
    /// The name for readers who may not see addresses: an address is replaced.
    public var withoutAddress: String { contains("@") ? "Somebody" : self }

    /// The name for readers who may see only this address of the person: another address is
    /// replaced. People who registered themselves are called by an address.
    public func showing(only address: String) -> String {
        guard contains("@"), self != address else { return self }
        return address.isEmpty ? withoutAddress : address
    }
}
