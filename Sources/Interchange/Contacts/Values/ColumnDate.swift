/// A date in a spreadsheet cell.
enum ColumnDate: Equatable {
    case none
    /// A date in the form of ``ContactCard/birthday``, perhaps without an impossible part.
    case day(String, without: ContactDate.Fault? = nil)
    /// A date whose month and day cannot be told apart.
    case ambiguous
    case unreadable

    /// The order of the numbers in dates with slashes or hyphens.
    enum Order: Equatable {
        case dayFirst, monthFirst
    }

    /// Parses ISO dates, `12.4.1990`, `31-Dec-80`, `31 décembre 1980`, dates without a year, and
    /// `4/13/1990` or `13-4-1990` where only one order is possible or `order` says which it is.
    init(_ text: String, order: Order? = nil) {
        if text.isEmpty || ContactDate.isUnset(text) {
            self = .none
            return
        }
        if let stated = ContactDate.stated(text) {
            self = .day(stated.date, without: stated.fault)
            return
        }
        if let named = NamedDate(text) {
            self.init(year: named.year, month: named.month, day: named.day)
            return
        }
        guard let numbers = DateNumbers(text) else {
            self = .unreadable
            return
        }
        let (first, second) = (numbers.first, numbers.second)
        if numbers.isYearFirst || numbers.separator == "." {
            let isMonthFirst = numbers.isYearFirst
            self.init(
                year: numbers.year, month: isMonthFirst ? first : second,
                day: isMonthFirst ? second : first)
            return
        }
        let proven = numbers.order
        guard first == second || proven ?? order != nil else {
            self = .ambiguous
            return
        }
        let isMonthFirst = (proven ?? order) != .dayFirst
        self.init(
            year: numbers.year, month: isMonthFirst ? first : second,
            day: isMonthFirst ? second : first)
    }

    /// The date; `nil` if there is none that is certain.
    var stated: ContactDate.Stated? {
        guard case .day(let date, let fault) = self else { return nil }
        return ContactDate.Stated(date: date, fault: fault)
    }

    /// The order that dates with slashes or hyphens have together; `nil` if they do not tell, or
    /// differ.
    static func order(of texts: some Sequence<String>) -> Order? {
        var found: Order?
        for text in texts {
            guard let numbers = DateNumbers(text), numbers.separator != ".",
                let order = numbers.order
            else { continue }
            guard found == nil || found == order else { return nil }
            found = order
        }
        return found
    }

    private init(year: Year, month: Int, day: Int) {
        let stated =
            switch year {
            case .unknown, .uncertain: ContactDate.stated(year: nil, month: month, day: day)
            case .known(let year): ContactDate.stated(year: year, month: month, day: day)
            }
        guard let stated else {
            self = .unreadable
            return
        }
        self = .day(stated.date, without: year == .uncertain ? .century : stated.fault)
    }

    /// The year of a date.
    enum Year: Equatable {
        case unknown
        /// A year of two digits that may be of this century or the last.
        case uncertain
        case known(Int)

        /// The year that the digits of a text mean; `nil` if they mean none.
        init?(_ digits: some StringProtocol) {
            guard let number = Int(digits) else { return nil }
            switch digits.count {
            case 2: self = number >= Self.lastCenturyMin ? .known(1900 + number) : .uncertain
            case 4 where number >= 1000:
                self = number == ContactDate.unknownYear ? .unknown : .known(number)
            default: return nil
            }
        }

        /// Nobody is born later than in the present. A number from here on is a year of the last
        /// century.
        private static let lastCenturyMin = 30
    }
}

/// A date of two or three numbers with the same sign between them.
private struct DateNumbers {
    let separator: Character
    let year: ColumnDate.Year
    /// The two numbers besides the year, in the order of the text.
    let first: Int
    let second: Int
    let isYearFirst: Bool

    init?(_ text: String) {
        var written = text.replacing(". ", with: ".").replacing("年", with: "-")
            .replacing("月", with: "-").replacing("日", with: "")
        // The text after a space is a time of day.
        written = written.split(separator: " ").first.map(String.init) ?? ""
        guard let separator = written.first(where: { "./-".contains($0) }) else { return nil }
        self.separator = separator
        var parts = written.split(separator: separator, omittingEmptySubsequences: false)
        if parts.count > 2, parts.last?.isEmpty == true { parts.removeLast() }
        let areNumbers = parts.allSatisfy { part in
            (1...4).contains(part.count) && part.allSatisfy { $0.isASCII && $0.isNumber }
        }
        guard areNumbers, (2...3).contains(parts.count) else { return nil }
        let place = parts.firstIndex { $0.count > 2 || (Int($0) ?? 0) > Self.dayMax }
        isYearFirst = place == 0 && parts.count == 3 || text.contains("月")
        if parts.count == 3 {
            guard let year = ColumnDate.Year(parts.remove(at: isYearFirst ? 0 : 2)) else {
                return nil
            }
            self.year = year
        } else {
            year = .unknown
        }
        guard parts.allSatisfy({ $0.count <= 2 }), let first = Int(parts[0]),
            let second = Int(parts[1])
        else { return nil }
        (self.first, self.second) = (first, second)
    }

    /// The only order in which the numbers are a date; `nil` if both are possible or none is.
    var order: ColumnDate.Order? {
        guard !isYearFirst else { return nil }
        if second > Self.monthMax, first <= Self.monthMax { return .monthFirst }
        return first > Self.monthMax && second <= Self.monthMax ? .dayFirst : nil
    }

    private static let (monthMax, dayMax) = (12, 31)
}

/// A date with the name of its month: "31-Dec-80", "December 31, 1980".
private struct NamedDate {
    let year: ColumnDate.Year
    let month: Int
    let day: Int

    init?(_ text: String) {
        guard text.count <= Self.charactersMax, text.contains(where: \.isLetter) else { return nil }
        let parts = text.split(separator: " ").filter { !$0.contains(":") }
            .flatMap { $0.split { !$0.isLetter && !$0.isNumber } }
        var month: Int?
        var numbers: [Substring] = []
        for part in parts {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            let rest = part.dropFirst(digits.count)
            if !digits.isEmpty {
                guard rest.isEmpty || Self.endings.contains(rest.lowercased()) else { return nil }
                numbers.append(digits)
            } else if let named = MonthNames.month(String(part)) {
                guard month == nil || month == named else { return nil }
                month = named
            } else if !MonthNames.isOther(String(part)) {
                return nil
            }
        }
        guard let month, (1...2).contains(numbers.count) else { return nil }
        let place = numbers.firstIndex { $0.count > 2 || (Int($0) ?? 0) > Self.dayMax }
        let yearPlace = numbers.count == 1 ? nil : place ?? 1
        let dayText = numbers[yearPlace == 0 ? 1 : 0]
        guard dayText.count <= 2, let day = Int(dayText) else { return nil }
        let year = yearPlace.map { ColumnDate.Year(numbers[$0]) } ?? .unknown
        guard let year else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The endings of a day in English and French.
    private static let endings: Set = ["st", "nd", "rd", "th", "er", "e"]
    private static let (charactersMax, dayMax) = (60, 31)
}
