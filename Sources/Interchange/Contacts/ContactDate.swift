/// The dates of address books: `1990-04-12`, or `--04-12` if the year is unknown.
enum ContactDate {
    /// The year that Apple writes for an unknown year.
    static let unknownYear = 1604
    /// The year that Outlook writes if there is no date.
    private static let outlooksYear = 4501

    /// The years that a date of a person can have. Programs write other ones, such as 0 and 9999,
    /// if they do not know the year.
    private static let years = 1...2999

    /// A date of a file.
    struct Stated: Equatable {
        /// The date in the form described at ``ContactDate``.
        let date: String
        /// The part of the text that is impossible and not used; `nil` if there is none.
        let fault: Fault?

        /// The date; `nil` if its year is impossible.
        var inItsYear: String? { fault == .year ? nil : date }
    }

    /// A part of a date that is impossible.
    enum Fault {
        case time, year
        /// A year of two digits that may be of either century.
        case century

        /// The remark on the part of a text.
        func words(on text: String) -> RemarkText {
            let text = KeptText.quoted(text)
            return switch self {
            case .time: "\(text) has an impossible time, so only its date is used"
            case .century:
                "\(text) has a year of two digits, so only its day and month are used"
            case .year: "\(text) has an impossible year, so only its day and month are used"
            }
        }
    }

    /// The date that `text` states; `nil` if it is not a complete date.
    ///
    /// The accepted forms are `19900412`, `1990-04-12`, `1990/4/12`, `--0412` and `--04-12`, each
    /// with or without a time after it (RFC 2426, 3.1.5; RFC 6350, 4.3). The year 1604 and
    /// `omittedYear`, the value of X-APPLE-OMIT-YEAR, mean that the year is unknown.
    static func stated(_ text: String, omittedYear: String? = nil) -> Stated? {
        let text = text.utf8[...]
        let end = text.firstIndex { $0 == UInt8(ascii: "T") || $0 == .space } ?? text.endIndex
        guard let fields = fields(text[..<end]) else { return nil }
        let isYearKnown =
            fields.year != unknownYear && fields.year != omittedYear.flatMap { Int($0) }
        let date = stated(
            year: isYearKnown ? fields.year : nil, month: fields.month, day: fields.day)
        guard let date, date.fault == nil, !isTime(text[end...]) else { return date }
        return Stated(date: date.date, fault: .time)
    }

    /// A date from its numbers, without an impossible year; `nil` if that date does not exist.
    static func stated(year: Int?, month: Int, day: Int) -> Stated? {
        let known = year.flatMap { years.contains($0) ? $0 : nil }
        guard isDay(day, month: month, year: known) else { return nil }
        return Stated(
            date: written(year: known, month: month, day: day),
            fault: known == year ? nil : .year)
    }

    /// `text` in the form described at ``ContactDate``, as in ``stated(_:omittedYear:)``; `nil` if
    /// it is not a complete date in a possible year.
    static func normalised(_ text: String) -> String? { stated(text)?.inItsYear }

    /// True for the dates that some programs write if there is no date: those with only zeros
    /// (`0/0/00`, `0.0.00`, `0000-00-00`), and the first day of 4501 of Outlook.
    static func isUnset(_ text: String) -> Bool {
        let parts = text.prefix { !$0.isWhitespace && $0 != "T" }.split { "/.-".contains($0) }
        let numbers = parts.compactMap { Int($0) }
        if numbers.count == 3, numbers.sorted() == [1, 1, outlooksYear] { return true }
        return text.utf8.contains(UInt8(ascii: "0"))
            && text.utf8.allSatisfy { "0./-: TZ".utf8.contains($0) }
    }

    /// A normalised date in the form of vCard 4.0: `19900412`, `--0412`.
    static func basic(_ date: String) -> String {
        let isYearless = date.hasPrefix("--")
        return (isYearless ? "--" : "") + date.filter { $0 != "-" }
    }

    private static func written(year: Int?, month: Int, day: Int) -> String {
        let start = year.map { padded($0, 4) } ?? "-"
        return "\(start)-\(padded(month, 2))-\(padded(day, 2))"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func fields(
        _ date: Substring.UTF8View
    ) -> (year: Int?, month: Int, day: Int)? {
        let isYearless = date.starts(with: "--".utf8)
        let rest = isYearless ? date.dropFirst(2) : date
        if rest.allSatisfy(\.isASCIIDigit) {
            let yearDigits = isYearless ? 0 : 4
            guard rest.count == yearDigits + 4 else { return nil }
            guard let month = number(rest.dropFirst(yearDigits).prefix(2)),
                let day = number(rest.suffix(2))
            else { return nil }
            return (isYearless ? nil : number(rest.prefix(4)), month, day)
        }
        let parts = rest.split(
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") })
        guard parts.count == (isYearless ? 2 : 3), let day = number(parts[parts.count - 1]),
            let month = number(parts[parts.count - 2])
        else { return nil }
        if isYearless { return (nil, month, day) }
        guard parts[0].count == 4, let year = number(parts[0]) else { return nil }
        return (year, month, day)
    }

    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard (1...4).contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// True if a text after a date can be a time of day: `T10`, `T101500Z`, `T10:15:00.5`,
    /// ` 10:15 AM`, or one without hours, `T-15` (RFC 6350, 4.3.2).
    private static func isTime(_ text: Substring.UTF8View) -> Bool {
        let time = text.drop { $0 == .space || $0 == UInt8(ascii: "T") }
        let clock = time.prefix { $0.isASCIIDigit || $0 == .colon }
        guard !clock.isEmpty else { return time.isEmpty || time.first == .hyphen }
        let parts =
            clock.contains(.colon)
            ? clock.split(separator: .colon).map(number)
            : stride(from: 0, to: clock.count, by: 2).map { place in
                number(clock.dropFirst(place).prefix(2))
            }
        let limits = [23, 59, 60]
        return parts.count <= limits.count
            && zip(parts, limits).allSatisfy { part, most in (part ?? .max) <= most }
    }

    /// True if the day exists. The 29th of February exists if the year is unknown.
    private static func isDay(_ day: Int, month: Int, year: Int?) -> Bool {
        guard (1...12).contains(month) else { return false }
        let isLeap = year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day)
    }
}
