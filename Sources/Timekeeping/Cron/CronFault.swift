/// An error in the five fields of a cron line.
public struct CronFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error.
    public enum Kind: Sendable {
        /// The text is not a cron line.
        case malformed
        /// The text is a cron line, but no day ever matches it.
        case neverFires
    }

    /// The kind of error.
    public let kind: Kind
    /// The wrong field; `nil` if the error does not belong to a single field.
    public let field: CronField?
    /// The reason, in words that follow the name of the field.
    public let reason: String

    init(_ reason: String, in field: CronField? = nil, kind: Kind = .malformed) {
        self.kind = kind
        self.field = field
        self.reason = reason
    }

    /// A sentence that says what is wrong and what to do.
    public var description: String {
        (field.map { "\($0.rawValue): " } ?? "") + reason
    }
}

/// The five fields of a cron line, in their order.
public enum CronField: String, CaseIterable, Sendable {
    /// From 0 to 59.
    case minute
    /// From 0 to 23.
    case hour
    /// From 1 to 31; L is the last day.
    case dayOfMonth = "day of month"
    /// From 1 to 12, or the first three letters of the name.
    case month
    /// From 0 to 7, where 0 and 7 are Sunday, or the first three letters of the name.
    case dayOfWeek = "day of week"

    var range: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// The names that can replace numbers, beginning with the first number of the range.
    var names: [String] {
        switch self {
        case .minute, .hour, .dayOfMonth: []
        case .month:
            [
                "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                "dec",
            ]
        case .dayOfWeek: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        }
    }
}
