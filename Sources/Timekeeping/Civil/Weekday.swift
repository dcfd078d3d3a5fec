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

    /// The English name, as "Monday".
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

    /// The day of the week of a day counted from 1970-01-01, which was a Thursday.
    static func of(dayNumber: Int) -> Weekday {
        let mondayBased = (dayNumber + 3).dividedFloored(by: 7).remainder
        return allCases[mondayBased]
    }
}
