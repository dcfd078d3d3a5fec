/// A parser for the words of one typed time, from left to right. Each word describes the day or the
/// time; their combined meaning is decided after the last word.
struct TypedTimeReader {
    /// A day as it was typed.
    enum Day {
        case fromToday(days: Int)
        case tonight
        case nextWeekday(Weekday)
        case date(CivilDate)
    }

    /// A time of day as it was typed.
    enum Clock {
        case time(CivilTime)
        case midnight
    }

    /// A typed value with its words.
    struct Typed<Value> {
        let text: String
        let value: Value
    }

    let now: WallTime
    /// The day that is meant if a time has no day; `nil` for the next such time.
    let ownDay: OwnDay?
    private(set) var day: Typed<Day>?
    private(set) var weekday: Typed<Weekday>?
    private(set) var clock: Typed<Clock>?
    /// Two numbers with a point between them, for example "19.30" or "24.12", which may be a time
    /// or a day.
    private(set) var pointed: Typed<TypedNumbers>?
    private var words: ArraySlice<String>

    /// The day from which weekdays and dates without a year count.
    var firstDay: CivilDate {
        guard let ownDay, ownDay.isStart else { return now.date }
        return ownDay.date
    }

    init(_ words: [String], now: WallTime, ownDay: OwnDay?) {
        self.words = words[...]
        self.now = now
        self.ownDay = ownDay
    }

    mutating func read() throws(TimeTextError) -> TypedTime.Value {
        while let word = words.popFirst() { try take(word) }
        if let pointed { try settle(pointed) }
        return try meaning()
    }

    private mutating func take(_ word: String) throws(TimeTextError) {
        switch word {
        case "yesterday", "gestern": try set(.fromToday(days: -1), word)
        case "heute" where words.first == "abend":
            words.removeFirst()
            try set(.tonight, "heute abend")
        case "today", "heute": try set(.fromToday(days: 0), word)
        case "tomorrow", "morgen": try set(.fromToday(days: 1), word)
        case "day" where words.starts(with: ["after", "tomorrow"]):
            words.removeFirst(2)
            try set(.fromToday(days: 2), "day after tomorrow")
        case "übermorgen", "uebermorgen": try set(.fromToday(days: 2), word)
        case "tonight": try set(.tonight, word)
        case "in": try takeDaysFromNow()
        case "12" where words.first == "noon" || words.first == "midnight": break
        case "noon", "mittag": try set(.time(.noon), word)
        case "midnight", "mitternacht": try set(.midnight, word)
        case "this", "diesen", "kommenden":
            let (weekday, name) = try takeWeekday(after: word)
            try set(weekday, name)
        case "next", "nächsten", "naechsten":
            let (weekday, name) = try takeWeekday(after: word)
            try set(.nextWeekday(weekday), "\(word) \(name)")
        default:
            try takeName(word)
        }
    }

    private mutating func takeWeekday(
        after word: String
    ) throws(TimeTextError) -> (weekday: Weekday, name: String) {
        guard let name = words.popFirst(), let weekday = Weekday(typed: name) else {
            throw .notUnderstood(word)
        }
        return (weekday, name)
    }

    /// Consumes the longest run of words that means whole days or weeks.
    private mutating func takeDaysFromNow() throws(TimeTextError) {
        for count in stride(from: words.count, to: 0, by: -1) {
            let text = words.prefix(count).joined(separator: " ")
            guard let span = try? TimeSpan.parse(text), span.seconds == 0 else { continue }
            words.removeFirst(count)
            return try set(.fromToday(days: span.days), "in \(text)")
        }
        throw .notUnderstood("in")
    }

    private mutating func takeName(_ word: String) throws(TimeTextError) {
        if let weekday = Weekday(typed: word) {
            try set(weekday, word)
        } else if let month = Month.number(typed: word) {
            guard let name = words.first, let day = TypedNumbers.dayOfMonth(name) else {
                throw .dayMissing(month)
            }
            words.removeFirst()
            try setDate(month: month, day: day, "\(word) \(name)")
        } else {
            try takeNumber(word)
        }
    }

    /// True if a range of hours is not meant as a day: because of its numbers, or because another
    /// day comes before it, no time does, and nothing comes after it.
    private func isMeant(_ range: TypedRange) -> Bool {
        let hasDay = day != nil || weekday != nil
        return !range.mayBeDay || (hasDay && clock == nil && words.isEmpty)
    }

    private mutating func takeNumber(_ word: String) throws(TimeTextError) {
        if let range = TypedRange(word), isMeant(range) {
            throw .range(word, range, of: day?.text ?? weekday?.text)
        }
        if let time = try TypedClock.time(word, next: words.first) {
            let suffix = time.takesNext ? " \(words.removeFirst())" : ""
            try set(.time(time.value), word + suffix)
        } else if let next = words.first, let month = Month.number(typed: next),
            let day = TypedNumbers.dayOfMonth(word)
        {
            words.removeFirst()
            try setDate(month: month, day: day, "\(word) \(next)")
        } else if let numbers = TypedNumbers(word) {
            try takeNumbers(numbers, word)
        } else if word.utf8.count <= 2, let number = Int(word) {
            throw .bareNumber(number)
        } else {
            throw .notUnderstood(word)
        }
    }

    private mutating func takeNumbers(
        _ numbers: TypedNumbers, _ word: String
    ) throws(TimeTextError) {
        guard !numbers.mayBeTime else {
            guard pointed == nil else { throw .notUnderstood(word) }
            pointed = Typed(text: word, value: numbers)
            return
        }
        try set(.date(try numbers.date(word, today: firstDay)), word)
    }

    /// Sets the date, and consumes the year if it comes next.
    private mutating func setDate(
        month: Int, day: Int, _ text: String
    ) throws(TimeTextError) {
        let year = words.first.flatMap { $0.utf8.count == 4 ? Int($0) : nil }
        let suffix = year == nil ? "" : " \(words.removeFirst())"
        let date = try firstDay.upcoming(year: year, month: month, day: day)
        guard year == nil, let ownDay, !ownDay.isStart,
            (ownDay.date.month, ownDay.date.day) == (month, day)
        else { return try set(.date(date), text + suffix) }
        // The day that is changed is meant, even if it has passed.
        try set(.date(ownDay.date), text)
    }
}

/// Setters that refuse a second value for the same part.
extension TypedTimeReader {
    mutating func set(_ value: Day, _ text: String) throws(TimeTextError) {
        if let day { throw .twoDays(day.text, text) }
        day = Typed(text: text, value: value)
    }

    mutating func set(_ value: Weekday, _ text: String) throws(TimeTextError) {
        if let weekday { throw .twoDays(weekday.text, text) }
        weekday = Typed(text: text, value: value)
    }

    mutating func set(_ value: Clock, _ text: String) throws(TimeTextError) {
        if let clock { throw .twoTimes(clock.text, text) }
        clock = Typed(text: text, value: value)
    }
}
