/// What is wrong with a cron line's five fields.
public struct CronFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Kind: Sendable {
        /// The text is no cron line.
        case malformed
        /// It is one, and no day ever fits it.
        case neverFires
    }

    /// What kind of fault it is.
    public let kind: Kind
    /// The field that is wrong; `nil` where it is not one alone.
    public let field: CronField?
    /// Why, in words that follow the name of the field.
    public let reason: String

    init(_ reason: String, in field: CronField? = nil, kind: Kind = .malformed) {
        self.kind = kind
        self.field = field
        self.reason = reason
    }

    /// What is wrong, and what to do, in a sentence.
    public var description: String {
        (field.map { "\($0.rawValue): " } ?? "") + reason
    }
}

/// One of the five fields of a cron line, in their order.
public enum CronField: String, CaseIterable, Sendable {
    /// From 0 to 59.
    case minute
    /// From 0 to 23.
    case hour
    /// From 1 to 31, and L for the last.
    case dayOfMonth = "day of month"
    /// From 1 to 12, or the beginning of its name.
    case month
    /// From 0 to 7, where 0 and 7 are Sunday, or the beginning of its name.
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

    /// The names that stand for numbers, from the first number on.
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
