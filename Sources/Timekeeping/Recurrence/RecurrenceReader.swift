extension RecurrenceRule {
    /// The most octets that a rule has.
    public static let octetsMax = 4096

    /// Reads a rule such as `FREQ=WEEKLY;BYDAY=MO,WE`, in any order and either case, with `RRULE:`
    /// before it or without.
    ///
    /// - Throws: ``RecurrenceFault``, which names the part.
    public init(_ text: some StringProtocol) throws(RecurrenceFault) {
        var text = Substring(text)
        guard text.utf8.count <= Self.octetsMax else {
            throw RecurrenceFault("", "the rule is longer than \(Self.octetsMax) octets")
        }
        if text.prefix(6).lowercased() == "rrule:" { text = text.dropFirst(6) }
        self = try RecurrenceReader.rule(text)
        try checkParts()
    }
}

/// Reads the parts of a rule.
struct RecurrenceReader {
    private var rule = RecurrenceRule(.yearly)
    private var names: Set<String> = []

    static func rule(_ text: Substring) throws(RecurrenceFault) -> RecurrenceRule {
        var reader = RecurrenceReader()
        // What many programs write at the end means nothing.
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        for part in parts.last?.isEmpty == true ? parts.dropLast() : parts[...] {
            try reader.read(part)
        }
        guard reader.names.contains("FREQ") else {
            throw RecurrenceFault("FREQ", "it is missing: write FREQ=WEEKLY, or another step")
        }
        guard !reader.names.isSuperset(of: ["COUNT", "UNTIL"]) else {
            throw RecurrenceFault("COUNT", "a rule ends by COUNT or by UNTIL, not by both")
        }
        return reader.rule
    }

    private mutating func read(_ part: Substring) throws(RecurrenceFault) {
        let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else {
            throw RecurrenceFault("", "\(Self.quoted(part)) is no part of a rule: write NAME=VALUE")
        }
        let name = halves[0].uppercased()
        guard names.insert(name).inserted else {
            throw RecurrenceFault(Self.known(name), "it stands there twice")
        }
        try take(PartReader(name: name, text: halves[1]))
    }

    private mutating func take(_ part: PartReader) throws(RecurrenceFault) {
        switch part.name {
        case "FREQ": rule.frequency = try part.frequency()
        case "INTERVAL": rule.interval = try part.number(in: 1...RecurrenceRule.intervalMax)
        case "COUNT": rule.end = .count(try part.number(in: 1...Int(Int32.max)))
        case "UNTIL": rule.end = .until(try part.stamp())
        case "WKST": rule.weekStart = try part.weekday(part.text)
        case "BYSECOND": rule.seconds = try part.seconds()
        case "BYMINUTE": rule.minutes = try part.numbers(in: 0...59)
        case "BYHOUR": rule.hours = try part.numbers(in: 0...23)
        case "BYDAY": rule.days = try part.days()
        case "BYMONTHDAY": rule.monthDays = try part.numbers(countingBack: 31)
        case "BYYEARDAY": rule.yearDays = try part.numbers(countingBack: 366)
        case "BYWEEKNO": rule.weekNumbers = try part.numbers(countingBack: 53)
        case "BYMONTH": rule.months = try part.numbers(in: 1...12)
        case "BYSETPOS": rule.positions = try part.numbers(countingBack: 366)
        case "RSCALE", "SKIP":
            throw RecurrenceFault(
                part.name, "rules of other calendars than the Gregorian one are not understood")
        default: throw RecurrenceFault(Self.known(part.name), "there is no such part of a rule")
        }
    }

    /// A name from a text that may be anything.
    private static func known(_ name: String) -> String { String(quoted(name[...])) }

    static func quoted(_ text: Substring) -> String {
        let shown = text.prefix(20).filter { $0.isASCII && !$0.isNewline && $0 != "\0" }
        return shown.isEmpty ? "an empty text" : String(shown)
    }
}

/// Reads the value of one part.
struct PartReader {
    let name: String
    let text: Substring

    func frequency() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
        guard let frequency = RecurrenceRule.Frequency(rawValue: text.uppercased()) else {
            let all = RecurrenceRule.Frequency.allCases.map(\.rawValue)
            throw fault("is none of \(all.joined(separator: ", "))", text)
        }
        return frequency
    }

    func stamp() throws(RecurrenceFault) -> CalendarStamp {
        guard let stamp = CalendarStamp(text) else {
            throw fault("is no date or time such as 20270303 or 20270303T180000Z", text)
        }
        return stamp
    }

    func number(in range: ClosedRange<Int>) throws(RecurrenceFault) -> Int {
        try number(text, in: range)
    }

    func numbers(in range: ClosedRange<Int>) throws(RecurrenceFault) -> [Int] {
        try list { item throws(RecurrenceFault) in try number(item, in: range) }
    }

    /// Numbers from 1 on, or back from -1; 0 is none.
    func numbers(countingBack limit: Int) throws(RecurrenceFault) -> [Int] {
        try list { item throws(RecurrenceFault) in try place(item, countingBack: limit) }
    }

    /// A leap second is taken for the second before it: no clock here ever shows it.
    func seconds() throws(RecurrenceFault) -> [Int] {
        let seconds = try numbers(in: 0...60)
        return seconds.last == 60 ? Array(Set(seconds.map { min($0, 59) })).sorted() : seconds
    }

    func days() throws(RecurrenceFault) -> [RecurrenceRule.Day] {
        try list { item throws(RecurrenceFault) in
            let place = item.dropLast(2)
            return RecurrenceRule.Day(
                try weekday(item.suffix(2)),
                place: place.isEmpty ? 0 : try self.place(place, countingBack: 53))
        }
    }

    func weekday(_ item: Substring) throws(RecurrenceFault) -> Weekday {
        guard let place = Weekday.recurrenceNames.firstIndex(of: item.uppercased()),
            let weekday = Weekday(rawValue: place + 1)
        else {
            let all = Weekday.recurrenceNames.joined(separator: ", ")
            throw fault("is no day of the week: write \(all)", item)
        }
        return weekday
    }

    private func place(
        _ item: Substring, countingBack limit: Int
    ) throws(RecurrenceFault) -> Int {
        let number = try number(item, in: -limit...limit)
        guard number != 0 else { throw fault("is no place: they begin at 1, or at -1", item) }
        return number
    }

    private func number(
        _ item: Substring, in range: ClosedRange<Int>
    ) throws(RecurrenceFault) -> Int {
        let digits = item.first == "+" || item.first == "-" ? item.dropFirst() : item
        guard (1...10).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit),
            let number = Int(item), range.contains(number)
        else {
            throw fault("is no number from \(range.lowerBound) to \(range.upperBound)", item)
        }
        return number
    }

    /// Each value once, in ascending order.
    private func list<Value: Hashable & Comparable>(
        _ read: (Substring) throws(RecurrenceFault) -> Value
    ) throws(RecurrenceFault) -> [Value] {
        var values: Set<Value> = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            values.insert(try read(item))
        }
        return values.sorted()
    }

    private func fault(_ reason: String, _ item: Substring) -> RecurrenceFault {
        RecurrenceFault(name, "\(RecurrenceReader.quoted(item)) \(reason)")
    }
}

extension RecurrenceRule.Day: Comparable {
    /// By place and then by the day of the week.
    public static func < (left: Self, right: Self) -> Bool {
        (left.place, left.weekday.rawValue) < (right.place, right.weekday.rawValue)
    }
}

extension RecurrenceRule {
    /// The parts that do not go together (RFC 5545, 3.3.10).
    fileprivate func checkParts() throws(RecurrenceFault) {
        let isPlaced = days.contains { $0.place != 0 }
        if !weekNumbers.isEmpty, frequency != .yearly {
            throw misplaced("BYWEEKNO", "goes with FREQ=YEARLY alone")
        }
        if !yearDays.isEmpty, [.daily, .weekly, .monthly].contains(frequency) {
            throw misplaced("BYYEARDAY", "goes with FREQ=YEARLY, or steps shorter than a day")
        }
        if !monthDays.isEmpty, frequency == .weekly {
            throw misplaced("BYMONTHDAY", "does not go with FREQ=WEEKLY")
        }
        if isPlaced, frequency < .monthly {
            throw misplaced("BYDAY", "has places, which go with FREQ=MONTHLY and YEARLY alone")
        }
        if isPlaced, !weekNumbers.isEmpty {
            throw misplaced("BYDAY", "has places, which do not go with BYWEEKNO")
        }
        if !positions.isEmpty, hasNoList {
            throw misplaced("BYSETPOS", "picks from what another BY... part lists: add one")
        }
    }

    private var hasNoList: Bool {
        [seconds, minutes, hours, monthDays, yearDays, weekNumbers, months].allSatisfy(\.isEmpty)
            && days.isEmpty
    }

    private func misplaced(_ part: String, _ reason: String) -> RecurrenceFault {
        RecurrenceFault(part, "it \(reason)")
    }
}
