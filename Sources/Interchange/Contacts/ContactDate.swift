/// The dates of address books: `1990-04-12`, or `--04-12` if the year is unknown.
enum ContactDate {
    /// The year that Apple writes for an unknown year.
    static let unknownYear = 1604

    /// `text` in the form described at ``ContactDate``; `nil` if it is not a complete date.
    ///
    /// The accepted forms are `19900412`, `1990-04-12`, `1990/4/12`, `--0412` and `--04-12`, each
    /// with or without a time after it (RFC 2426, 3.1.5; RFC 6350, 4.3). The year 1604 and
    /// `omittedYear`, the value of X-APPLE-OMIT-YEAR, mean that the year is unknown.
    static func normalised(_ text: String, omittedYear: String? = nil) -> String? {
        var date = text.utf8[...]
        if let time = date.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == .space }) {
            date = date[..<time]
        }
        guard let fields = fields(date), isDay(fields.day, month: fields.month, year: fields.year)
        else { return nil }
        let isYearKnown =
            fields.year != unknownYear && fields.year != omittedYear.flatMap { Int($0) }
        return written(year: isYearKnown ? fields.year : nil, month: fields.month, day: fields.day)
    }

    /// True for the dates with only zeros that some programs write if there is no date: `0/0/00`,
    /// `0.0.00`, `0000-00-00`.
    static func isUnset(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "0"))
            && text.utf8.allSatisfy { "0./-: TZ".utf8.contains($0) }
    }

    /// A normalised date in the form of vCard 4.0: `19900412`, `--0412`.
    static func basic(_ date: String) -> String {
        let isYearless = date.hasPrefix("--")
        return (isYearless ? "--" : "") + date.filter { $0 != "-" }
    }

    /// A date from its numbers; `nil` if that date does not exist.
    static func written(checking year: Int?, month: Int, day: Int) -> String? {
        guard isDay(day, month: month, year: year) else { return nil }
        return written(year: year, month: month, day: day)
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

    /// True if the day exists. The 29th of February exists if the year is unknown.
    private static func isDay(_ day: Int, month: Int, year: Int?) -> Bool {
        guard (1...12).contains(month), year != 0 else { return false }
        let isLeap = year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day)
    }
}
