/// The reason why a date or a time of day does not exist, in sentences that may be shown to people.
public enum CivilError: Error, Equatable, Sendable {
    /// The year is not in ``CivilDate/years``.
    case yearOutOfRange(Int)
    /// The month is not in 1...12.
    case monthOutOfRange(Int)
    /// The month has no such day.
    case dayOutOfRange(year: Int, month: Int, day: Int)
    /// The hour is not in 0...23.
    case hourOutOfRange(Int)
    /// The minute is not in 0...59.
    case minuteOutOfRange(Int)
    /// The second is not in 0...59. Leap seconds are not supported.
    case secondOutOfRange(Int)
}

extension CivilError: CustomStringConvertible {
    /// A sentence for people: the number that is out of range, and the valid values.
    public var description: String {
        switch self {
        case .yearOutOfRange(let year):
            "The year \(year) is out of range: write 1 to 9999."
        case .monthOutOfRange(let month):
            "There is no month \(month): write 1 to 12."
        case .dayOutOfRange(let year, let month, let day):
            "There is no \(day) \(Month.name(month)) \(year): that month has "
                + "\(CivilDate.days(inMonth: month, ofYear: year)) days."
        case .hourOutOfRange(24):
            "There is no hour 24: write 00:00 of the next day."
        case .hourOutOfRange(let hour):
            "There is no hour \(hour): write 0 to 23."
        case .minuteOutOfRange(let minute):
            "There is no minute \(minute): write 0 to 59."
        case .secondOutOfRange(60):
            "Leap seconds are not supported: write 59 instead of 60."
        case .secondOutOfRange(let second):
            "There is no second \(second): write 0 to 59."
        }
    }
}
