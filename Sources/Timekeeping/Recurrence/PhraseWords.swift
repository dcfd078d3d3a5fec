/// The words of a phrase, taken one by one.
struct PhraseWords {
    private let words: [String]
    private var position = 0

    /// The words of a text, in small letters; a comma is none.
    init(_ text: String) {
        words = text.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
    }

    var isAtEnd: Bool { position >= words.count }

    /// The next word; `nil` at the end.
    var next: String? { word(after: 0) }

    private func word(after count: Int) -> String? {
        words.indices.contains(position + count) ? words[position + count] : nil
    }

    mutating func skip() { position += 1 }

    /// What is wrong: the next word stands for nothing there.
    var fault: RecurrenceFault {
        let examples =
            "Write such as: weekly, every 2nd tuesday, weekdays, monthly on the last friday, "
            + "every 3 weeks until 3 march, daily 10 times; or a rule such as FREQ=WEEKLY"
        guard let next else {
            return RecurrenceFault(
                "", words.isEmpty ? examples : "something is missing. \(examples)")
        }
        return RecurrenceFault(
            "", "\(RecurrenceReader.quoted(next.utf8)) is not understood there. \(examples)")
    }

    mutating func take(_ anyOf: String...) -> Bool {
        guard let next, anyOf.contains(next) else { return false }
        skip()
        return true
    }

    // MARK: Numbers

    /// "2", "two".
    mutating func takeCount() -> Int? {
        guard let count = next.flatMap(Self.count) else { return nil }
        skip()
        return count
    }

    var nextIsCount: Bool { next.flatMap(Self.count) != nil }

    private static func count(_ word: String) -> Int? {
        let names = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve",
        ]
        if let place = names.firstIndex(of: word) { return place + 1 }
        guard (1...4).contains(word.utf8.count), word.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(word).flatMap { $0 > 0 ? $0 : nil }
    }

    /// "2nd", "second", "last".
    mutating func takePlace() -> Int? {
        guard let place = next.flatMap(Self.place) else { return nil }
        skip()
        return place
    }

    static func place(_ word: String) -> Int? {
        let names = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
            "tenth",
        ]
        if word == "last" { return -1 }
        if let place = names.firstIndex(of: word) { return place + 1 }
        guard ["st", "nd", "rd", "th"].contains(word.suffix(2)) else { return nil }
        return count(String(word.dropLast(2)))
    }

    /// Whether a word comes next and a place behind it, behind "the" or not.
    func nextIsPlace(after link: String...) -> Bool {
        guard let next, link.contains(next) else { return false }
        let following = word(after: 1) == "the" ? word(after: 2) : word(after: 1)
        return following.flatMap(Self.place) != nil
    }

    /// The number of a day in its month: "15", "15th".
    mutating func takeDayNumber() -> Int? {
        guard let word = next, let number = Self.place(word) ?? Self.count(word),
            (1...31).contains(number)
        else { return nil }
        skip()
        return number
    }

    mutating func takeYear() -> Int? {
        guard let word = next, word.utf8.count == 4, let year = Self.count(word) else { return nil }
        skip()
        return year
    }

    // MARK: Names

    mutating func takeWeekday() -> Weekday? {
        guard let weekday = next.flatMap(Self.weekday) else { return nil }
        skip()
        return weekday
    }

    /// "tuesday", "tue", "tuesdays".
    private static func weekday(_ word: String) -> Weekday? {
        Weekday(typed: word)
            ?? (word.hasSuffix("s") ? Weekday(typed: String(word.dropLast())) : nil)
    }

    mutating func takeMonth() -> Int? {
        guard let month = next.flatMap(Month.number(typed:)) else { return nil }
        skip()
        return month
    }

    /// Whether a month comes next, behind "of" or not.
    var nextIsMonth: Bool {
        (next == "of" ? word(after: 1) : next).flatMap(Month.number(typed:)) != nil
    }

    /// Whether another day follows without a word between.
    var beginsDay: Bool {
        guard let next else { return false }
        return Self.weekday(next) != nil || Self.place(next) != nil
    }

    mutating func takeUnit() -> RecurrenceRule.Frequency? {
        guard let unit = next.flatMap(Self.unit) else { return nil }
        skip()
        return unit
    }

    private static func unit(_ word: String) -> RecurrenceRule.Frequency? {
        switch word.hasSuffix("s") ? String(word.dropLast()) : word {
        case "hour": .hourly
        case "day": .daily
        case "week": .weekly
        case "month": .monthly
        case "year": .yearly
        default: nil
        }
    }

    /// Whether a unit or a weekday stands so many words behind the next one.
    func isUnit(after count: Int) -> Bool {
        word(after: count).map { Self.unit($0) != nil || Self.weekday($0) != nil } ?? false
    }
}
