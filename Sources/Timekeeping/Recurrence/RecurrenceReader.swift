extension RecurrenceRule {
    /// The most octets that a rule has.
    public static let octetsMax = 4096

    /// Reads a rule such as `FREQ=WEEKLY;BYDAY=MO,WE`, in any order and either case, with `RRULE:`
    /// before it or without.
    ///
    /// - Throws: ``RecurrenceFault``, which names the part.
    public init(_ text: some StringProtocol) throws(RecurrenceFault) {
        guard text.utf8.count <= Self.octetsMax else {
            throw RecurrenceFault("", "the rule is longer than \(Self.octetsMax) octets")
        }
        // Octets of a type that the compiler knows here: those of any text take twice the time.
        try self.init(octets: Array(String(text).utf8))
    }

    private init(octets text: [UInt8]) throws(RecurrenceFault) {
        let octets = text.map(\.uppercasedASCII)
        let prefix = Array("RRULE:".utf8)
        self = try RecurrenceReader.rule(
            octets.starts(with: prefix) ? octets[prefix.count...] : octets[...])
        try checkParts()
    }
}

/// A part of a rule.
private enum RulePart: String {
    case frequency = "FREQ"
    case interval = "INTERVAL"
    case count = "COUNT"
    case until = "UNTIL"
    case weekStart = "WKST"
    case seconds = "BYSECOND"
    case minutes = "BYMINUTE"
    case hours = "BYHOUR"
    case days = "BYDAY"
    case monthDays = "BYMONTHDAY"
    case yearDays = "BYYEARDAY"
    case weekNumbers = "BYWEEKNO"
    case months = "BYMONTH"
    case positions = "BYSETPOS"
    case calendar = "RSCALE"
    case skipping = "SKIP"
}

/// Reads the parts of a rule, all letters in capitals.
struct RecurrenceReader {
    typealias Octets = ArraySlice<UInt8>

    private var rule = RecurrenceRule(.yearly)
    private var seen: [RulePart] = []
    /// Few rules have more parts.
    private static let partsUsual = 8

    fileprivate static func rule(_ text: Octets) throws(RecurrenceFault) -> RecurrenceRule {
        var reader = RecurrenceReader()
        reader.seen.reserveCapacity(partsUsual)
        // What many programs write at the end means nothing.
        let parts = text.last == UInt8(ascii: ";") ? text.dropLast() : text
        if !parts.isEmpty {
            try each(of: parts, by: UInt8(ascii: ";")) { part throws(RecurrenceFault) in
                try reader.read(part)
            }
        }
        guard reader.seen.contains(.frequency) else {
            throw RecurrenceFault("FREQ", "it is missing: write FREQ=WEEKLY, or another step")
        }
        guard !reader.seen.contains(.count) || !reader.seen.contains(.until) else {
            throw RecurrenceFault("COUNT", "a rule ends by COUNT or by UNTIL, not by both")
        }
        return reader.rule
    }

    private mutating func read(_ text: Octets) throws(RecurrenceFault) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
            throw RecurrenceFault("", "\(Self.quoted(text)) is no part of a rule: write NAME=VALUE")
        }
        let name = String(decoding: text[..<equals], as: UTF8.self)
        guard let part = RulePart(rawValue: name) else {
            throw RecurrenceFault(Self.quoted(text[..<equals]), "there is no such part of a rule")
        }
        guard !seen.contains(part) else { throw RecurrenceFault(name, "it stands there twice") }
        seen.append(part)
        try take(part, PartReader(name: name, text: text[(equals + 1)...]))
    }

    private mutating func take(_ part: RulePart, _ value: PartReader) throws(RecurrenceFault) {
        switch part {
        case .frequency: rule.frequency = try value.frequency()
        case .interval: rule.interval = try value.number(in: 1...RecurrenceRule.intervalMax)
        case .count: rule.end = .count(try value.number(in: 1...Int(Int32.max)))
        case .until: rule.end = .until(try value.stamp())
        case .weekStart: rule.weekStart = try value.weekday(value.text)
        case .seconds: rule.seconds = try value.seconds()
        case .minutes: rule.minutes = try value.numbers(in: 0...59)
        case .hours: rule.hours = try value.numbers(in: 0...23)
        case .days: rule.days = try value.days()
        case .monthDays: rule.monthDays = try value.places(through: 31)
        case .yearDays: rule.yearDays = try value.places(through: 366)
        case .weekNumbers: rule.weekNumbers = try value.places(through: 53)
        case .months: rule.months = try value.numbers(in: 1...12)
        case .positions: rule.positions = try value.places(through: 366)
        case .calendar: try value.check(is: "GREGORIAN")
        case .skipping: try value.check(is: "OMIT")
        }
    }

    /// Reads what stands between separators, one after the other, without a copy of them.
    fileprivate static func each(
        of text: Octets, by separator: UInt8,
        _ read: (Octets) throws(RecurrenceFault) -> Void
    ) throws(RecurrenceFault) {
        var begin = text.startIndex
        while let end = text[begin...].firstIndex(of: separator) {
            try read(text[begin..<end])
            begin = end + 1
        }
        try read(text[begin...])
    }

    /// The beginning of a text that may be anything.
    static func quoted(_ text: some Sequence<UInt8>) -> String {
        let shown = String(decoding: Array(text.prefix(40)), as: UTF8.self).prefix(20)
            .filter { $0.isLetter || $0.isNumber || $0.isASCII && !$0.isNewline && $0 >= " " }
        return shown.isEmpty ? "an empty text" : String(shown)
    }
}

/// Reads the value of one part.
private struct PartReader {
    typealias Octets = RecurrenceReader.Octets

    let name: String
    let text: Octets

    /// Takes what is meant anyway (RFC 7529, 4): the Gregorian calendar, and that days are left out
    /// which a month does not have.
    func check(is usual: String) throws(RecurrenceFault) {
        guard String(decoding: text, as: UTF8.self) == usual else {
            throw RecurrenceFault(
                name, "rules of other calendars than the Gregorian one are not understood")
        }
    }

    func frequency() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
        let word = String(decoding: text, as: UTF8.self)
        guard let frequency = RecurrenceRule.Frequency(rawValue: word) else {
            let all = RecurrenceRule.Frequency.allCases.map(\.rawValue)
            throw fault("is none of \(all.joined(separator: ", "))", text)
        }
        return frequency
    }

    func stamp() throws(RecurrenceFault) -> CalendarStamp {
        guard let stamp = CalendarStamp(String(decoding: text, as: UTF8.self)) else {
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

    /// Numbers from 1 on, or back from -1.
    func places(through limit: Int) throws(RecurrenceFault) -> [Int] {
        try list { item throws(RecurrenceFault) in try place(item, through: limit) }
    }

    /// A leap second is taken for the second before it: no clock here ever shows it.
    func seconds() throws(RecurrenceFault) -> [Int] {
        try list { item throws(RecurrenceFault) in min(try number(item, in: 0...60), 59) }
    }

    func days() throws(RecurrenceFault) -> [RecurrenceRule.Day] {
        try list { item throws(RecurrenceFault) in
            let place = item.dropLast(2)
            return RecurrenceRule.Day(
                try weekday(item.suffix(2)),
                place: place.isEmpty ? 0 : try self.place(place, through: 53))
        }
    }

    func weekday(_ item: Octets) throws(RecurrenceFault) -> Weekday {
        let word = String(decoding: item, as: UTF8.self)
        guard let place = Weekday.recurrenceNames.firstIndex(of: word),
            let weekday = Weekday(rawValue: place + 1)
        else {
            let all = Weekday.recurrenceNames.joined(separator: ", ")
            throw fault("is no day of the week: write \(all)", item)
        }
        return weekday
    }

    private func place(_ item: Octets, through limit: Int) throws(RecurrenceFault) -> Int {
        let number = try number(item, in: -limit...limit)
        guard number != 0 else { throw fault("is no place: they begin at 1, or at -1", item) }
        return number
    }

    private func number(
        _ item: Octets, in range: ClosedRange<Int>
    ) throws(RecurrenceFault) -> Int {
        let isNegative = item.first == UInt8(ascii: "-")
        let digits = isNegative || item.first == UInt8(ascii: "+") ? item.dropFirst() : item
        var size = 0
        var isNumber = (1...10).contains(digits.count)
        for digit in digits where isNumber {
            isNumber = digit.isDigit
            size = size * 10 + Int(digit) - 0x30
        }
        let number = isNegative ? -size : size
        guard isNumber, range.contains(number) else {
            throw fault("is no number from \(range.lowerBound) to \(range.upperBound)", item)
        }
        return number
    }

    /// Each value once, in ascending order.
    private func list<Value: Comparable>(
        _ read: (Octets) throws(RecurrenceFault) -> Value
    ) throws(RecurrenceFault) -> [Value] {
        var values: [Value] = []
        try RecurrenceReader.each(of: text, by: UInt8(ascii: ",")) {
            item throws(RecurrenceFault) in
            values.append(try read(item))
        }
        return values.count > 1 ? values.sorted().withoutRepetitions : values
    }

    private func fault(_ reason: String, _ item: Octets) -> RecurrenceFault {
        RecurrenceFault(name, "\(RecurrenceReader.quoted(item)) \(reason)")
    }
}

extension UInt8 {
    fileprivate var uppercasedASCII: UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self
    }
}

extension Array where Element: Equatable {
    /// The same where equal ones stand beside each other, each once.
    var withoutRepetitions: [Element] {
        var last: Element?
        return filter { element in
            defer { last = element }
            return element != last
        }
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
