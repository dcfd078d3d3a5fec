/// What is wrong with a recurrence rule.
public struct RecurrenceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the part that is wrong, such as `BYDAY`; empty where it is not one alone.
    public let part: String
    /// Why, in words that follow the name of the part.
    public let reason: String

    init(_ part: String, _ reason: String) {
        self.part = part
        self.reason = reason
    }

    /// What is wrong, and what to do, in a sentence.
    public var description: String { part.isEmpty ? reason : "\(part): \(reason)" }
}
