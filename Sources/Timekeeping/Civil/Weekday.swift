/// A day of the week, numbered as in ISO 8601.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    /// The first day of the week, number 1.
    case monday = 1
    /// Number 2.
    case tuesday
    /// Number 3.
    case wednesday
    /// Number 4.
    case thursday
    /// Number 5.
    case friday
    /// Number 6.
    case saturday
    /// The last day of the week, number 7.
    case sunday

    /// The English name, for example "Monday".
    public var name: String {
        switch self {
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        case .sunday: "Sunday"
        }
    }

    /// The weekday of the day `dayNumber` days after 1970-01-01, which was a Thursday.
    static func of(dayNumber: Int) -> Weekday {
        let mondayBased = (dayNumber + 3).dividedFloored(by: 7).remainder
        return allCases[mondayBased]
    }
}

/// The English names of the months, for parsing and for sentences.
enum Month {
    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// The name of a month in 1...12; "month" and the number for any other.
    static func name(_ month: Int) -> String {
        names.indices.contains(month - 1) ? names[month - 1] : "month \(month)"
    }
}
