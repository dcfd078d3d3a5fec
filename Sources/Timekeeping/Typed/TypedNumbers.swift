/// Two or three numbers with separators: "1.12.", "1.12.2026", "25/12", "25/12/2026", "2026/12/01".
struct TypedNumbers {
    let first: Int
    let second: Int
    private let third: Int?
    private let separator: UInt8
    /// The number of digits of each number.
    private let widths: [Int]
    private let endsWithPoint: Bool

    /// Parses a word; nil if the word has another form.
    init?(_ word: String) {
        guard let separator = word.utf8.first(where: { !$0.isDigit }),
            "./-".utf8.contains(separator)
        else { return nil }
        var parts = word.utf8.split(separator: separator, omittingEmptySubsequences: false)
        endsWithPoint = separator == UInt8(ascii: ".") && parts.last?.isEmpty == true
        if endsWithPoint { parts.removeLast() }
        let numbers = parts.compactMap { part -> Int? in
            guard part.count <= 4, part.allSatisfy(\.isDigit) else { return nil }
            return Int(Substring(part))
        }
        guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
        first = numbers[0]
        second = numbers[1]
        third = numbers.count == 3 ? numbers[2] : nil
        widths = parts.map(\.count)
        self.separator = separator
    }

    /// True if the word has the form of a time with a point, for example "19.30".
    var mayBeTime: Bool {
        separator == UInt8(ascii: ".") && third == nil && !endsWithPoint && widths[1] == 2
    }

    /// The date of the numbers; without a year, the next such date from today on. With points, the
    /// day comes before the month; with slashes and dashes, the numbers themselves must decide.
    func date(_ text: String, today: CivilDate) throws(TimeTextError) -> CivilDate {
        if let third, widths[0] == 4 { return try .of(year: first, month: second, day: third) }
        guard third == nil || widths[2] == 4 else { throw .yearNotWhole(text) }
        let dayFirst = { () throws(TimeTextError) in
            try today.upcoming(year: third, month: second, day: first)
        }
        let monthFirst = { () throws(TimeTextError) in
            try today.upcoming(year: third, month: first, day: second)
        }
        if separator == UInt8(ascii: ".") || first == second || first > 12 {
            return try dayFirst()
        }
        guard second <= 12 else { return try monthFirst() }
        throw .eitherDay(text, try monthFirst(), try dayFirst())
    }

    /// The day of the month in a word such as "1", "1st" or "1.".
    static func dayOfMonth(_ word: String) -> Int? {
        var cursor = TextCursor(word)
        let day = cursor.number(digitsMax: 2)
        let suffix = cursor.text { !$0.isDigit }
        return cursor.isAtEnd && ["", ".", "st", "nd", "rd", "th"].contains(suffix) ? day : nil
    }
}

extension CivilDate {
    static func of(year: Int, month: Int, day: Int) throws(TimeTextError) -> CivilDate {
        try TimeTextError.wrapping { () throws(CivilError) in
            try CivilDate(year: year, month: month, day: day)
        }
    }

    /// The date with these numbers; without a year, the first such date from this day on.
    func upcoming(year: Int?, month: Int, day: Int) throws(TimeTextError) -> CivilDate {
        let isPast = (month, day) < (self.month, self.day)
        return try .of(year: year ?? self.year + (isPast ? 1 : 0), month: month, day: day)
    }
}
