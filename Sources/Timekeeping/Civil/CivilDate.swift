/// A day of the Gregorian calendar, without a time zone.
///
/// ```swift
/// let day = try CivilDate(year: 2026, month: 12, day: 1)
/// day.weekday == .tuesday
/// day.adding(days: 31).description == "2027-01-01"
/// ```
///
/// Every value is an existing day from ``earliest`` to ``latest``. Arithmetic stops at the ends of
/// this range.
public struct CivilDate: Hashable, Sendable {
    /// The years that a date can have.
    public static let years = 1...9999
    /// 0001-01-01.
    public static let earliest = CivilDate(uncheckedYear: 1, month: 1, day: 1)
    /// 9999-12-31.
    public static let latest = CivilDate(uncheckedYear: 9999, month: 12, day: 31)

    /// From 1 to 9999.
    public let year: Int
    /// From 1 to 12.
    public let month: Int
    /// From 1 to the length of the month.
    public let day: Int

    /// Creates the day with these numbers.
    ///
    /// - Throws: ``CivilError``, which names the first number that is out of range.
    public init(year: Int, month: Int, day: Int) throws(CivilError) {
        guard CivilDate.years.contains(year) else { throw .yearOutOfRange(year) }
        guard (1...12).contains(month) else { throw .monthOutOfRange(month) }
        guard (1...CivilDate.days(inMonth: month, ofYear: year)).contains(day) else {
            throw .dayOutOfRange(year: year, month: month, day: day)
        }
        self.init(uncheckedYear: year, month: month, day: day)
    }

    /// The day `daysSince1970` days after 1970-01-01; nil if it is outside of ``years``.
    public init?(daysSince1970: Int) {
        guard CivilDate.dayNumbers.contains(daysSince1970) else { return nil }
        self.init(dayNumber: daysSince1970)
    }

    private init(uncheckedYear year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }
}

extension CivilDate {
    /// Days since 1970-01-01; negative for earlier days.
    public var daysSince1970: Int {
        CivilDate.dayNumber(year: year, month: month, day: day)
    }

    /// The day of the week.
    public var weekday: Weekday { .of(dayNumber: daysSince1970) }

    /// The day `days` days later, or earlier if negative.
    public func adding(days: Int) -> CivilDate {
        let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
        guard overflow else { return CivilDate(dayNumber: sum) }
        return days < 0 ? .earliest : .latest
    }

    /// True if the year has 366 days.
    public static func isLeap(year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The length of a month: 28 to 31 days for a month in 1...12, and 0 for any other.
    public static func days(inMonth month: Int, ofYear year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: 0
        }
    }
}

extension CivilDate: Comparable {
    /// Earlier days come first.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CivilDate: CustomStringConvertible {
    /// The date in ISO 8601 form, for example "2026-12-01".
    public var description: String {
        var text = DigitText()
        text.append(self)
        return text.string
    }

    /// The date in words for sentences, for example "1 December 2026".
    var inWords: String { "\(day) \(Month.name(month)) \(year)" }
}

/// Conversion between dates and day numbers, after Howard Hinnant's "chrono-Compatible Low-Level
/// Date Algorithms": years begin in March, so that the leap day comes last, and 400 years make an
/// era of 146,097 days.
extension CivilDate {
    private static let daysOfEra = 146_097
    /// Days from 0000-03-01, the start of era 0, to 1970-01-01.
    private static let daysTo1970 = 719_468

    /// The days since 1970 of all dates from ``earliest`` to ``latest``.
    static let dayNumbers = -719_162...2_932_896

    /// The day `dayNumber` days after 1970-01-01, clamped to ``dayNumbers``.
    init(dayNumber: Int) {
        let fromMarch = dayNumber.clamped(to: CivilDate.dayNumbers) + CivilDate.daysTo1970
        let (era, dayOfEra) = fromMarch.dividedFloored(by: CivilDate.daysOfEra)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            uncheckedYear: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Days since 1970-01-01 of a date in any year. The year may be outside of ``years``, because
    /// time zone rules look one year back and one year ahead.
    static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let (era, yearOfEra) = yearFromMarch.dividedFloored(by: 400)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysOfEra + dayOfEra - daysTo1970
    }
}
