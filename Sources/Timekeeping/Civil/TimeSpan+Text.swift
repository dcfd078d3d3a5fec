extension TimeSpan {
    /// Parses a length of time that a person or a program wrote.
    ///
    /// It accepts numbers with units in any order, each unit once: "45s", "90m", "1h30m", "2d",
    /// "1w", "1d12h", "2 days", "1 hour and 30 minutes", "an hour", "half an hour", "two weeks",
    /// and in German "2 Wochen", "1 Stunde und 30 Minuten". Words count up to twelve. Hours and
    /// minutes may have a fraction, for example "1.5h". It also accepts the ISO 8601 form: "PT1H",
    /// "P1D", "P1DT2H", "P1W".
    ///
    /// It rejects a number without a unit, a negative length, months and years (they have no fixed
    /// length), a fraction of a day, and lengths beyond ``daysMax`` or ``secondsMax``.
    ///
    /// - Throws: ``TimeTextError`` with a sentence for people.
    public static func parse(_ text: String) throws(TimeTextError) -> TimeSpan {
        guard text.utf8.count <= TimeTextError.textBytesMax else {
            throw .tooLong(bytes: text.utf8.count)
        }
        guard text.contains(where: { $0 != " " }) else { throw .emptySpan }
        var reader = TimeSpanReader(text)
        return try reader.read()
    }
}

/// The units of a length of time, the largest first, in the order of ISO 8601.
private enum TimeSpanUnit: Int {
    case week, day, hour, minute, second

    init?(_ word: String) {
        switch word {
        case "w", "wk", "wks", "week", "weeks", "woche", "wochen": self = .week
        case "d", "day", "days", "tag", "tage", "tagen": self = .day
        case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden": self = .hour
        case "m", "min", "mins", "minute", "minutes", "minuten": self = .minute
        case "s", "sec", "secs", "second", "seconds", "sekunde", "sekunden": self = .second
        default: return nil
        }
    }

    /// The number of days in a week or a day, and the number of seconds in the other units.
    var size: Int {
        switch self {
        case .week: 7
        case .day: 1
        case .hour: 3600
        case .minute: 60
        case .second: 1
        }
    }

    var isNominal: Bool { rawValue <= TimeSpanUnit.day.rawValue }
}

/// A parser for one text.
private struct TimeSpanReader {
    private let text: String
    private var cursor: TextCursor
    private var days = 0
    private var seconds = 0
    private var unitsRead: [TimeSpanUnit] = []

    init(_ text: String) {
        self.text = text
        cursor = TextCursor(text.lowercased())
    }

    mutating func read() throws(TimeTextError) -> TimeSpan {
        skipFill()
        guard cursor.next != UInt8(ascii: "-") else { throw .negativeSpan(text) }
        if cursor.take("p") {
            try readISO()
        } else {
            try readWords()
        }
        guard !unitsRead.isEmpty else { throw .notASpan(text) }
        guard days <= TimeSpan.daysMax, seconds <= TimeSpan.secondsMax else {
            throw .spanTooLong(text)
        }
        return TimeSpan(days: days, seconds: seconds)
    }

    private mutating func readWords() throws(TimeTextError) {
        var isJoined = false
        repeat {
            let thousandths = try amount()
            skipFill()
            let word = cursor.text { $0.isLetter }
            guard !word.isEmpty else { throw .unitMissing(thousandths) }
            try add(thousandths, try unit(word))
            skipFill()
            let start = cursor
            isJoined = ["and", "und"].contains(cursor.text { $0.isLetter })
            if isJoined { skipFill() } else { cursor = start }
        } while isJoined || !cursor.isAtEnd
    }

    /// Parses the part after the "P" of the ISO 8601 form.
    private mutating func readISO() throws(TimeTextError) {
        var isTime = false
        repeat {
            if !isTime, cursor.take("t") { isTime = true }
            let thousandths = try amount()
            guard let letter = cursor.take(anyOf: isTime ? "hms" : "wdmy") else {
                throw .notASpan(text)
            }
            let word = String(Unicode.Scalar(letter))
            let unit = try unit(!isTime && word == "m" ? "month" : word)
            guard unit.rawValue > unitsRead.last?.rawValue ?? -1 else { throw .notASpan(text) }
            try add(thousandths, unit)
        } while !cursor.isAtEnd
    }

    /// A number in thousandths.
    private mutating func amount() throws(TimeTextError) -> Int {
        guard let whole = cursor.number(digitsMax: 9) else { return try amountInWords() }
        guard cursor.next?.isDigit != true else { throw .spanTooLong(text) }
        let start = cursor
        guard cursor.take(anyOf: ".,") != nil, let first = cursor.number(digits: 1) else {
            cursor = start
            return whole * 1000
        }
        let second = cursor.number(digits: 1) ?? 0
        let third = cursor.number(digits: 1) ?? 0
        guard cursor.next?.isDigit != true else { throw .notWholeSeconds(text) }
        return whole * 1000 + first * 100 + second * 10 + third
    }

    private mutating func amountInWords() throws(TimeTextError) -> Int {
        // German letters have more than one byte.
        let word = cursor.text { $0.isLetter || $0 >= 0x80 }
        if word == "half" {
            skipFill()
            guard cursor.text(while: { $0.isLetter }) == "an" else { throw .notASpan(text) }
            return 500
        }
        guard let number = Self.numbers.firstIndex(where: { $0.contains(word) }) else {
            throw .notASpan(text)
        }
        return (number + 1) * 1000
    }

    /// The words for one to twelve in English and German.
    private static let numbers: [[String]] = [
        ["a", "an", "one", "ein", "eine", "einem", "einen", "einer"], ["two", "zwei", "zwo"],
        ["three", "drei"], ["four", "vier"], ["five", "fünf", "fuenf"], ["six", "sechs"],
        ["seven", "sieben"], ["eight", "acht"], ["nine", "neun"], ["ten", "zehn"],
        ["eleven", "elf"], ["twelve", "zwölf", "zwoelf"],
    ]

    private func unit(_ word: String) throws(TimeTextError) -> TimeSpanUnit {
        if let unit = TimeSpanUnit(word) { return unit }
        switch word {
        case "mo", "month", "months", "monat", "monate", "monaten":
            throw .noFixedLength("month")
        case "y", "yr", "yrs", "year", "years", "jahr", "jahre", "jahren":
            throw .noFixedLength("year")
        default: throw .unknownUnit(word)
        }
    }

    private mutating func add(
        _ thousandths: Int, _ unit: TimeSpanUnit
    ) throws(TimeTextError) {
        guard !unitsRead.contains(unit) else { throw .unitTwice(text) }
        unitsRead.append(unit)
        let (size, rest) = (thousandths * unit.size).quotientAndRemainder(dividingBy: 1000)
        if unit.isNominal {
            guard thousandths % 1000 == 0 else { throw .partOfDay }
            days += size
        } else {
            guard rest == 0 else { throw .notWholeSeconds(text) }
            seconds += size
        }
    }

    private mutating func skipFill() {
        while cursor.take(anyOf: " ,") != nil {}
    }
}

extension TimeTextError {
    fileprivate static let emptySpan = Self(
        "The length of time is empty: write for example 90m, 1h30m, 2d or PT1H.")

    fileprivate static let partOfDay = Self(
        "A part of a day has no fixed length: write hours, as in 1d12h.")

    fileprivate static func notASpan(_ text: String) -> Self {
        .init("\(text.quoted) is not a length of time: write for example 90m, 1h30m, 2d or PT1H.")
    }

    fileprivate static func unitMissing(_ thousandths: Int) -> Self {
        let number = thousandths / 1000
        return .init(
            "\(number) has no unit: write \(number)m for minutes, \(number)h for hours "
                + "or \(number)d for days.")
    }

    fileprivate static func unknownUnit(_ word: String) -> Self {
        .init("\(word.quoted) is not a unit of time: write s, m, h, d or w, as in 1h30m.")
    }

    fileprivate static func unitTwice(_ text: String) -> Self {
        .init("\(text.quoted) has the same unit twice: write each unit once, as in 1h30m.")
    }

    fileprivate static func noFixedLength(_ unit: String) -> Self {
        .init("A \(unit) has no fixed length: write weeks or days, as in 4w or 30d.")
    }

    fileprivate static func notWholeSeconds(_ text: String) -> Self {
        .init(
            "\(text.quoted) is not a whole number of seconds: write for example 4m30s.")
    }

    fileprivate static func negativeSpan(_ text: String) -> Self {
        .init("\(text.quoted) is negative: write the length without the minus sign.")
    }

    fileprivate static func spanTooLong(_ text: String) -> Self {
        .init("\(text.quoted) is longer than 100 years: write a shorter time.")
    }
}
