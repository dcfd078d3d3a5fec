public import Timekeeping

/// A sentence with values, for interfaces that say it in the language of their reader.
public struct Phrase: Hashable, Sendable {
    /// A value in a sentence.
    public enum Value: Hashable, Sendable {
        /// A text that is the same in every language, such as a name.
        case text(String)
        /// Names, and the number of further ones.
        case names([String], rest: Int = 0)
        /// Dates; `isCut` if there are more.
        case dates([CivilDate], isCut: Bool = false)
        /// A period, without its date if it ends on the day on which it starts.
        case period(Range<Moment>, Zone)
        /// A moment with its zone.
        case moment(Moment, Zone)
        /// A meeting's time with its date and zone.
        case time(Range<Moment>, Zone)
        /// A duration.
        case span(TimeSpan)
        /// An answer.
        case answer(Answer)
        /// Other phrases; `isCut` if there are more.
        case phrases([Phrase], isCut: Bool = false)
    }

    /// The English sentence, with `%name%` where the values belong.
    public let pattern: String
    /// The values by name.
    public let values: [String: Value]

    /// Makes a phrase.
    public init(_ pattern: String, _ values: [String: Value] = [:]) {
        self.pattern = pattern
        self.values = values
    }
}
