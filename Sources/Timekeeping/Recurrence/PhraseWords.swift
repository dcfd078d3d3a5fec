/// The words of a phrase, consumed one by one.
struct PhraseWords {
    private let words: [String]
    /// The words as they were typed: where ``words`` has an English word for a German one, the
    /// German word.
    private let typedWords: [String]
    private var position = 0

    /// Splits a text into lower-case words, without commas and without a full stop at the end.
    /// German words are replaced by English ones.
    init(_ text: String) {
        let text = text.lowercased()
        let sentence = text.hasSuffix(".") ? text.dropLast() : text[...]
        let plain = sentence.split { $0.isWhitespace || $0 == "," }.map(String.init)
        var words: [String] = []
        var typedWords: [String] = []
        for typed in plain.flatMap(Self.parts) {
            for word in GermanPhrase.english(typed) {
                words.append(word)
                typedWords.append(typed)
            }
        }
        self.words = words
        self.typedWords = typedWords
    }

    /// Splits a range such as "mon-fri" into three words.
    private static func parts(of word: String) -> [String] {
        let ends = word.split(whereSeparator: { "-–".contains($0) }).map(String.init)
        guard ends.count == 2, ends.allSatisfy({ weekday($0) != nil }) else { return [word] }
        return [ends[0], "to", ends[1]]
    }

    var isAtEnd: Bool { position >= words.count }

    /// The next word; `nil` at the end.
    var next: String? { word(after: 0) }

    private func word(after count: Int) -> String? {
        words.indices.contains(position + count) ? words[position + count] : nil
    }

    mutating func skip() { position += 1 }

    /// The error at the current position: the next word has no meaning there.
    var fault: RecurrenceFault {
        let examples =
            "Write for example: weekly, every 2nd tuesday, weekdays, monthly on the last friday, "
            + "every 3 weeks until 3 march, daily 10 times; or a rule such as FREQ=WEEKLY"
        guard !isAtEnd else {
            return RecurrenceFault(
                "", "\(words.isEmpty ? "it is empty" : "it is incomplete"). \(examples)")
        }
        let next = RecurrenceReader.quoted(typedWords[position].utf8)
        return RecurrenceFault("", "\"\(next)\" is not understood here. \(examples)")
    }

    mutating func take(_ anyOf: String...) -> Bool {
        guard let next, anyOf.contains(next) else { return false }
        skip()
        return true
    }

    /// Consumes all of these words, one after the other, or none of them.
    mutating func take(all sequence: String...) -> Bool {
        guard words.dropFirst(position).starts(with: sequence) else { return false }
        position += sequence.count
        return true
    }

    /// Consumes "every" or "each".
    mutating func takeEvery() -> Bool { take("every", "each") }

    /// Consumes words such as "weekday", "workdays" or "working day".
    mutating func takeWorkday() -> Bool {
        guard isWorkday(after: 0) else { return false }
        if !Self.workdays.contains(next) { skip() }
        skip()
        return true
    }

    func isWorkday(after count: Int) -> Bool {
        let isOfTwo = ["working", "business"].contains(word(after: count))
        return Self.workdays.contains(word(after: count))
            || isOfTwo && ["day", "days"].contains(word(after: count + 1))
    }

    private static let workdays: [String?] = ["weekday", "weekdays", "workday", "workdays"]

    /// Consumes "weekend" or "weekends".
    mutating func takeWeekend() -> Bool { take("weekend", "weekends") }

    // MARK: Numbers

    /// Consumes a number: "2", "two".
    mutating func takeCount() -> Int? {
        guard let count = next.flatMap(Self.count) else { return nil }
        skip()
        return count
    }

    /// Consumes "times" after a number.
    mutating func takeTimes() -> Bool { take("times", "time", "occurrences") }

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

    /// Consumes a place: "2nd", "2.", "second", "last", "2nd to last".
    mutating func takePlace() -> Int? {
        guard let place = next.flatMap(Self.place) else { return nil }
        skip()
        guard place > 0, next == "to", word(after: 1) == "last" else { return place }
        skip()
        skip()
        return -place
    }

    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ]

    static func place(_ word: String) -> Int? {
        if word == "last" { return -1 }
        if let place = ordinals.firstIndex(of: word) { return place + 1 }
        if word.hasSuffix("."), word.first?.isNumber == true {
            return count(String(word.dropLast()))
        }
        guard ["st", "nd", "rd", "th"].contains(word.suffix(2)) else { return nil }
        return count(String(word.dropLast(2)))
    }

    /// True if a written-out place from "second" on comes next, with nothing after it that can have
    /// a place. With "every second" a person may mean seconds.
    var nextIsBarePlace: Bool {
        guard let next, let place = Self.ordinals.firstIndex(of: next), place > 0 else {
            return false
        }
        guard let noun = word(after: 1) else { return true }
        if noun == "of" { return next == "second" }
        return !["and", "&", "to"].contains(noun) && Self.place(noun) == nil
            && !isWorkday(after: 1) && !isUnit(after: 1)
    }

    /// Consumes a place or a day number that continues a list, after "and" or after a comma.
    mutating func takeFurtherPlace() -> Int? {
        let begin = position
        let isJoined = take("and", "&")
        _ = take("the")
        if let place = takePlace() ?? (isJoined ? takeDayNumber() : nil) { return place }
        position = begin
        return nil
    }

    /// Consumes the number of a day in its month: "15", "15th".
    mutating func takeDayNumber() -> Int? {
        guard let number = next.flatMap(Self.dayNumber) else { return nil }
        skip()
        return number
    }

    private static func dayNumber(_ word: String) -> Int? {
        guard let number = place(word) ?? count(word), (1...31).contains(number) else { return nil }
        return number
    }

    /// Consumes a date in numbers: "25.5.", "25.5.2027", "2027/05/25".
    ///
    /// - Parameter first: the day from which a date without a year is the next one.
    /// - Returns: the date; `nil` if the next word has another form.
    /// - Throws: ``RecurrenceFault`` if there is no such date, or it could be two.
    mutating func takeNumericDate(from first: CivilDate) throws(RecurrenceFault) -> CivilDate? {
        guard let next, let numbers = TypedNumbers(next) else { return nil }
        do throws(TimeTextError) {
            let date = try numbers.date(next, today: first)
            skip()
            return date
        } catch {
            throw RecurrenceFault("", error.message)
        }
    }

    /// True if a date in numbers comes next: "22.12.", "2026-12-22".
    var nextIsDate: Bool {
        guard let next else { return false }
        if case .date? = try? ISO8601.parse(next) { return true }
        return TypedNumbers(next) != nil
    }

    mutating func takeYear() -> Int? {
        guard let year = nextYear else { return nil }
        skip()
        return year
    }

    var nextYear: Int? { next.flatMap { $0.utf8.count == 4 ? Self.count($0) : nil } }

    // MARK: Names

    mutating func takeWeekday() -> Weekday? {
        guard let weekday = next.flatMap(Self.weekday) else { return nil }
        skip()
        return weekday
    }

    /// The weekday of a word: "tuesday", "tue", "tuesdays".
    private static func weekday(_ word: String) -> Weekday? {
        Weekday(typed: word)
            ?? (word.hasSuffix("s") ? Weekday(typed: String(word.dropLast())) : nil)
    }

    /// The weekday, and the following ones up to the weekday after "to": "monday to friday".
    mutating func takeFurtherDays(after first: Weekday) -> [Weekday] {
        guard ["to", "through", "thru"].contains(next),
            let last = word(after: 1).flatMap(Self.weekday)
        else { return [first] }
        skip()
        skip()
        let count = (last.rawValue - first.rawValue + 7) % 7
        return (0...count).compactMap { Weekday(rawValue: (first.rawValue - 1 + $0) % 7 + 1) }
    }

    mutating func takeMonth() -> Int? {
        guard let month = next.flatMap(Month.number(typed:)) else { return nil }
        skip()
        return month
    }

    /// Consumes the months of a day: "of july", "of june and july", or "july" alone after a number.
    /// A month with its own number is another day.
    mutating func takeMonths(afterNumber: Bool) -> [Int] {
        let isNext = next == "of" ? isMonth(after: 1) : afterNumber && isMonth(after: 0)
        guard isNext else { return [] }
        _ = take("of")
        return takeMonthList()
    }

    /// Consumes a list of months: "june, july and august".
    mutating func takeMonthList() -> [Int] {
        var months: [Int] = []
        while let month = takeMonth() {
            months.append(month)
            let offset = ["and", "&", "or"].contains(next) ? 1 : 0
            guard isMonth(after: offset), !isDayNumber(after: offset + 1) else { break }
            position += offset
        }
        return months
    }

    func isMonth(after count: Int) -> Bool {
        word(after: count).flatMap(Month.number(typed:)) != nil
    }

    /// True if "of" and a month stand `count` words after the next one.
    func isOfMonth(after count: Int) -> Bool {
        word(after: count) == "of" && isMonth(after: count + 1)
    }

    /// True for the number of a day, but not for the number of "10 times".
    private func isDayNumber(after count: Int) -> Bool {
        word(after: count).flatMap(Self.dayNumber) != nil && word(after: count + 1) != "times"
    }

    /// True if another day follows without a joining word, as in a list with commas.
    var beginsDay: Bool {
        guard let next else { return false }
        return Self.weekday(next) != nil || Self.place(next) != nil
            || isMonth(after: 0) && isDayNumber(after: 1)
            || isMonth(after: 1) && isDayNumber(after: 0)
    }

    /// Consumes a step, and returns its unit and number: "week", "fortnight", "quarter".
    mutating func takeStep() -> (RecurrenceRule.Frequency, Int)? {
        if take("fortnight", "fortnights") { return (.weekly, 2) }
        if take("quarter", "quarters") { return (.monthly, 3) }
        return takeUnit().map { ($0, 1) }
    }

    mutating func takeUnit() -> RecurrenceRule.Frequency? {
        guard let unit = next.flatMap(Self.unit) else { return nil }
        skip()
        return unit
    }

    private static func unit(_ word: String) -> RecurrenceRule.Frequency? {
        switch word.hasSuffix("s") ? String(word.dropLast()) : word {
        case "minute": .minutely
        case "hour": .hourly
        case "day": .daily
        case "week": .weekly
        case "month": .monthly
        case "year": .yearly
        default: nil
        }
    }

    /// True if a word that can have steps stands `count` words after the next one: a unit, a
    /// weekday, or a weekend.
    func isUnit(after count: Int) -> Bool {
        guard let word = word(after: count) else { return false }
        return Self.unit(word) != nil || Self.weekday(word) != nil
            || ["weekend", "weekends"].contains(word)
    }
}
