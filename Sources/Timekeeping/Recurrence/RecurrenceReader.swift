extension RecurrenceRule {
    /// The maximum length of a rule in bytes.
    public static let octetsMax = 4096

    /// Parses a rule such as `FREQ=WEEKLY;BYDAY=MO,WE`, with its parts in any order, in upper or
    /// lower case, with or without `RRULE:` before it.
    ///
    /// - Throws: ``RecurrenceFault``, which names the wrong part.
    public init(_ text: some StringProtocol) throws(RecurrenceFault) {
        guard text.utf8.count <= Self.octetsMax else {
            throw RecurrenceFault("", "the rule is longer than \(Self.octetsMax) bytes")
        }
        // An array of bytes, because its type is known to the compiler here: the bytes of a generic
        // text take twice the time.
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

/// A parser for the parts of a rule in upper case.
struct RecurrenceReader {
    typealias Octets = ArraySlice<UInt8>

    private var rule = RecurrenceRule(.yearly)
    private var seen: [RulePart] = []
    /// Few rules have more parts than this.
    private static let partsUsual = 8

    fileprivate static func rule(_ text: Octets) throws(RecurrenceFault) -> RecurrenceRule {
        var reader = RecurrenceReader()
        reader.seen.reserveCapacity(partsUsual)
        // Many programs write a semicolon at the end, which has no meaning.
        let parts = text.last == UInt8(ascii: ";") ? text.dropLast() : text
        if !parts.isEmpty {
            try each(of: parts, by: UInt8(ascii: ";")) { part throws(RecurrenceFault) in
                try reader.read(part)
            }
        }
        guard reader.seen.contains(.frequency) else {
            throw RecurrenceFault("FREQ", "it is missing: write for example FREQ=WEEKLY")
        }
        guard !reader.seen.contains(.count) || !reader.seen.contains(.until) else {
            throw RecurrenceFault("COUNT", "a rule can have COUNT or UNTIL, but not both")
        }
        return reader.rule
    }

    private mutating func read(_ text: Octets) throws(RecurrenceFault) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
            throw RecurrenceFault("", "\(Self.quoted(text)) is not a part: write NAME=VALUE")
        }
        let name = String(decoding: text[..<equals], as: UTF8.self)
        guard let part = RulePart(rawValue: name) else {
            throw RecurrenceFault(Self.quoted(text[..<equals]), "it is not a part of a rule")
        }
        guard !seen.contains(part) else { throw RecurrenceFault(name, "it is given twice") }
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

    /// Reads the items between separators one after the other, without copying them.
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

    /// The beginning of any text, safe to show.
    static func quoted(_ text: some Sequence<UInt8>) -> String {
        let shown = String(decoding: Array(text.prefix(40)), as: UTF8.self).prefix(20)
            .filter { $0.isLetter || $0.isNumber || $0.isASCII && !$0.isNewline && $0 >= " " }
        return shown.isEmpty ? "an empty text" : String(shown)
    }
}

/// A parser for the value of one part.
private struct PartReader {
    typealias Octets = RecurrenceReader.Octets

    let name: String
    let text: Octets

    /// Accepts only the default (RFC 7529, 4): the Gregorian calendar, in which days that a month
    /// does not have are left out.
    func check(is usual: String) throws(RecurrenceFault) {
        guard String(decoding: text, as: UTF8.self) == usual else {
            throw RecurrenceFault(
                name, "only the Gregorian calendar is supported, with SKIP=OMIT")
        }
    }

    func frequency() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
        let word = String(decoding: text, as: UTF8.self)
        guard let frequency = RecurrenceRule.Frequency(rawValue: word) else {
            let all = RecurrenceRule.Frequency.allCases.map(\.rawValue)
            throw fault("is not one of \(all.joined(separator: ", "))", text)
        }
        return frequency
    }

    func stamp() throws(RecurrenceFault) -> CalendarStamp {
        guard let stamp = CalendarStamp(String(decoding: text, as: UTF8.self)) else {
            throw fault("is not a date or time such as 20270303 or 20270303T180000Z", text)
        }
        return stamp
    }

    func number(in range: ClosedRange<Int>) throws(RecurrenceFault) -> Int {
        try number(text, in: range)
    }

    func numbers(in range: ClosedRange<Int>) throws(RecurrenceFault) -> [Int] {
        try list { item throws(RecurrenceFault) in try number(item, in: range) }
    }

    /// Numbers from 1 to `limit`, or from -1 to -`limit`.
    func places(through limit: Int) throws(RecurrenceFault) -> [Int] {
        try list { item throws(RecurrenceFault) in try place(item, through: limit) }
    }

    /// The seconds of BYSECOND. A leap second, 60, is read as 59, because leap seconds are not
    /// supported.
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
            throw fault("is not a day of the week: write \(all)", item)
        }
        return weekday
    }

    private func place(_ item: Octets, through limit: Int) throws(RecurrenceFault) -> Int {
        let number = try number(item, in: -limit...limit)
        guard number != 0 else { throw fault("is not allowed: begin at 1 or at -1", item) }
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
            throw fault("is not a number from \(range.lowerBound) to \(range.upperBound)", item)
        }
        return number
    }

    /// The values in ascending order, without repetitions.
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
    /// The elements without those that equal their predecessor.
    var withoutRepetitions: [Element] {
        var last: Element?
        return filter { element in
            defer { last = element }
            return element != last
        }
    }
}

extension RecurrenceRule.Day: Comparable {
    /// Orders by place, then by weekday.
    public static func < (left: Self, right: Self) -> Bool {
        (left.place, left.weekday.rawValue) < (right.place, right.weekday.rawValue)
    }
}

extension RecurrenceRule {
    /// Refuses parts that cannot be combined (RFC 5545, 3.3.10).
    fileprivate func checkParts() throws(RecurrenceFault) {
        let isPlaced = days.contains { $0.place != 0 }
        if !weekNumbers.isEmpty, frequency != .yearly {
            throw misplaced("BYWEEKNO", "works only with FREQ=YEARLY")
        }
        if !yearDays.isEmpty, [.daily, .weekly, .monthly].contains(frequency) {
            throw misplaced(
                "BYYEARDAY", "works only with FREQ=YEARLY, HOURLY, MINUTELY or SECONDLY")
        }
        if !monthDays.isEmpty, frequency == .weekly {
            throw misplaced("BYMONTHDAY", "does not work with FREQ=WEEKLY")
        }
        if isPlaced, frequency < .monthly {
            throw misplaced(
                "BYDAY", "has numbers such as 1MO, which work only with FREQ=MONTHLY or YEARLY")
        }
        if isPlaced, !weekNumbers.isEmpty {
            throw misplaced("BYDAY", "has numbers such as 1MO, which do not work with BYWEEKNO")
        }
        if !positions.isEmpty, hasNoList {
            throw misplaced("BYSETPOS", "needs another BY... part to choose from: add one")
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
